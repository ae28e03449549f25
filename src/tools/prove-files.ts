// Turns the edits of a call into proven edits, one for each file. Each file is read once; `EditChain` carries out and proves its
// operations. Nothing is written or kept here.
import type { Cut } from '../adapters/edit/taken.ts';
import { readVersions } from '../adapters/formats/registry.ts';
import { cutFor, notesOf } from '../adapters/operations/plan-operation.ts';
import type { Operation } from '../adapters/operations/registry.ts';
import { versionsOf } from '../security/edits/edit.ts';
import type { VerifiedEdit } from '../security/edits/verified-edit.ts';
import { Refusal, unlessRefused, type Where } from '../security/errors/refusal.ts';
import type { SafePath } from '../security/paths/safe-path.ts';
import type { Limits } from '../security/policy/policy.ts';
import { requireApart } from '../security/sandbox/absence.ts';
import { maskingReason, secretTouched, secretWritten } from '../security/secrets/touched-secret.ts';
import type { SkippedFile } from '../state/preview.ts';
import type { FileEdit } from './bulk.ts';
import { type Asked, EditChain } from './edit-chain.ts';
import { findExact } from './exact-values.ts';
import { CallSize, type FileEdits, isFound, readBase } from './file-operations.ts';
import { MatchedNodes } from './matched-nodes.ts';
import { isOfText } from './not-wanted.ts';
import { locating } from './read-file.ts';
import { requireSecretsKept } from './review-edit.ts';
import { type CallContext, cutSentence } from './tool.ts';

interface Proven<Kept> {
  /** The results of `keep`, in the order of the files. */
  readonly kept: readonly Kept[];
  readonly notes: readonly string[];
  /** The files of patterns that were not edited. */
  readonly skipped: readonly SkippedFile[];
}

/**
 * Proves all files or none. Throws the refusals of every step. `keep` returns what to keep of each edit, so that only one file with its
 * trees is in memory at a time.
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
  /** The parts cut for another file, by the index of their edit. */
  readonly cuts: Map<number, Cut>;
  /** Notes about the operations, as whole sentences. */
  readonly notes: Set<string>;
  /** True if the call has one file, so that progress counts its operations. */
  readonly isOnly: boolean;
}

/** Proves the edits of a file; undefined for an unreadable file of a pattern, or if nothing changes. */
async function proveFile(
  { file, operations, expectedSha256 }: FileEdits,
  { size, matched, cuts, notes, isOnly }: Shared,
  context: CallContext,
): Promise<VerifiedEdit | undefined> {
  const { limits } = context.policy;
  const read = readBase({ file, operations, expectedSha256 }, size, matched, context);
  if (read === undefined) return undefined;
  const chain = new EditChain(read, context);
  const adding = { file, matched, cuts, notes, count: isOnly ? operations.length : 0 };
  await addAll(chain, operations, 0, adding, context);
  // Carrying out and proving are each slow the first time, so the call pauses in between.
  await context.pause();
  const edit = chain.prove();
  if (edit === undefined || (edit.isNoop && operations.every(isOnlyCopied))) return undefined;
  requireSecretsKeptBy(chain, edit, limits);
  if (isFound(operations)) size.addFile(read.snapshot.sizeBytes);
  size.addPaths(edit.changes);
  return edit;
}

interface Adding extends Pick<Shared, 'matched' | 'cuts' | 'notes'> {
  readonly file: string;
  /** The number of operations for the progress of the call; 0 if it counts files. */
  readonly count: number;
}

/** Adds operations to the edit, on one reading of the file if they are independent, otherwise in two halves. Throws their refusals. */
async function addAll(
  chain: EditChain,
  operations: FileEdits['operations'],
  done: number,
  adding: Adding,
  context: CallContext,
): Promise<void> {
  await context.pause();
  const { file, count } = adding;
  // Each step reports once, because progress has to increase.
  const report = () => {
    if (count > 0) context.progress(done, count);
  };
  const [first, second] = operations;
  if (first !== undefined && second === undefined) {
    report();
    return addOperation(chain, first, adding, context);
  }
  if (operations.every(isIndependent) && isSettled(chain, operations)) {
    const asked = operations.map(({ operation, editIndex }) =>
      askedFor(operation, { file, path: operation.path, edit_index: editIndex }),
    );
    if (addTogether(chain, asked, adding, context)) return report();
  }
  const half = operations.length >> 1;
  await addAll(chain, operations.slice(0, half), done, adding, context);
  await addAll(chain, operations.slice(half), done + half, adding, context);
}

const INDEPENDENT: ReadonlySet<string> = new Set(['set', 'append', 'insert', 'delete', 'comment', 'rename']);

