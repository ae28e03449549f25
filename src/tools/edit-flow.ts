// Every edit of a call is read, planned and proven here, then reviewed and shown. Then it is kept as a preview that can be
// applied, or written at once where the call asks for it and the operator allows it. Tools say what is to be done; only this
// file and what it calls can write it.
import { isQuestion } from '../adapters/index.ts';
import {
  type Clues,
  commitEdits,
  holdsPlaceholder,
  leastLevel,
  type Origin,
  PLACEHOLDERS,
  type PreviewDraft,
  previewRequired,
  Refusal,
  type SavedPreview,
  type SkippedFile,
  type VerifiedEdit,
  withProposers,
} from '../security/index.ts';
import { appliedReply, type NotKept, noChangeReply, previewReply } from './edit-reply.ts';
import { neighbourOf } from './match-notes.ts';
import { type Requirements, requireDirect, requirementsOf } from './needs.ts';
import { proveAll } from './prove-files.ts';
import { canBeAsked } from './question.ts';
import type { FileEdits } from './read-base.ts';
import { type ReviewedEdit, reviewOne, verdictOf } from './review-edit.ts';
import { rulesApplied } from './rule-notes.ts';
import { type Shown, shownOf, warningsOf } from './shown-edits.ts';
import { type CallContext, cutSentence, type Reply, stateOf } from './tool.ts';

/** A call that edits. */
export interface EditCall {
  readonly tool: string;
  /** Its arguments without its guards, for asking again. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  readonly dryRun: boolean;
  readonly reason?: string | undefined;
  /** The names of those who took part in it beside the caller. */
  readonly proposers?: readonly string[];
  /** The full id of the preview whose place it takes. */
  readonly replaces?: string;
}

/** The proven edits of a call, judged and described. */
export interface Planned {
  readonly reviewed: readonly ReviewedEdit[];
  /** What can be written: one edit for each file; empty if it is only shown. */
  readonly edits: readonly VerifiedEdit[];
  /** Whole sentences about the call, which are shown before the warnings. */
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

/** Throws PREVIEW_REQUIRED for a call that writes where the operator lets none. The commit would refuse it as well, but only after all the work. */
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
    // Nothing else is kept of an edit that is only shown, so that a preview of many files holds one of them at a time.
    edits: dryRun ? [] : [edit],
    reviewed: await reviewOne(edit, context, placed),
  }));
  const reviewed = kept.map((one) => one.reviewed);
  return { reviewed, edits: kept.flatMap(({ edits }) => edits), notes, skipped };
}

/** Returns the keys that are inserted beside one that the call names. */
function placedKeys(files: readonly FileEdits[]): readonly string[] {
  const operations = files.flatMap((file) => file.operations.map(({ operation }) => operation));
  return operations.flatMap((one) => (neighbourOf(one) === undefined ? [] : (one.key ?? [])));
}

/** Throws SECRET_PLACEHOLDER: a placeholder stands for a value that the caller does not know, and is never turned back into it. */
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

/** True if the edit writes a placeholder; `replace_text` may keep all those of its old text where they are, or remove all. */
function writesPlaceholder(edit: Readonly<Record<string, unknown>>): boolean {
  const { op, old_text: old, new_text: next, ...rest } = edit;
  if (op !== 'replace_text') return holdsPlaceholder(edit);
  const [before, after] = [old, next].map((text) => `${text}`.match(PLACEHOLDERS)?.join('') ?? '');
  return (after !== '' && before !== after) || holdsPlaceholder(rest);
}

/** Keeps what was planned as a preview, or writes it. Throws any refusal of keeping or writing. */
export function keepOrWrite(planned: Planned, call: EditCall, context: CallContext): Promise<Reply> {
  return call.dryRun ? proposePreview(planned, call, context) : write(planned, call, context);
}

/** At once, without a preview. */
async function write(planned: Planned, call: EditCall, context: CallContext): Promise<Reply> {
  const verdict = verdictOf(planned.reviewed);
  const shown = shownAll(planned, context, true);
  if (verdict === undefined) return noChangeReply(call.request, planned.notes);
  requireDirect(verdict, context.policy);
  if (call.origin.kind === 'edit') await requireNoQuestion(planned, call, context);
  const writes = planned.edits.filter((edit) => !edit.isNoop);
  // This is the last moment at which the client can cancel.
  await context.pause();
  const draft = draftOf(planned, call, shown, requirementsOf(verdict, context.policy), context);
  const { sandbox, requestId } = context;
  const by_rules = rulesApplied(verdict, context.policy);
  const request = { state: stateOf(context), preview: draft, verdict, by_rules, requestId };
  const change_id = await context.criticalSection(() => commitEdits(sandbox, writes, request));
  return appliedReply(shown, { change_id, confirmed_by: 'direct' }, shown.warnings);
}

/** Throws PREVIEW_REQUIRED, with the preview, where a person or the agent has to check whether the result is what was meant. */
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

/** Answers the clues of a refusal that offers a preview instead; undefined where it cannot be kept. */
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

/** Keeps the edits as a preview, and answers it. */
async function proposePreview(planned: Planned, call: EditCall, context: CallContext): Promise<Reply> {
  const shown = shownAll(planned, context);
  const verdict = verdictOf(planned.reviewed);
  if (verdict === undefined) return noChangeReply(call.request, planned.notes);
  const needs = signedAtTerminal(requirementsOf(verdict, context.policy), context);
  // This is the last moment at which the client can cancel.
  await context.pause();
  return context.criticalSection(async () => {
    const saved = await keep(draftOf(planned, call, shown, needs, context), shown, call, context);
    return previewReply(shown, saved, needs);
  });
}

/** What a person at the terminal decides carries a name and a signature if there are reviewers. */
function signedAtTerminal(needs: Requirements, { confirmed, state }: CallContext): Requirements {
  const isSigned = confirmed === 'terminal' && state?.decisions.hasReviewers === true;
  return isSigned ? { ...needs, approval: 'human' } : needs;
}

function shownAll(
  { reviewed, notes }: Planned,
  { policy: { limits }, state }: CallContext,
  isApplied = false,
): Shown {
  const files = reviewed.map(({ file }) => file);
  return shownOf(files, [...notes, ...warningsOf(reviewed, limits)], limits, {
    isApplied,
    isKept: state !== undefined,
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

async function keep(
  draft: PreviewDraft,
  { isWhole, warnings }: Shown,
  { replaces }: EditCall,
  { state, requestId }: CallContext,
): Promise<SavedPreview | NotKept> {
  // A preview that was not shown whole must not be applied.
  if (!isWhole) return 'cut';
  if (state === undefined) return 'read-only';
  if (draft.approval === 'client' && !canBeAsked(draft, warnings)) return 'too long to ask';
  return (await state.previews.save(draft, { request_id: requestId }, replaces)) ?? 'too large';
}
