// Has the edits of a call planned and proven (prove-files.ts), then reviews and shows them. They are kept as a preview, or written
// directly if the call asks for it and the operator allows it. Tools only describe edits; only this file and what it calls can
// write.
import { isQuestion } from '../adapters/review/changed-kind.ts';
import { type PreviewDraft, withProposers } from '../security/approval/preview.ts';
import { type FileWrite, fileWriteOf, type VerifiedEdit } from '../security/edits/verified-edit.ts';
import { type Clues, Refusal } from '../security/errors/refusal.ts';
import { leastLevel } from '../security/policy/policy.ts';
import type { Verdict } from '../security/policy/verdict.ts';
import type { SavedPreview } from '../security/state/backend.ts';
import { holdsPlaceholder, PLACEHOLDERS } from '../security/text/placeholders.ts';
import { previewRequired } from '../security/writer/permission.ts';
import type { Origin, SkippedFile } from '../state/preview.ts';
import { appliedReply, type NotKept, noChangeReply, previewReply } from './edit-reply.ts';
import type { FileEdits } from './file-operations.ts';
import { neighbourOf } from './not-wanted.ts';
import { proveAll } from './prove-files.ts';
import { canBeAsked } from './question.ts';
import { type ReviewedEdit, reviewOne, verdictOf } from './review-edit.ts';
import { type Requirements, requireDirect, requirementsOf, rulesApplied } from './rule-notes.ts';
import { type Shown, shownOf, warningsOf } from './shown-edits.ts';
import { backendIn, type CallContext, cutSentence, type Reply } from './tool.ts';

/** A call that edits. */
export interface EditCall {
  readonly tool: string;
  /** Its arguments without guards such as expected_sha256, so that it can be made again. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  readonly dryRun: boolean;
  readonly reason?: string | undefined;
  /** The names of those who took part in it in addition to the caller. */
  readonly proposers?: readonly string[];
  /** The full id of the preview that it replaces. */
  readonly replaces?: string;
}

/** The proven edits of a call, judged and described. */
export interface Planned {
  readonly reviewed: readonly ReviewedEdit[];
  /** The writes, one for each file that changes; empty if it is only shown. */
  readonly writes: readonly FileWrite[];
  /** Notes about the call as whole sentences, which are shown before the warnings. */
  readonly notes: readonly string[];
  /** The files of patterns that were not edited. */
  readonly skipped: readonly SkippedFile[];
}

/** Runs all files or none. Throws the refusals of every step; nothing is written before all is proven. */
export async function runEdits(
  files: readonly FileEdits[],
  call: Omit<EditCall, 'origin'>,
  context: CallContext,
): Promise<Reply> {
  requireNoPlaceholder(call.request);
  requirePreviewed(call, context);
  const planned = await planEdits(files, call, context);
  return keepOrWrite(planned, { ...call, origin: { kind: 'edit' } }, context);
}

/** Throws PREVIEW_REQUIRED for a direct write that the operator does not allow. The commit would refuse it too, but after all the work. */
export function requirePreviewed({ dryRun }: Pick<EditCall, 'dryRun'>, { policy }: CallContext): void {
  if (!dryRun && leastLevel(policy) !== 'direct') throw previewRequired();
}

/** Plans, proves and reviews the edits of a call. Throws the refusals of every step. */
export async function planEdits(
  files: readonly FileEdits[],
  { dryRun }: Pick<EditCall, 'dryRun'>,
  context: CallContext,
): Promise<Planned> {
  const placed = placedKeys(files);
  const { kept, notes, skipped } = await proveAll(files, context, async (edit) => ({
    reviewed: await reviewOne(edit, context, placed),
    writes: dryRun ? [] : writesOf([edit]),
  }));
  const reviewed = kept.map((one) => one.reviewed);
  return { reviewed, writes: kept.flatMap(({ writes }) => writes), notes, skipped };
}

