// Collects who has to approve a change, from all rules that ask people about it.
import type { ApprovalNeed, ChangeRule } from './change-policy.ts';
import type { Level } from './levels.ts';

/** Returns the needs of these results, uncertain ones included: more approvals are never more lenient. */
export function needsIn(
  results: readonly { readonly rule: ChangeRule; readonly level: Level }[],
): readonly ApprovalNeed[] {
  const rules = new Set(results.filter(({ level }) => level === 'human').map(({ rule }) => rule));
  return [...rules].flatMap(({ id, approvers, count }) =>
    count === undefined ? [] : [{ rule: id, count, ...(approvers === undefined ? {} : { approvers }) }],
  );
}

/** Combines the needs of all changes of a call, each rule once. */
export function needsOf(
  findings: readonly { readonly needs: readonly ApprovalNeed[] }[],
): readonly ApprovalNeed[] {
  const needs = findings.flatMap((finding) => finding.needs);
  return needs.filter(({ rule }, index) => needs.findIndex((other) => other.rule === rule) === index);
}
