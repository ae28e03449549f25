// Runs the call of a preview again if its files have changed since. If it makes the same changes to the same old values, the result is
// kept as a new preview; otherwise it is a conflict, which names the differences.

import { unmatched } from '../adapters/tree/unmatched.ts';
import { cutText } from '../adapters/tree/wording.ts';
import { proposersOf, repeatedCallOf, type StoredPreview } from '../security/approval/preview.ts';
import type { Change } from '../security/edits/edit.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { ErrorCode } from '../security/errors/refusals.ts';
import type { Snapshot } from '../security/sandbox/snapshot.ts';
import { visibleLine } from '../security/text/visible.ts';
import type { KeptFile } from '../state/preview.ts';
import { planUndoAgain } from './config-revert.ts';
import { type Planned, planEdits, previewInstead } from './edit.ts';
import { recordedFiles } from './edit-batch.ts';
import type { CallContext } from './tool.ts';

/** A file of a preview, and as it is now. */
export interface CurrentFile {
  readonly file: KeptFile;
  readonly snapshot: Snapshot;
}

/** Returns the FILE_CHANGED to throw; `file` is one that has changed. */
export async function refusalOfChanged(
  stored: StoredPreview,
  { file: { file }, snapshot: { sha256: actualSha256 } }: CurrentFile,
  context: CallContext,
): Promise<Refusal> {
  const { record } = stored;
  const again = repeatedCallOf(record);
  const changed = (more: string, clues: object) =>
    new Refusal(
      'FILE_CHANGED',
      `Cannot apply this preview: ${visibleLine(file)} has changed since${more}. Nothing was written.`,
      { file },
      { actualSha256, ...clues },
    );
  const { origin, tool, reason } = record;
  const request: Readonly<Record<string, unknown>> = { ...Object(record.request) };
  if (origin.kind === 'part') return changed(', and a part of a preview is not made again', { again });
  const planned = await callAgain(stored, context).catch(refusalOrThrow);
  if (planned instanceof Refusal) {
    const { message, where, clues } = planned;
    const why = message.replace(/\.$/u, '');
    return changed(`, and the call is refused on it now. ${why}`, { problems: clues.problems ?? [] }).at(
      where,
    );
  }
  const now = planned.reviewed.flatMap(({ file: one, isNoop }) => (isNoop ? [] : [one]));
  const different = differences(record.files, now);
  if (different.length > 0)
    return changed(', and the same call would make another change now', { different, again });
  const call = { tool, request, origin, reason, proposers: proposersOf(record), replaces: stored.id };
  const anew = await previewInstead(planned, { ...call, dryRun: true }, context);
  if (anew === undefined) return changed(', and the change is too large to be previewed again', { again });
  const isForPerson = record.approval === 'human';
  const waits = 'The new preview waits for the approval of a person again';
  return changed('. The same change is previewed again for the files as they are now', {
    ...anew,
    advice: ['Look at the new preview, and apply that', ...(isForPerson ? [waits] : [])],
  });
}

/** Plans the call of the preview again, without its `expected_sha256`. Throws the refusals of every step. */
async function callAgain({ record }: StoredPreview, context: CallContext): Promise<Planned> {
  const { origin } = record;
  if (origin.kind !== 'revert') return planEdits(recordedFiles(record, context), { dryRun: true }, context);
  return planUndoAgain(record, context);
}

const STAY: readonly ErrorCode[] = [
  ...(['POLICY_DENIED', 'SECRET_PLACEHOLDER', 'PATH_DENIED', 'READ_ONLY', 'APPROVAL_UNAVAILABLE'] as const),
  ...(['BUSY', 'TIMEOUT', 'NO_SPACE', 'PERMISSION_DENIED', 'IO_ERROR', 'INTERNAL'] as const),
];

/** Returns a refusal that concerns the request. Throws any other, such as one of the policy or of a time limit. */
function refusalOrThrow(error: unknown): Refusal {
  if (error instanceof Refusal && !STAY.includes(error.code)) return error;
  throw error;
}

const MOST_LISTED = 20;
const MOST_CHARS = 100;

interface Placed {
  readonly place: string;
  readonly line: string;
}

/** Names what only one of the two changes; empty if they are equal. */
function differences(shown: readonly KeptFile[], now: readonly KeptFile[]): readonly string[] {
  const placesIn = (files: readonly KeptFile[]): readonly Placed[] =>
    files.flatMap(({ file, places, changes }) =>
      [undefined, ...changes].map((change, at) => ({
        place: JSON.stringify([file, at === 0 ? '' : places[at - 1]]),
        line: describe(file, change),
      })),
    );
  const [old, next] = [placesIn(shown), placesIn(now)];
  return [...only('Previewed', old, next), ...only('Now', next, old)];
}

function only(title: string, some: readonly Placed[], others: readonly Placed[]): readonly string[] {
  const lines = unmatched(some, others, ({ place }) => place).map(({ line }) => `${title}: ${line}`);
  const left = lines.length - MOST_LISTED;
  return left > 0 ? [...lines.slice(0, MOST_LISTED), `${title}: and ${left} more`] : lines;
}

function describe(file: string, change: Change | undefined): string {
  if (change === undefined) return `${visibleLine(file)}: comments or layout`;
  const { op, path, from, to } = change;
  const values = [from, to].flatMap((value) => (value === undefined ? [] : cutText(value, MOST_CHARS)));
  return visibleLine(`${file}: ${op} ${path} ${values.join(' → ')}`.trimEnd());
}
