// Turns the edits of a call into proven edits, one for each file. Each file is read once; `EditChain`
// plans and proves its operations. Nothing is written or kept here.
import { type Cut, cutFor, notesOf, readVersions, stepsOf } from '../adapters/index.ts';
import {
  type Limits,
  maskingReason,
  Refusal,
  requireApart,
  type SafePath,
  type SkippedFile,
  secretTouched,
  secretWritten,
  type VerifiedEdit,
  versionsOf,
} from '../security/index.ts';
import { CallSize } from './call-size.ts';
import { EditChain, type ProvenStep } from './edit-chain.ts';
import { findExact } from './exact-values.ts';
import { MatchedNodes } from './matched-nodes.ts';
import { isOfText } from './not-wanted.ts';
import { type FileEdits, isFound, readBase } from './read-base.ts';
import { locating } from './read-file.ts';
import { requireSecretsKept } from './review-edit.ts';
import { type CallContext, cutSentence } from './tool.ts';
import { inOrderOfTransfers, isOnlyCopied, withCut } from './transfers.ts';

export interface Proven<Kept> {
  /** The answers of `keep`, in the order of the files. */
  readonly kept: readonly Kept[];
  readonly notes: readonly string[];
  /** The files of patterns that were not edited. */
  readonly skipped: readonly SkippedFile[];
}

/**
 * Proves all files or none. Throws the refusals of every step. `keep` answers what is left of an edit when the next file is
 * read, so that memory holds one file with its trees at a time.
 */
export async function proveAll<Kept>(
  files: readonly FileEdits[],
  context: CallContext,
  keep: (edit: VerifiedEdit) => Promise<Kept>,
): Promise<Proven<Kept>> {
  const kept = new Map<string, Kept>();
  const created: SafePath[] = [];
  const size = new CallSize();
  const matched = new MatchedNodes(context.policy.limits, await findExact(files, context));
  const cuts = new Map<number, Cut>();
  const notes = new Set<string>();
  for (const [done, file] of inOrderOfTransfers(files).entries()) {
    if (files.length > 1) context.progress(done, files.length);
    const edit = await proveFile(file, { size, matched, cuts, notes, isOnly: files.length === 1 }, context);
    if (edit === undefined) continue;
    if (edit.fileOp === 'create') created.push(edit.snapshot.path);
    kept.set(file.file, await keep(edit));
  }
  requireApart(created);
  return {
    kept: files.flatMap(({ file }) => kept.get(file) ?? []),
    notes: [...matched.requireWanted(), ...[...notes].slice(0, MAX_NOTES).map(cutSentence)],
    skipped: matched.skipped,
  };
}

const MAX_NOTES = 20;

/** The data that the files of one call share. */
interface Shared {
  readonly size: CallSize;
  readonly matched: MatchedNodes;
  /** The parts that go to another file, by the index of their edit. */
  readonly cuts: Map<number, Cut>;
  /** Whole sentences about the operations. */
  readonly notes: Set<string>;
  /** True if the call has one file, so that progress counts its operations. */
  readonly isOnly: boolean;
}

/** Proves the edits of a file; undefined for a file of a pattern that cannot be read, or in which nothing changes. */
async function proveFile(
  { file, operations, expectedSha256 }: FileEdits,
  { size, matched, cuts, notes, isOnly }: Shared,
  context: CallContext,
): Promise<VerifiedEdit | undefined> {
  const { limits } = context.policy;
  const read = readBase({ file, operations, expectedSha256 }, size, matched, context);
  if (read === undefined) return undefined;
  const chain = new EditChain(read, context);
  for (const [done, planned] of operations.entries()) {
    await context.pause();
    if (isOnly) context.progress(done, operations.length);
    // A pattern may match nothing: where only operations with patterns follow, the steps before them may be the last.
    const isStep =
      planned.bulk === undefined || operations.slice(done + 1).some(({ bulk }) => bulk === undefined);
    try {
      await addOperation(chain, { file, planned, isStep, matched, cuts, notes }, context);
    } catch (error) {
      // An operation before it may be at fault, which only its proof shows.
      if (error instanceof Refusal) await chain.closePlans(true);
      throw error;
    }
  }
  await chain.close(false);
  const { edit } = chain;
  if (edit === undefined || (edit.isNoop && operations.every(isOnlyCopied))) return undefined;
  await requireSecretsKeptBy(chain, limits);
  if (isFound(operations)) size.addFile(read.snapshot.sizeBytes);
  size.addPaths(edit.changes);
  return edit;
}

