// The way of every edit: read, plan, prove, show, and write only when asked to. Tools say what is to be
// done; only this file and what it calls can bring it to the disk.
import { type Operation, planOperation, readConfigFile, unifiedDiff } from '../adapters/index.ts';
import { type Change, Refusal, type Snapshot, VerifiedEdit } from '../security/index.ts';
import { locating, readSnapshot } from './read-file.ts';
import type { Desk, Reply } from './tool.ts';

/** Operations on one file, in order: later ones see what earlier ones made of it. */
export interface FileEdits {
  readonly file: string;
  readonly operations: readonly { readonly operation: Operation; readonly editIndex?: number }[];
  readonly expectedSha256: string | undefined;
}

export interface EditRequest {
  readonly files: readonly FileEdits[];
  readonly dryRun: boolean;
  /** The call that writes what this preview shows, guarded by the sha256 of each file. */
  readonly applyCall: (bases: Readonly<Record<string, string>>) => {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  };
}

/** All files or none. Throws the refusals of every step; nothing is written before all is proven. */
export function runEdits(request: EditRequest, desk: Desk): Reply {
  const edits = request.files.map((file, i) => {
    desk.signal.throwIfAborted();
    desk.progress(i, request.files.length);
    return proveFile(file, desk);
  });
  const shown = edits.map((edit) => show(edit, desk));
  const isNoop = edits.every((edit) => edit.isNoop);
  if (request.dryRun || isNoop) return previewReply(request, edits, shown, isNoop);
  desk.sandbox.commit(edits, { requestId: desk.requestId });
  return appliedReply(shown);
}

function proveFile({ file, operations, expectedSha256 }: FileEdits, desk: Desk): VerifiedEdit {
  const { limits } = desk.policy;
  const snapshot = readSnapshot(file, desk);
  assertExpected(snapshot, expectedSha256, file);
  const base = locating({ file }, () => readConfigFile(snapshot.path, snapshot.text, limits));
  let edit: VerifiedEdit | undefined;
  for (const { operation, editIndex } of operations) {
    desk.signal.throwIfAborted();
    edit = locating({ file, path: operation.path, edit_index: editIndex }, () => {
      const current = edit === undefined ? base : readConfigFile(snapshot.path, edit.after, limits);
      const progress = { base, current, earlierChanges: edit?.changes ?? [] };
      const { edits, check } = planOperation(progress, operation, limits);
      return edit === undefined ? VerifiedEdit.prove(snapshot, edits, check) : edit.and(edits, check);
    });
  }
  return edit ?? VerifiedEdit.prove(snapshot, [], () => []);
}

function assertExpected(snapshot: Snapshot, expected: string | undefined, file: string): void {
  if (expected === undefined || snapshot.sha256 === expected) return;
  throw new Refusal(
    'FILE_CHANGED',
    'Cannot edit this file: it is not the one that expected_sha256 names',
    { file },
    { actualSha256: snapshot.sha256 },
  );
}

interface ShownFile {
  readonly file: string;
  readonly diff: string;
  readonly diff_truncated: boolean;
  readonly base_sha256: string;
  readonly result_sha256: string;
  readonly changes: readonly Change[];
  readonly bytes_changed_outside_edits: 0;
}

function show(edit: VerifiedEdit, { policy }: Desk): ShownFile {
  const { snapshot, after, edits, changes, resultSha256, isNoop } = edit;
  const file = snapshot.path.toString();
  const diff = unifiedDiff(file, snapshot.text, after, edits);
  const isLong = diff.length > policy.limits.replyChars;
  return {
    file,
    diff: isLong
      ? `${diff.slice(0, policy.limits.replyChars).toWellFormed()}\n… the diff is longer than a reply may be\n`
      : diff,
    diff_truncated: isLong,
    base_sha256: snapshot.sha256,
    result_sha256: resultSha256,
    changes: isNoop ? [] : changes,
    bytes_changed_outside_edits: 0,
  };
}

function previewReply(
  request: EditRequest,
  edits: readonly VerifiedEdit[],
  shown: readonly ShownFile[],
  isNoop: boolean,
): Reply {
  const data = { ok: true, dry_run: request.dryRun, applied: false, files: shown, warnings: [] } as const;
  if (isNoop) return { text: 'No change: the file already says this. Nothing was written.', data };
  const diffs = shown.map(({ diff }) => diff).join('');
  // Nobody should write what nobody saw: a diff that was cut comes without the call that applies it.
  if (shown.some((file) => file.diff_truncated))
    return { text: `Preview, cut: nothing was written.\n${diffs}`, data };
  const next = request.applyCall(
    Object.fromEntries(edits.map(({ snapshot }, i) => [request.files[i]?.file ?? '', snapshot.sha256])),
  );
  const text = `Preview: ${summary(shown)}; nothing was written.\n${diffs}To write it, send "next": the same call with dry_run false`;
  return { text, data: { ...data, next } };
}

function appliedReply(shown: readonly ShownFile[]): Reply {
  const text = `Applied: ${summary(shown)}.\n${shown.map(({ diff }) => diff).join('')}`;
  return {
    text,
    data: { ok: true, dry_run: false, applied: true, confirmed_by: 'direct', files: shown, warnings: [] },
  };
}

function summary(shown: readonly ShownFile[]): string {
  const paths = shown.reduce((sum, { changes }) => sum + changes.length, 0);
  return `${count(paths, 'path')} in ${count(shown.length, 'file')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
