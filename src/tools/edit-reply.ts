// What an edit answers: the diff first, then what the diff does not say by itself.
import { describeEdit, readConfigFile, unifiedDiff } from '../adapters/index.ts';
import { type Change, type VerifiedEdit, visible } from '../security/index.ts';
import type { EditRequest } from './edit-flow.ts';
import type { Desk, Reply } from './tool.ts';

/** One file of the reply, in the words of the wire contract. */
export interface ShownFile {
  readonly file: string;
  readonly diff: string;
  readonly diff_truncated: boolean;
  readonly base_sha256: string;
  readonly result_sha256: string;
  readonly changes: readonly Change[];
  readonly bytes_changed_outside_edits: 0;
  readonly removed_comments: readonly string[];
  readonly also_affects: readonly string[];
  readonly warnings: readonly string[];
}

const MAX_LISTED = 10;

/** `notes`: further warnings, in whole sentences. */
export function showEdit(edit: VerifiedEdit, notes: readonly string[], { policy }: Desk): ShownFile {
  const { snapshot, after, edits, changes, resultSha256, isNoop } = edit;
  const { limits } = policy;
  const file = snapshot.path.toString();
  const diff = unifiedDiff(file, snapshot.text, after, edits);
  const isLong = diff.length > limits.replyChars;
  const base = readConfigFile(snapshot.path, snapshot.text, limits);
  const result = readConfigFile(snapshot.path, after, limits);
  const { alsoAffects, removedComments, warnings } = describeEdit(base, result, edit);
  return {
    file,
    diff: isLong
      ? `${diff.slice(0, limits.replyChars).toWellFormed()}\n… the diff is longer than a reply may be\n`
      : diff,
    diff_truncated: isLong,
    base_sha256: snapshot.sha256,
    result_sha256: resultSha256,
    changes: isNoop ? [] : changes.map(showChange),
    // Not counted but proven: VerifiedEdit compares every byte outside the edits.
    bytes_changed_outside_edits: 0,
    removed_comments: removedComments.map(visible),
    also_affects: alsoAffects.map(visible),
    warnings: [...warnings, ...notes].map(visible),
  };
}

function showChange({ from, to, ...change }: Change): Change {
  return {
    ...change,
    ...(from === undefined ? {} : { from: visible(from) }),
    ...(to === undefined ? {} : { to: visible(to) }),
  };
}

export function previewReply(
  request: EditRequest,
  shown: readonly ShownFile[],
  isNoop: boolean,
  isReadOnly: boolean,
): Reply {
  const data = { ok: true, dry_run: request.dryRun, applied: false, ...filesAndWarnings(shown) } as const;
  if (isNoop)
    return {
      text: `No change: ${shown.length === 1 ? 'the file says' : 'the files say'} this already. Nothing was written.`,
      data,
    };
  // Nobody should write what nobody saw: a diff that was cut comes without the call that applies it.
  if (shown.some((file) => file.diff_truncated))
    return { text: `Preview, cut: nothing was written.\n${diffs(shown)}`, data };
  const heading = `Preview: ${summary(shown)}; nothing was written.`;
  if (isReadOnly)
    return { text: `${heading}\n${diffs(shown)}This server is read-only: hand the diff to a person.`, data };
  const bases = Object.fromEntries(shown.map(({ file, base_sha256 }) => [file, base_sha256]));
  const next = request.applyCall(bases);
  // Some models see the text only: what guards the write must stand in it.
  const guard = shown.length === 1 ? shown[0]?.base_sha256 : JSON.stringify(bases);
  const text = `${heading}\n${diffs(shown)}To write it: the same call with dry_run false and expected_sha256 ${guard}`;
  return { text, data: { ...data, next } };
}

export function appliedReply(shown: readonly ShownFile[]): Reply {
  const data = {
    ok: true,
    dry_run: false,
    applied: true,
    confirmed_by: 'direct',
    ...filesAndWarnings(shown),
  } as const;
  return { text: `Applied: ${summary(shown)}.\n${diffs(shown)}`, data };
}

function filesAndWarnings(shown: readonly ShownFile[]) {
  const warnings = shown.flatMap(({ file, warnings: own }) =>
    own.map((warning) => (shown.length === 1 ? warning : `${file}: ${warning}`)),
  );
  return { files: shown.map(({ warnings: _, ...file }) => file), warnings };
}

/** Every diff with its notes below it. */
function diffs(shown: readonly ShownFile[]): string {
  return shown
    .map(({ diff, also_affects, removed_comments, warnings }) =>
      [
        diff,
        ...noteLines('Also changes, through an alias or merge', also_affects),
        ...noteLines('Comments that go', removed_comments),
        ...warnings.map((warning) => `Warning: ${warning}\n`),
      ].join(''),
    )
    .join('');
}

function noteLines(label: string, notes: readonly string[]): string[] {
  if (notes.length === 0) return [];
  const more = notes.length > MAX_LISTED ? `; and ${notes.length - MAX_LISTED} more` : '';
  return [`${label}: ${notes.slice(0, MAX_LISTED).join('; ')}${more}\n`];
}

function summary(shown: readonly ShownFile[]): string {
  const paths = shown.reduce((sum, { changes }) => sum + changes.length, 0);
  const changed = shown.filter(({ diff }) => diff !== '').length;
  const same = shown.length - changed;
  return `${count(paths, 'path')} in ${count(changed, 'file')}${same === 0 ? '' : ` (${same} more without a change)`}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
