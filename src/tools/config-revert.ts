// config_revert undoes an applied change, as a change of its own that is previewed, proven and approved like any other. Later changes
// of the same files stay, or the undo is refused.
import { z } from 'zod';
import { type Conflict, undo } from '../adapters/review/undo.ts';
import type { Change } from '../security/edits/edit.ts';
import { VerifiedEdit } from '../security/edits/verified-edit.ts';
import { Refusal, unlessRefused } from '../security/errors/refusal.ts';
import type { ErrorCode } from '../security/errors/refusals.ts';
import { visibleLine } from '../security/text/visible.ts';
import { shortId } from '../state/canonical.ts';
import type { KeptChange } from '../state/event.ts';
import type { Preview, PreviewFile } from '../state/preview.ts';
import { keepOrWrite, type Planned, requirePreviewed, writesOf } from './edit.ts';
import { CallSize, recordedEdit, snapshotFor } from './file-operations.ts';
import { maskedNow } from './masked-now.ts';
import { ownChange } from './own.ts';
import { locating, readSnapshot } from './read-file.ts';
import { reviewEdits } from './review-edit.ts';
import { type CallContext, dryRunField, reasonField, tool } from './tool.ts';

const undoFields = z.strictObject({
  change_id: z.string().describe('From the reply that applied it'),
  exclude: z.array(z.string()).optional().describe('Files of it that stay as they are'),
});

export const configRevert = tool({
  name: 'config_revert',
  title: 'Undo a change',
  description:
    'Undoes an applied change, as a preview for config_apply. Later changes stay; refused where they conflict.',
  input: undoFields.extend({ dry_run: dryRunField, reason: reasonField }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ change_id: id, exclude = [], reason, dry_run: dryRun }, context) {
    const change = await appliedChange(id, context);
    requirePreviewed({ dryRun }, context);
    const planned = await planUndo(change, exclude, context);
    const isPart = exclude.length > 0;
    const origin = { kind: 'revert', change_id: change.id, ...(isPart ? { part: true } : {}) } as const;
    const request = { change_id: shortId('ch', change.id), ...(isPart ? { exclude } : {}) };
    return keepOrWrite(planned, { dryRun, reason, tool: 'config_revert', request, origin }, context);
  },
});

/** Plans the undo of a preview again, on the files as they are now. Throws what `planUndo` throws. */
export async function planUndoAgain(
  { request }: Pick<Preview, 'request'>,
  context: CallContext,
): Promise<Planned> {
  const { change_id: id, exclude = [] } = undoFields.parse(request);
  return planUndo(await appliedChange(id, context), exclude, context);
}

/** Plans, proves and reviews the undo of all files that are not excluded. Throws what `filesBut` and `undoChange` throw. */
async function planUndo(
  change: KeptChange,
  exclude: readonly string[],
  context: CallContext,
): Promise<Planned> {
  const files = filesBut(new Set(exclude), change);
  const edits = await undoChange({ ...change, files }, exclude, context);
  const reviewed = await reviewEdits(edits, context);
  return { reviewed, writes: writesOf(edits), notes: [], skipped: [] };
}

/** Finds the change. Throws READ_ONLY, CHANGE_NOT_FOUND, or BUSY if it is not finished yet. */
async function appliedChange(id: string, context: CallContext): Promise<KeptChange> {
  const change = await ownChange(id, context);
  if (change === undefined)
    throw new Refusal(
      'CHANGE_NOT_FOUND',
      'Cannot undo this change: none that was applied here has this id, or its record was dropped.',
    );
  if (change.state !== 'open') return change;
  throw new Refusal(
    'BUSY',
    'Cannot undo this change yet: it is being applied, or its process was killed before it could say how it ended.',
    { file: change.files[0]?.file },
    {
      advice: [
        'Repeat the same call in a moment',
        'A start of the server settles what a killed one has left',
      ],
    },
  );
}

/** Returns the files to undo. Throws ARGUMENT_INVALID if an excluded file is not in the change, or if all are excluded. */
function filesBut(exclude: ReadonlySet<string>, { files }: KeptChange): KeptChange['files'] {
  const left = files.filter(({ file }) => !exclude.has(file));
  if (left.length > 0 && left.length + exclude.size === files.length) return left;
  throw new Refusal(
    'ARGUMENT_INVALID',
    'Cannot use exclude: it names files of this change, and not all of them',
  );
}

