// What a change needs before it is written, by the judge's verdict: nothing, a preview, a person; or that nobody can let it
// pass.
import {
  type Approval,
  type ApprovalNeed,
  needsOf,
  type Policy,
  previewRequired,
  type Refusal,
  type RuleNote,
  type Verdict,
} from '../security/index.ts';
import { policyDenied } from './policy-refusal.ts';
import { ruleLine, ruleNotes } from './rule-notes.ts';

/** As a preview keeps it. */
export interface Requirements {
  readonly approval: Approval;
  readonly rules: readonly RuleNote[];
  /** Of rules that ask for several reviewers, or for certain ones. */
  readonly needs?: readonly ApprovalNeed[];
}

/** Throws POLICY_DENIED. */
export function requirementsOf(verdict: Verdict, policy: Policy): Requirements {
  if (verdict.level === 'deny') throw policyDenied(verdict);
  return neededBy(verdict, verdict.level, policy);
}

/** Of all edits, or of a part of them that is decided at this level. */
export function neededBy(verdict: Verdict, approval: Approval, policy: Policy): Requirements {
  const needs = needsOf(verdict.findings);
  const rules = ruleNotes(verdict, policy);
  return { approval, rules, ...(needs.length === 0 ? {} : { needs }) };
}

/** Of a call that writes at once. Throws POLICY_DENIED, and PREVIEW_REQUIRED for what needs more. */
export function requireDirect(verdict: Verdict, policy: Policy): void {
  if (verdict.level === 'direct') return;
  throw because(previewRequired(), requirementsOf(verdict, policy).rules);
}

/** The same refusal with the rules that it is due to. */
function because(refusal: Refusal, rules: readonly RuleNote[]): Refusal {
  return rules.length === 0
    ? refusal
    : refusal.hinting({ advice: rules.map((note) => `Because of the rule ${ruleLine(note)}`) });
}
