// Says what a change needs before it is written, by the judge's verdict: nothing, a preview, or a person; or that it is denied.
import {
  type Approval,
  type ApprovalNeed,
  type Policy,
  previewRequired,
  type Refusal,
  type RuleNote,
  type Verdict,
} from '../security/index.ts';
import { policyDenied } from './policy-refusal.ts';
import { ruleLine, ruleNotes } from './rule-notes.ts';

/** The needs as a preview keeps them. */
export interface Requirements {
  readonly approval: Approval;
  readonly rules: readonly RuleNote[];
  /** The needs of rules that ask for several or for named reviewers. */
  readonly needs?: readonly ApprovalNeed[];
}

/** Returns what a change needs. Throws POLICY_DENIED. */
export function requirementsOf(verdict: Verdict, policy: Policy): Requirements {
  if (verdict.level === 'deny') throw policyDenied(verdict);
  return neededBy(verdict, verdict.level, policy);
}

/** Returns what all edits need, or a part of them that is decided at this level. */
export function neededBy(verdict: Verdict, approval: Approval, policy: Policy): Requirements {
  const { needs } = verdict;
  const rules = ruleNotes(verdict, policy);
  return { approval, rules, ...(needs.length === 0 ? {} : { needs }) };
}

/** Allows a call that writes at once. Throws POLICY_DENIED, and PREVIEW_REQUIRED for a change that needs more. */
export function requireDirect(verdict: Verdict, policy: Policy): void {
  if (verdict.level === 'direct') return;
  throw because(previewRequired(), requirementsOf(verdict, policy).rules);
}

/** Adds the rules that caused it to a refusal. */
function because(refusal: Refusal, rules: readonly RuleNote[]): Refusal {
  return rules.length === 0
    ? refusal
    : refusal.hinting({ advice: rules.map((note) => `Because of the rule ${ruleLine(note)}`) });
}
