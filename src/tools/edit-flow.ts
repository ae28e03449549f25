// Every edit that a call asks for is read, planned and proven here, then reviewed and shown, and either kept as a preview
// that can be applied, or, where the call asks for it and the operator lets it, written at once. Tools say what is to be
// done; only this file and what it calls can bring it to the disk.
import {
  type ConfigFile,
  type Cut,
  cutFor,
  notesOf,
  type Proof,
  planOperation,
  readResult,
  stepsOf,
} from '../adapters/index.ts';
import {
  type AuditRecord,
  type ChangeDraft,
  commitEdits,
  holdsPlaceholder,
  type Origin,
  previewRequired,
  Refusal,
  requireApart,
  type SavedPreview,
  VerifiedEdit,
} from '../security/index.ts';
import { CallSize } from './call-size.ts';
import { appliedReply, type NotKept, previewReply } from './edit-reply.ts';
import { MatchedNodes } from './matched-nodes.ts';
import { canBeAsked } from './question.ts';
import { type FileEdits, isFound, readBase } from './read-base.ts';
import { locating } from './read-file.ts';
import { type ReviewedEdit, requireNoQuestion, reviewEdits } from './review-edit.ts';
import { type Shown, shownOf, warningsOf } from './shown-edits.ts';
import { type CallContext, cutSentence, type Reply, stateOf } from './tool.ts';
import { inOrderOfTransfers, isOnlyCopied, withCut } from './transfers.ts';

export interface EditRequest extends Omit<Proposal, 'edits' | 'origin'> {
  readonly files: readonly FileEdits[];
}

/** All files or none. Throws the refusals of every step; nothing is written before all is proven. */
export async function runEdits({ files, ...rest }: EditRequest, context: CallContext): Promise<Reply> {
  const { approval } = context.policy;
  requireNoPlaceholder(rest.request);
  // The commit would refuse it as well, after all the work.
  if (!rest.dryRun && approval !== 'direct') throw previewRequired();
  const proven = new Map<string, VerifiedEdit>();
  const size = new CallSize(context.policy.limits);
  const matched = new MatchedNodes();
  const cuts = new Map<number, Cut>();
  const notes = new Set<string>();
  for (const file of inOrderOfTransfers(files)) {
    const edit = await proveFile(file, { size, matched, cuts, notes }, context);
    if (edit !== undefined) proven.set(file.file, edit);
  }
  const edits = files.flatMap(({ file }) => proven.get(file) ?? []);
  requireApart(edits.flatMap(({ fileOp, snapshot }) => (fileOp === 'create' ? [snapshot.path] : [])));
  const said = [...matched.requireWanted(), ...[...notes].slice(0, MAX_NOTES).map(cutSentence)];
  return propose({ ...rest, edits, notes: said, origin: { kind: 'edit' } }, context);
}

/** Throws SECRET_PLACEHOLDER: it stands for a value that the caller does not know, and is never turned back into it. */
function requireNoPlaceholder(request: unknown): void {
  if (holdsPlaceholder(request))
    throw new Refusal(
      'SECRET_PLACEHOLDER',
      'Cannot make this edit: an argument holds <secret:…>, which only stands for a masked value',
      {},
      { advice: ['Leave it out: edit the keys beside it one by one, and use lines without it as old_text'] },
    );
}

const MAX_NOTES = 20;

/** What the files of one call share. */
interface Shared {
  readonly size: CallSize;
  readonly matched: MatchedNodes;
  /** What goes to another file, by the index of its edit. */
  readonly cuts: Map<number, Cut>;
  /** Whole sentences about the operations. */
  readonly notes: Set<string>;
}

/** Undefined for a file of a pattern that cannot be read, or in which nothing is to be changed. */
async function proveFile(
  { file, operations, expectedSha256 }: FileEdits,
  { size, matched, cuts, notes }: Shared,
  context: CallContext,
): Promise<VerifiedEdit | undefined> {
  const { limits, verify } = context.policy;
  const read = readBase({ file, operations, expectedSha256 }, size, matched, context);
  if (read === undefined) return undefined;
  const { snapshot, base, fileOp } = read;
  let edit: VerifiedEdit | undefined;
  for (const [done, planned] of operations.entries()) {
    await context.pause();
    context.progress(done, operations.length);
    // The proof of the step before has parsed the same text.
    const current = (): ConfigFile =>
      edit === undefined ? base : readResult(base, snapshot.path, edit.after, limits);
    const whole = { file, path: planned.operation.path, edit_index: planned.editIndex };
    const targets = locating(whole, () => {
      if (planned.operation.to_file !== undefined)
        cuts.set(planned.editIndex ?? 0, cutFor(current(), planned.operation, limits));
      return matched.expand(file, current(), withCut(planned, cuts));
    });
    // A pattern may match nothing, and what comes last has to find all that differs.
    const isFollowed = operations.slice(done + 1).some(({ bulk }) => bulk === undefined);
    for (const [at, target] of targets.entries()) {
      const steps = locating({ ...whole, path: target.path }, () => {
        for (const note of notesOf(current(), target, limits)) notes.add(note);
        return stepsOf(current(), target, limits);
      });
      for (const [index, step] of steps.entries()) {
        await context.pause();
        const previous = edit;
        const where = { ...whole, path: step.path };
        const isStep = isFollowed || at + 1 < targets.length || index + 1 < steps.length;
        const { edits, check }: Proof = locating(where, () => {
          const progress = { base, current: current(), earlierChanges: previous?.changes ?? [], isStep };
          return planOperation(progress, step, limits, verify);
        });
        // The first time, either half of it takes a while.
        await context.pause();
        edit = locating(where, () =>
          previous === undefined
            ? VerifiedEdit.prove(snapshot, edits, check, { fileOp })
            : previous.and(edits, check),
        );
      }
    }
  }
  if (edit === undefined || (edit.isNoop && operations.every(isOnlyCopied))) return undefined;
  if (isFound(operations)) size.addFile(snapshot.sizeBytes);
  size.addPaths(edit.changes);
  return edit;
}