/** True if it adds no anchors, aliases, or keys that the path of a later operation could mean. */
function isIndependent({ operation, bulk }: FileEdits['operations'][number]): boolean {
  const { op, value = '', key = '' } = operation;
  return bulk === undefined && INDEPENDENT.has(op) && !/[*&]/.test(value) && !/[.[]/.test(key);
}

/** True if no operation can change what another one means: there are no aliases, and no document is chosen by its contents. */
function isSettled(chain: EditChain, operations: FileEdits['operations']): boolean {
  const { documents } = chain.file.stream;
  const isOne = documents.length === 1;
  const isChosen = operations.every(
    ({ operation: { doc } }) => typeof doc === 'number' || (isOne && doc === undefined),
  );
  return isChosen && documents.every(({ aliasTargets }) => aliasTargets.size === 0);
}

function askedFor(operation: Operation, where: Where): Asked {
  const { op, path } = operation;
  return { operation, where, node: op === 'set' || op === 'rename' ? path : undefined };
}

/** Adds operations with their notes. Returns false, and does nothing, if one could depend on another. */
function addTogether(
  chain: EditChain,
  asked: readonly Asked[],
  { notes }: Adding,
  { policy: { limits } }: CallContext,
): boolean {
  const current = chain.file;
  const said = unlessRefused(() => asked.flatMap(({ operation }) => notesOf(current, operation, limits)));
  if (said === undefined || !chain.addTogether(asked)) return false;
  for (const note of said) notes.add(note);
  return true;
}

/** Adds an operation of the call, once for each node that it names. Throws its refusals. */
async function addOperation(
  chain: EditChain,
  planned: FileEdits['operations'][number],
  adding: Adding,
  context: CallContext,
): Promise<void> {
  const { file, matched, cuts, notes } = adding;
  const { limits } = context.policy;
  const { path, to_file: toFile } = planned.operation;
  const where = { file, path, edit_index: planned.editIndex };
  if (isOfText(planned.operation)) {
    const targets = locating(where, () => matched.expand(file, chain.text, planned));
    for (const operation of targets) chain.add({ operation, where });
    return;
  }
  const current = chain.file;
  const targets = locating(where, () => {
    if (toFile !== undefined) cuts.set(planned.editIndex ?? 0, cutFor(current, planned.operation, limits));
    return matched.expand(file, current, withCut(planned, cuts));
  });
  const asked = targets.map((operation) => ({ ...askedFor(planned.operation, where), operation }));
  if (asked.length > 1 && addTogether(chain, asked, adding, context)) return;
  for (const one of asked) {
    locating({ ...where, path: one.operation.path }, () => {
      for (const note of notesOf(chain.file, one.operation, limits)) notes.add(note);
    });
    await context.pause();
    chain.add(one);
  }
}

/** Throws the refusal of an edit that touches masked values, and names the first operation that does. */
function requireSecretsKeptBy(chain: EditChain, edit: VerifiedEdit, limits: Limits): void {
  const refusal = refusalOfSecrets(edit, limits);
  if (refusal === undefined) return;
  const [asked, first] = chain.firstAtFault((one) => refusalOfSecrets(one, limits) !== undefined) ?? [];
  throw ruled(refusalOfSecrets(first ?? edit, limits) ?? refusal, asked, first ?? edit);
}

function refusalOfSecrets(edit: VerifiedEdit, limits: Limits): Refusal | undefined {
  const { snapshot, after, fileOp } = edit;
  try {
    requireSecretsKept(edit, () =>
      readVersions(snapshot.path, versionsOf(fileOp, snapshot.text, after), limits),
    );
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const MAX_LINES = 10;

/** Adds the rule that masks the value to the refusal, whose text does not depend on the masked bytes. */
function ruled(refusal: Refusal, asked: Asked | undefined, edit: VerifiedEdit): Refusal {
  const where = asked === undefined ? {} : { ...asked.where, path: asked.operation.path };
  if (refusal.code !== 'SECRET_PLACEHOLDER') return refusal.at(where);
  const node = asked?.node ?? '';
  const place = node === '' ? undefined : `${edit.snapshot.path.components.join('/')}:${node}`;
  const rule = maskingReason(edit.maskedBy(), place);
  const lines = edit.maskedLines();
  return (lines.length > 0 ? secretWritten(lines.slice(0, MAX_LINES), rule) : secretTouched(rule)).at(where);
}

interface Transferring {
  readonly file: string;
  readonly operations: readonly FileEdit[];
}

/**
 * Orders files so that the source of a move or a copy is planned first, and the result of earlier edits arrives. Throws
 * ARGUMENT_INVALID where files give to each other both ways, so that neither can come first.
 */
function inOrderOfTransfers<Edits extends Transferring>(files: readonly Edits[]): readonly Edits[] {
  const left = [...files];
  const ordered: Edits[] = [];
  while (left.length > 0) {
    const waits = ({ operations }: Edits) =>
      operations.some(({ comesFrom }) => left.some(({ file }) => file === comesFrom));
    const next = left.findIndex((edits) => !waits(edits));
    if (next === -1)
      throw new Refusal(
        'ARGUMENT_INVALID',
        'Cannot move or copy between these files both ways in one call: send one call for each way',
      );
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}

/** Adds the part that was cut for it to an edit that takes one from another file. */
function withCut(edit: FileEdit, cuts: ReadonlyMap<number, Cut>): FileEdit {
  const cut = edit.comesFrom === undefined ? undefined : cuts.get(edit.editIndex ?? 0);
  return cut === undefined ? edit : { ...edit, operation: { ...edit.operation, cut } };
}

/** True if the edit does not change its own file. */
function isOnlyCopied({ operation: { op, to_file: toFile } }: FileEdit): boolean {
  return op === 'copy' && toFile !== undefined;
}