/** Returns the writes of these edits. They hold no texts, so that many files need little memory. */
export function writesOf(edits: readonly VerifiedEdit[]): readonly FileWrite[] {
  return edits.filter((edit) => !edit.isNoop).map(fileWriteOf);
}

/** Returns the inserted keys whose neighbour the call names. */
function placedKeys(files: readonly FileEdits[]): readonly string[] {
  const operations = files.flatMap((file) => file.operations.map(({ operation }) => operation));
  return operations.flatMap((one) => (neighbourOf(one) === undefined ? [] : (one.key ?? [])));
}

/** Throws SECRET_PLACEHOLDER: a placeholder is for a value that the caller does not know, and is never turned back into it. */
function requireNoPlaceholder(request: Readonly<Record<string, unknown>>): void {
  const { edits, ...rest } = request;
  const asked: readonly unknown[] = Array.isArray(edits) ? [...edits, rest] : [request];
  const index = asked.findIndex((edit) => writesPlaceholder(Object(edit)));
  if (index === -1) return;
  throw new Refusal(
    'SECRET_PLACEHOLDER',
    'Cannot make this edit: an argument holds <secret:…>, which only stands for a masked value',
    { edit_index: Array.isArray(edits) ? index : undefined },
    {
      advice: [
        'Leave it out: edit the keys beside it one by one',
        'Only replace_text may name it: in old_text alone to replace or delete it, as by CHANGEME or ${DB_PASSWORD}, or unchanged in both texts to change words beside it',
      ],
    },
  );
}

/** True if the edit writes a placeholder; `replace_text` may keep those of its old text in place, or remove them all. */
function writesPlaceholder(edit: Readonly<Record<string, unknown>>): boolean {
  const { op, old_text: old, new_text: next, ...rest } = edit;
  if (op !== 'replace_text') return holdsPlaceholder(edit);
  const [before, after] = [old, next].map((text) => `${text}`.match(PLACEHOLDERS)?.join('') ?? '');
  return (after !== '' && before !== after) || holdsPlaceholder(rest);
}

/** Keeps the plan as a preview, or writes it. Throws the refusals of both. */
export function keepOrWrite(planned: Planned, call: EditCall, context: CallContext): Promise<Reply> {
  return call.dryRun ? proposePreview(planned, call, context) : write(planned, call, context);
}

/** Writes directly, without a preview. */
async function write(planned: Planned, call: EditCall, context: CallContext): Promise<Reply> {
  const verdict = verdictOf(planned.reviewed);
  const shown = shownAll(planned, context, true);
  if (verdict === undefined) return noChangeReply(call.request, planned.notes);
  requireDirect(verdict, context.policy);
  if (call.origin.kind === 'edit') await requireNoQuestion(planned, call, context);
  const preview = draftOf(planned, call, shown, requirementsOf(verdict, context.policy), context);
  // This is the last moment at which the client can cancel.
  await context.pause();
  const change_id = await backendIn(context).write({ ...toWrite(planned, verdict, context), preview });
  return appliedReply(shown, { change_id, confirmed_by: 'direct' }, shown.warnings);
}

/** Returns what the backend needs to know about a write, with or without a preview. */
export function toWrite(
  { writes }: Pick<Planned, 'writes'>,
  verdict: Verdict,
  { policy, requestId }: CallContext,
) {
  const { level, needs } = verdict;
  return { writes, verdict: { level, needs }, by_rules: rulesApplied(verdict, policy), requestId };
}

/** Throws PREVIEW_REQUIRED, with the preview, if a warning asks whether the result is what was meant. */
async function requireNoQuestion(planned: Planned, call: EditCall, context: CallContext): Promise<void> {
  const { reviewed, notes } = planned;
  const asking = reviewed.map((one) => ({ ...one, warnings: one.warnings.filter(isQuestion) }));
  const noted = notes.filter(isQuestion);
  const questions = [...noted, ...warningsOf(asking, context.policy.limits)];
  if (questions.length === 0) return;
  throw new Refusal(
    'PREVIEW_REQUIRED',
    'Cannot write this at once: there is a question about it. Look at the preview, and apply it if it is what you mean.',
    {},
    { ...(await previewInstead(planned, call, context)), advice: questions.map(cutSentence) },
  );
}