interface AddedOperation extends Pick<Shared, 'matched' | 'cuts' | 'notes'> {
  readonly file: string;
  readonly planned: FileEdits['operations'][number];
  /** See `Progress`. */
  readonly isStep: boolean;
}

/** Adds one operation of the call to the edit, for each node that it names. Throws its refusals. */
async function addOperation(
  chain: EditChain,
  { file, planned, isStep, matched, cuts, notes }: AddedOperation,
  context: CallContext,
): Promise<void> {
  const { limits } = context.policy;
  const { op, path, to_file: toFile } = planned.operation;
  const whole = { file, path, edit_index: planned.editIndex };
  if (isOfText(planned.operation)) {
    const current = await chain.text(isStep);
    const targets = locating(whole, () => matched.expand(file, current, planned));
    for (const target of targets) locating(whole, () => chain.replace(whole, target));
    return;
  }
  // A pattern may match what the operations before it have made, so that those are proven first.
  if (planned.bulk !== undefined) await chain.close(isStep);
  const current = await chain.fileFor(planned.operation);
  const targets = locating(whole, () => {
    if (toFile !== undefined) cuts.set(planned.editIndex ?? 0, cutFor(current, planned.operation, limits));
    return matched.expand(file, current, withCut(planned, cuts));
  });
  const node = op === 'set' || op === 'rename' ? path : undefined;
  for (const target of targets) {
    const now = await chain.fileFor(target);
    const steps = locating({ ...whole, path: target.path }, () => {
      for (const note of notesOf(now, target, limits)) notes.add(note);
      return stepsOf(now, target, limits);
    });
    for (const step of steps) {
      await context.pause();
      await chain.add({ operation: step, whole, node });
    }
  }
}

/** Throws the refusal of edits that touch masked values, with the first step that does. */
async function requireSecretsKeptBy(chain: EditChain, limits: Limits): Promise<void> {
  const touched = firstTouching(chain.steps, limits);
  if (touched === undefined) return;
  const [step, refusal] = firstTouching(await chain.apart(touched[0]), limits) ?? touched;
  throw ruled(refusal, step);
}

/** Returns the first step whose edit touches a masked value, by halving: each edit includes those before it. */
function firstTouching(
  steps: readonly ProvenStep[],
  limits: Limits,
): readonly [ProvenStep, Refusal] | undefined {
  const touching = (at: number): readonly [ProvenStep, Refusal] | undefined => {
    const step = steps[at];
    if (step === undefined) return undefined;
    const { snapshot, after, fileOp } = step.edit;
    try {
      requireSecretsKept(step.edit, () =>
        readVersions(snapshot.path, versionsOf(fileOp, snapshot.text, after), limits),
      );
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return [step, error];
      throw error;
    }
  };
  let [kept, last] = [-1, steps.length - 1];
  let found = touching(last);
  while (found !== undefined && last - kept > 1) {
    const middle = (kept + last) >> 1;
    const earlier = touching(middle);
    if (earlier === undefined) kept = middle;
    else [last, found] = [middle, earlier];
  }
  return found;
}

const MAX_LINES = 10;

/** Adds to the refusal which rule masks the value; its text is the same whatever the bytes are. */
function ruled(refusal: Refusal, step: ProvenStep): Refusal {
  if (refusal.code !== 'SECRET_PLACEHOLDER') return refusal.at(step.where);
  const { where, node = '', edit } = step;
  const place = node === '' ? undefined : `${edit.snapshot.path.components.join('/')}:${node}`;
  const rule = maskingReason(edit.maskedBy(), place);
  const lines = edit.maskedLines();
  return (lines.length > 0 ? secretWritten(lines.slice(0, MAX_LINES), rule) : secretTouched(rule)).at(where);
}
