// Describes in a reply what changed in a file since, and which of that conflicts with a change.
import type { Conflict, Drift } from '../adapters/index.ts';
import { type Change, type DriftedFile, visibleLine } from '../security/index.ts';

export interface FileConflict extends Conflict {
  readonly file: string;
}

const MOST_NAMED = 3;
const MOST_LISTED = 50;

/** Writes the rest of "Cannot …: ". */
export function describeConflict({ file, reason, drift }: FileConflict): string {
  const name = visibleLine(file);
  switch (reason) {
    case 'same place':
      return drift.isOtherCount
        ? `documents of ${name} came or went since, and one that is meant has no kind and name of its own to be known by`
        : `${name} has changed at the same place since: ${someOf(drift)}`;
    case 'same lines':
      return `the lines of this change have changed since in ${name}, if not their values`;
    case 'other file':
      return `${name} is not the file that this change is about: it has changed since`;
    case 'not the same change':
      return `together with what has changed since in ${name}, it would be another change`;
  }
}

function someOf({ meeting }: Drift): string {
  const first = meeting.slice(0, MOST_NAMED).map(whatCame);
  const rest = meeting.length - first.length;
  return rest === 0 ? first.join(', ') : `${first.join(', ')} and ${rest} more changes`;
}

const CAME: Partial<Record<Change['op'], string>> = { add: 'added', replace: 'replaced', remove: 'removed' };

function whatCame({ op, path, from = '' }: Change): string {
  const where = visibleLine(path === '' ? 'the root' : path);
  return op === 'rename'
    ? `${visibleLine(from)} was renamed to ${where}`
    : `${where} was ${CAME[op] ?? 'changed'}`;
}

interface Compared {
  readonly file: string;
  readonly drift: Drift;
  readonly reason?: Conflict['reason'];
}

/** Answers the changed paths without values. Files that were replaced as a whole are left out, because nobody has compared them. */
export function driftedFiles(files: readonly Compared[]): readonly DriftedFile[] {
  return files
    .filter(({ reason }) => reason !== 'other file')
    .map(({ file, drift: { changes, meeting } }) => ({
      file,
      changes: changes.slice(0, MOST_LISTED).map(({ op, doc, path }) => ({ op, doc, path })),
      meeting: meeting.slice(0, MOST_LISTED).map(({ path }) => path),
    }));
}