/** Returns the clues of a refusal that offers a preview instead; undefined if none can be kept. */
export async function previewInstead(
  planned: Planned,
  call: EditCall,
  context: CallContext,
): Promise<Pick<Clues, 'previewId' | 'preview' | 'diff'> | undefined> {
  const { data } = await proposePreview(planned, call, context);
  const { ok: _, dry_run: __, summary: ___, sha256: ____, ...preview } = data;
  const { preview_id: id, diff } = preview;
  return typeof id === 'string' && typeof diff === 'string' ? { previewId: id, preview, diff } : undefined;
}

/** Keeps the edits as a preview, and replies with it. */
async function proposePreview(planned: Planned, call: EditCall, context: CallContext): Promise<Reply> {
  const shown = shownAll(planned, context);
  const verdict = verdictOf(planned.reviewed);
  if (verdict === undefined) return noChangeReply(call.request, planned.notes);
  const needs = await signedAtTerminal(requirementsOf(verdict, context.policy), context);
  // This is the last moment at which the client can cancel.
  await context.pause();
  const draft = draftOf(planned, call, shown, needs, context);
  const isLookedAt = needs.approval === 'human' || context.isOperator === true;
  const saved = await keep(isLookedAt ? draft : withoutBases(draft), shown, call, context);
  return previewReply(shown, saved, needs);
}

/** If there are reviewers, a confirmation at the terminal needs the name and signature of one. */
async function signedAtTerminal(
  needs: Requirements,
  { confirmed, backend }: CallContext,
): Promise<Requirements> {
  if (confirmed !== 'terminal' || backend === undefined) return needs;
  const { reviewers } = await backend.facts({});
  return reviewers > 0 ? { ...needs, approval: 'human' } : needs;
}

function shownAll(
  { reviewed, notes }: Planned,
  { policy: { limits }, backend }: CallContext,
  isApplied = false,
): Shown {
  const files = reviewed.map(({ file }) => file);
  return shownOf(files, [...notes, ...warningsOf(reviewed, limits)], limits, {
    isApplied,
    isKept: backend !== undefined,
  });
}

/** Returns what is kept. Unchanged files are left out: they need not be the same when the rest is applied. */
function draftOf(
  { reviewed, skipped }: Planned,
  { origin, reason, tool, request, proposers = [] }: EditCall,
  { warnings }: Shown,
  needs: Requirements,
  { caller, sandbox }: CallContext,
): PreviewDraft {
  const files = reviewed.flatMap(({ file, isNoop }) => (isNoop ? [] : [file]));
  return {
    ...{ caller, policy: sandbox.policyFingerprint, origin, files, tool, request, warnings, ...needs },
    ...(reason === undefined ? {} : { reason }),
    ...withProposers(proposers),
    ...(skipped.length === 0 ? {} : { skipped }),
  };
}

/** Leaves out the texts of the files, of which the one who applies the preview has a copy. */
function withoutBases(draft: PreviewDraft): PreviewDraft {
  return { ...draft, files: draft.files.map(({ base: _, ...file }) => file) };
}

async function keep(
  draft: PreviewDraft,
  { isWhole, warnings }: Shown,
  { replaces }: EditCall,
  { backend, requestId }: CallContext,
): Promise<SavedPreview | NotKept> {
  // A preview that was not shown whole must not be applied.
  if (!isWhole) return 'cut';
  if (backend === undefined) return 'read-only';
  if (draft.approval === 'client' && !canBeAsked(draft, warnings)) return 'too long to ask';
  return (await backend.keep({ draft, requestId, replaces })) ?? 'too large';
}
