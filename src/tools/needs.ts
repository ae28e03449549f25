// What a change needs before it is written, by the judge's verdict: nothing, a preview, a person; or that nobody can let it
// pass. And which of several edits would need nobody by themselves, so that people are asked about the others only.
import {
  type Approval,
  type ApprovalNeed,
  isStricter,
  needsOf,
  type Policy,
  previewRequired,
  Refusal,
  type RuleNote,
  type Verdict,
} from '../security/index.ts';
import { policyDenied } from './policy-refusal.ts';
import { proveAll } from './prove-files.ts';
import type { FileEdits } from './read-base.ts';
import { reviewEdits, verdictOf } from './review-edit.ts';
import { ruleLine, ruleNotes } from './rule-notes.ts';
import type { CallContext } from './tool.ts';

/** As a preview keeps it. */
export interface Requirements {
  readonly approval: Approval;
  readonly rules: readonly RuleNote[];
  /** Of rules that ask for several reviewers, or for certain ones. */
  readonly needs?: readonly ApprovalNeed[];
  /** Edits of the call, by their index, that need nobody where they come alone. */
  readonly alone?: readonly number[];
}

type FindAlone = (() => Promise<readonly number[] | undefined>) | undefined;

/** Throws POLICY_DENIED. */
export async function requirementsOf(
  verdict: Verdict,
  findAlone: FindAlone,
  context: CallContext,
): Promise<Requirements> {
  const { level } = verdict;
  const alone = isStricter(level, 'preview') ? await findAlone?.() : undefined;
  if (level === 'deny') throw policyDenied(verdict, alone);
  return {
    ...neededBy(verdict, level, context.policy),
    ...(alone === undefined ? {} : { alone }),
  };
}

/** Of all edits, or of a part of them that is decided at this level. */
export function neededBy(verdict: Verdict, approval: Approval, policy: Policy): Omit<Requirements, 'alone'> {
  const needs = needsOf(verdict.findings);
  const rules = ruleNotes(verdict, policy);
  return { approval, rules, ...(needs.length === 0 ? {} : { needs }) };
}

/** Of a call that writes at once. Throws POLICY_DENIED, and PREVIEW_REQUIRED for what needs more. */
export async function requireDirect(
  verdict: Verdict,
  findAlone: FindAlone,
  context: CallContext,
): Promise<void> {
  if (verdict.level === 'direct') return;
  const { rules, alone } = await requirementsOf(verdict, findAlone, context);
  throw because(previewRequired(), rules).hinting(alone === undefined ? {} : { alone });
}

/** The same refusal with the rules that it is due to. */
function because(refusal: Refusal, rules: readonly RuleNote[]): Refusal {
  return rules.length === 0
    ? refusal
    : refusal.hinting({ advice: rules.map((note) => `Because of the rule ${ruleLine(note)}`) });
}

/** Beyond it nobody is helped: each edit is planned and judged once more. */
const MAX_TRIED = 20;

/** Proven and judged, each by itself and then together. */
export async function editsThatNeedNobody(
  files: readonly FileEdits[],
  context: CallContext,
): Promise<readonly number[] | undefined> {
  const indexes = [
    ...new Set(files.flatMap(({ operations }) => operations.map(({ editIndex }) => editIndex ?? 0))),
  ];
  if (indexes.length < 2 || indexes.length > MAX_TRIED) return undefined;
  const found: number[] = [];
  for (const index of indexes) if (await needNobody([index])) found.push(index);
  const isPart = found.length > 0 && found.length < indexes.length;
  return isPart && (found.length === 1 || (await needNobody(found)))
    ? found.sort((a, b) => a - b)
    : undefined;

  async function needNobody(some: readonly number[]): Promise<boolean> {
    const only = files.flatMap((file) => {
      const operations = file.operations.filter(({ editIndex }) => some.includes(editIndex ?? 0));
      return operations.length === 0 ? [] : [{ ...file, operations }];
    });
    try {
      const verdict = verdictOf(await reviewEdits((await proveAll(only, context)).edits, context));
      return verdict !== undefined && !isStricter(verdict.level, 'preview');
    } catch (error) {
      // One that needs another edit, or would be refused alone.
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
}
