// Every edit of a call is read, planned and proven here, then reviewed and shown. Then it is kept as a preview that can be
// applied, or written at once where the call asks for it and the operator allows it. Tools say what is to be done; only this
// file and what it calls can write it.
import { isQuestion } from '../adapters/index.ts';
import {
  type ChangeDraft,
  type Clues,
  commitEdits,
  holdsPlaceholder,
  leastLevel,
  type Origin,
  PLACEHOLDERS,
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
import { type ReviewedEdit, reviewEdits, reviewOne, verdictOf } from './review-edit.ts';
import { rulesApplied } from './rule-notes.ts';
import { type Shown, shownOf, warningsOf } from './shown-edits.ts';
import { type CallContext, cutSentence, type Reply, stateOf } from './tool.ts';

export interface EditRequest extends Omit<Proposal, 'edits' | 'origin'> {
  readonly files: readonly FileEdits[];
}

/** Runs all files or none. Throws the refusals of every step; nothing is written before all is proven. */
export async function runEdits({ files, ...rest }: EditRequest, context: CallContext): Promise<Reply> {
  requireNoPlaceholder(rest.request);
  // The commit would refuse it as well, but only after all the work.
  if (!rest.dryRun && leastLevel(context.policy) !== 'direct') throw previewRequired();
  const asked = { ...rest, origin: { kind: 'edit' } } as const;
  const { kept, notes, skipped } = await proveAll(files, context, async (edit) => ({
    // Nothing else is kept of an edit that is only shown, so that a preview of many files holds one of them at a time.
    edit: rest.dryRun ? undefined : edit,
    reviewed: await reviewOne(edit, context, placedKeys(files)),
  }));
  const reviewed = kept.map((one) => one.reviewed);
  const noted = { ...asked, notes, skipped };
  if (rest.dryRun) return proposePreview(reviewed, noted, context);
  return write(
    kept.flatMap(({ edit }) => edit ?? []),
    reviewed,
    noted,
    context,
  );
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

/** The call that asks for an edit, without its guards, for asking again. */
export interface Asked {
  readonly tool: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  readonly reason?: string | undefined;
  /** The names of those who took part in it beside the caller. */
  readonly proposers?: readonly string[];
  /** The full id of the preview whose place it takes. */
  readonly replaces?: string;
  /** Whole sentences about the call, which are shown before the warnings. */
  readonly notes?: readonly string[];
  /** The files of patterns that were not edited. */
  readonly skipped?: readonly SkippedFile[];
}

export interface Proposal extends Asked {
  /** One edit for each file. */
  readonly edits: readonly VerifiedEdit[];
  readonly dryRun: boolean;
}

/** Keeps or writes edits. Throws SCHEMA_VIOLATION, and any refusal of keeping or writing. */
export async function propose({ edits, dryRun, ...asked }: Proposal, context: CallContext): Promise<Reply> {
  const reviewed = await reviewEdits(edits, context);
  return dryRun ? proposePreview(reviewed, asked, context) : write(edits, reviewed, asked, context);
}

/** At once, without a preview. */
async function write(
  edits: readonly VerifiedEdit[],
  reviewed: readonly ReviewedEdit[],
  asked: Asked,
  context: CallContext,
): Promise<Reply> {
  const verdict = verdictOf(reviewed);
  const shown = shownAll(reviewed, asked, context, true);
  if (verdict === undefined) return noChangeReply(asked.request, asked.notes);
  requireDirect(verdict, context.policy);
  if (asked.origin.kind === 'edit') await requireNoQuestion(reviewed, asked, context);
  const writes = edits.filter((edit) => !edit.isNoop);
  // This is the last moment at which the client can cancel.
  await context.pause();
  const rules = rulesApplied(verdict, context.policy);
  const draft = { ...draftOf(reviewed, asked, context), ...rules, confirmed_by: 'direct' } as const;
  const { sandbox, requestId } = context;
  const request = { state: stateOf(context), draft, verdict, requestId };
  const change_id = await context.criticalSection(() => commitEdits(sandbox, writes, request));
  return appliedReply(shown, { change_id, confirmed_by: 'direct' }, shown.warnings);
}

/** Throws PREVIEW_REQUIRED, with the preview, where a person or the agent has to check whether the result is what was meant. */
async function requireNoQuestion(
  reviewed: readonly ReviewedEdit[],
  asked: Asked,
  context: CallContext,
): Promise<void> {
  const asking = reviewed.map((one) => ({ ...one, warnings: one.warnings.filter(isQuestion) }));
  const noted = asked.notes?.filter(isQuestion) ?? [];
  const questions = [...noted, ...warningsOf(asking, context.policy.limits)];
  if (questions.length === 0) return;
  throw new Refusal(
    'PREVIEW_REQUIRED',
    'Cannot write this at once: there is a question about it. Look at the preview, and apply it if it is what you mean.',
    {},
    { ...(await previewInstead(reviewed, asked, context)), advice: questions.map(cutSentence) },
  );
}

/** Answers the clues of a refusal that offers a preview instead; undefined where it cannot be kept. */
export async function previewInstead(
  reviewed: readonly ReviewedEdit[],
  asked: Asked,
  context: CallContext,
): Promise<Pick<Clues, 'previewId' | 'preview' | 'diff'> | undefined> {
  const { data } = await proposePreview(reviewed, asked, context);
  const { ok: _, dry_run: __, summary: ___, sha256: ____, ...preview } = data;
  const { preview_id: id, diff } = preview;
  return typeof id === 'string' && typeof diff === 'string' ? { previewId: id, preview, diff } : undefined;
}

/** Keeps reviewed edits as a preview, and answers it. */
async function proposePreview(
  reviewed: readonly ReviewedEdit[],
  asked: Asked,
  context: CallContext,
): Promise<Reply> {
  const shown = shownAll(reviewed, asked, context);
  const verdict = verdictOf(reviewed);
  if (verdict === undefined) return noChangeReply(asked.request, asked.notes);
  const needs = signedAtTerminal(requirementsOf(verdict, context.policy), context);
  // This is the last moment at which the client can cancel.
  await context.pause();
  return context.criticalSection(async () => {
    const saved = await keep({ ...draftOf(reviewed, asked, context), ...needs }, shown, asked, context);
    return previewReply(shown, saved, needs);
  });
}

/** What a person at the terminal decides carries a name and a signature if there are reviewers. */
function signedAtTerminal(needs: Requirements, { confirmed, state }: CallContext): Requirements {
  const isSigned = confirmed === 'terminal' && state?.decisions.hasReviewers === true;
  return isSigned ? { ...needs, approval: 'human' } : needs;
}

function shownAll(
  reviewed: readonly ReviewedEdit[],
  { notes = [] }: Asked,
  { policy: { limits }, state }: CallContext,
  isApplied = false,
): Shown {
  const files = reviewed.map(({ file }) => file);
  return shownOf(files, [...notes, ...warningsOf(reviewed, limits)], limits, {
    isApplied,
    isKept: state !== undefined,
  });
}

type Draft = Omit<ChangeDraft, 'confirmed_by'>;

/** Answers what a preview and a change both record. Unchanged files are left out: they need not be the same when the rest is applied. */
function draftOf(
  reviewed: readonly ReviewedEdit[],
  { origin, reason }: Asked,
  { caller, sandbox }: CallContext,
): Draft {
  const files = reviewed.flatMap(({ file, isNoop }) => (isNoop ? [] : [file]));
  const said = reason === undefined ? {} : { reason };
  return { caller, policy: sandbox.policyFingerprint, origin, ...said, files };
}

async function keep(
  draft: Draft & Requirements,
  { isWhole, warnings }: Shown,
  { tool, request, proposers = [], replaces, skipped = [] }: Asked,
  context: CallContext,
): Promise<SavedPreview | NotKept> {
  const { state } = context;
  // A preview that was not shown whole must not be applied.
  if (!isWhole) return 'cut';
  if (state === undefined) return 'read-only';
  if (draft.approval === 'client' && !canBeAsked(draft, warnings)) return 'too long to ask';
  const saved = await state.previews.save(
    {
      ...draft,
      ...withProposers(proposers),
      ...{ tool, request, warnings },
      ...(skipped.length === 0 ? {} : { skipped }),
    },
    { request_id: context.requestId },
    replaces,
  );
  return saved ?? 'too large';
}