/** Undoes all files or none. Throws the refusals of reading, FILE_CHANGED for conflicts, and SECRET_PLACEHOLDER. */
async function undoChange(
  change: KeptChange,
  exclude: readonly string[],
  context: CallContext,
): Promise<readonly VerifiedEdit[]> {
  const edits: VerifiedEdit[] = [];
  const inTheWay: Refusal[] = [];
  const size = new CallSize();
  for (const [done, file] of change.files.entries()) {
    await context.pause();
    context.progress(done, change.files.length);
    try {
      const edit = locating({ file: file.file }, () => undoIn(maskedNow(file, context), size, context));
      if (edit !== undefined) edits.push(edit);
    } catch (error) {
      // The other files can be undone without it.
      if (!(error instanceof Refusal) || !IN_THE_WAY.includes(error.code)) throw error;
      inTheWay.push(error);
    }
  }
  const [refusal] = inTheWay;
  if (refusal === undefined) return edits;
  if (inTheWay.length === change.files.length) throw refusal;
  const left = [...exclude, ...inTheWay.map(({ where }) => where.file ?? '')];
  const args = { change_id: shortId('ch', change.id), exclude: left };
  throw refusal.hinting({ again: { do: 'Undo the other files', tool: 'config_revert', arguments: args } });
}

const IN_THE_WAY: readonly ErrorCode[] = [
  'FILE_NOT_FOUND',
  'SYNTAX_INVALID',
  'FILE_CHANGED',
  'SECRET_PLACEHOLDER',
];

/** Undoes one file; undefined if it is undone already and does not exist. */
function undoIn(file: PreviewFile, size: CallSize, context: CallContext): VerifiedEdit | undefined {
  const edit = file.file_op === undefined ? undoEdits(file, size, context) : undoFileOp(file, context);
  try {
    edit?.requireStillMasked();
    return edit;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'SECRET_PLACEHOLDER') throw error;
    throw new Refusal(
      'SECRET_PLACEHOLDER',
      'Cannot undo this change: it removed or changed a masked value, which is not kept',
      { file: file.file },
      { advice: ['Have a person write the value into the file with an editor, and set the rest as it was'] },
    );
  }
}

function undoEdits(file: PreviewFile, size: CallSize, context: CallContext): VerifiedEdit {
  const snapshot = readSnapshot(file.file, context);
  size.addFile(snapshot.sizeBytes);
  const undone = undo(file, snapshot.path, snapshot.text, context.policy.limits);
  if (undone === 'undone already') return VerifiedEdit.prove(snapshot, [], () => []);
  if (typeof undone === 'string') throw conflict(file, REASONS[undone]);
  return VerifiedEdit.prove(snapshot, undone.edits, undone.check);
}

const REASONS: Readonly<Record<Conflict, string>> = {
  'same lines': 'its lines have changed since',
  'other data': 'with what has changed since, other data would change as well',
};

function conflict({ file }: PreviewFile, reason: string): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    `Cannot undo this change in ${visibleLine(file)}: ${reason}. No file was changed.`,
    { file },
    {
      advice: [
        'See what came since with config_get, and set the values that should be as they were',
        'If what came since was applied here too, undo that change first',
      ],
    },
  );
}

/** Deletes a created file if it is unchanged, or restores a deleted one byte for byte if no file has its name. */
function undoFileOp(file: PreviewFile, context: CallContext): VerifiedEdit | undefined {
  const { file: name, base, base_sha256, result_sha256, mode } = file;
  const isCreated = file.file_op === 'create';
  const now = unlessRefused(() => readSnapshot(name, context), ['FILE_NOT_FOUND']);
  if (now?.sha256 === (isCreated ? undefined : base_sha256))
    return now && VerifiedEdit.prove(now, [], () => []);
  if (isCreated ? now?.sha256 !== result_sha256 : now !== undefined)
    throw conflict(file, 'it is not the file that the change has left');
  const undone = isCreated
    ? ({ file_op: 'delete', edits: [{ start: 0, end: now?.text.length ?? 0, insert: '' }] } as const)
    : ({ file_op: 'create', edits: [{ start: 0, end: 0, insert: base }] } as const);
  const change: Change = { op: undone.file_op, doc: 0, path: '', line: 1 };
  const { mode: _, ...rest } = file;
  const back = { ...rest, ...undone, ...(isCreated || mode === undefined ? {} : { mode }) };
  return recordedEdit(back, now ?? snapshotFor(name, 'create', context), () => [change]);
}