/** The call that asks for an edit, without what guards it: for asking again. */
export interface Asked {
  readonly tool: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  readonly reason?: string | undefined;
  /** Whole sentences about the call, which stand before the warnings. */
  readonly notes?: readonly string[];
}

export interface Proposal extends Asked {
  /** One a file. */
  readonly edits: readonly VerifiedEdit[];
  readonly dryRun: boolean;
}

/** Throws SCHEMA_VIOLATION, and whatever keeps it from being kept or written. */
export async function propose({ edits, dryRun, ...asked }: Proposal, context: CallContext): Promise<Reply> {
  const reviewed = await reviewEdits(edits, context);
  if (dryRun) return proposePreview(reviewed, asked, context);
  if (asked.origin.kind === 'edit') requireNoQuestion(reviewed);
  const shown = shownAll(reviewed, asked, context);
  const writes = edits.filter((edit) => !edit.isNoop);
  if (writes.length === 0) return previewReply(shown, 'no change', context.policy);
  // The last moment at which the client can cancel.
  await context.pause();
  const draft = { ...draftOf(reviewed, asked, context), confirmed_by: 'direct' } as const;
  const { sandbox, requestId } = context;
  const change_id = context.criticalSection(() =>
    commitEdits(sandbox, writes, { state: stateOf(context), draft, requestId }),
  );
  return appliedReply(shown, { change_id, confirmed_by: 'direct' }, false);
}

/** Keeps reviewed edits as a preview, and answers it. */
export async function proposePreview(
  reviewed: readonly ReviewedEdit[],
  asked: Asked,
  context: CallContext,
): Promise<Reply> {
  const shown = shownAll(reviewed, asked, context);
  if (reviewed.every(({ isNoop }) => isNoop)) return previewReply(shown, 'no change', context.policy);
  // The last moment at which the client can cancel.
  await context.pause();
  return context.criticalSection(() => {
    const saved = keep(draftOf(reviewed, asked, context), shown, asked, context);
    return previewReply(shown, saved, context.policy);
  });
}

function shownAll(
  reviewed: readonly ReviewedEdit[],
  { notes = [] }: Asked,
  { policy: { limits } }: CallContext,
): Shown {
  const files = reviewed.map(({ file }) => file);
  return shownOf(files, [...notes, ...warningsOf(reviewed, limits)], limits);
}

type Draft = Omit<ChangeDraft, 'confirmed_by'>;

/**
 * What a preview and a change both record. A file that does not change is left out: it need not be the same when the
 * rest is applied.
 */
function draftOf(
  reviewed: readonly ReviewedEdit[],
  { origin, reason }: Asked,
  { caller, sandbox }: CallContext,
): Draft {
  const files = reviewed.flatMap(({ file, isNoop }) => (isNoop ? [] : [file]));
  const said = reason === undefined ? {} : { reason };
  return { caller, policy: sandbox.policyFingerprint, origin, ...said, files };
}

function keep(
  draft: Draft,
  { isWhole, warnings }: Shown,
  { tool, request }: Asked,
  context: CallContext,
): SavedPreview | NotKept {
  const { policy, state } = context;
  // Nobody should apply what nobody saw.
  if (!isWhole) return 'cut';
  if (state === undefined) return 'read-only';
  if (policy.approval === 'client' && !canBeAsked(draft, warnings)) return 'too long to ask';
  const saved = state.previews.save({ ...draft, approval: policy.approval, tool, request, warnings }, (id) =>
    recordsOf(id, draft, context),
  );
  return saved ?? 'too large';
}

function recordsOf(
  preview: string,
  { files, reason }: Draft,
  { caller, requestId }: CallContext,
): readonly AuditRecord[] {
  return files.map(({ file, file_op, base_sha256, result_sha256, changes }) => {
    const paths = changes.map(({ path }) => path);
    const hashes = { file_op, base_sha256, result_sha256 };
    const who = { reason, caller, request_id: requestId };
    return { action: 'propose', outcome: 'kept', file, ...hashes, paths, preview, ...who };
  });
}
