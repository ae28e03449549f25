// What was changed of a file lately, from the records of changes at the times that the trail says: for rules that count it.
// What was dropped, cannot be read, or is too much to read, is unknown, and so is all that came before it.
import type { PreviewFile } from '../approval/preview.ts';
import { fileKey } from '../audit/past-changes.ts';
import { changeIds } from './change-store.ts';
import type { State } from './state.ts';

export interface PastFile {
  /** When the change was recorded. */
  readonly at: string;
  readonly file: PreviewFile;
}

export interface PastOfFile {
  readonly now: string;
  /** Newest first. */
  readonly changes: readonly PastFile[];
  /** What was changed until then is not known; empty where everything is. */
  readonly knownSince: string;
}

/** Of all texts together: who asks reads each of them. */
const MOST_CHARS = 4e6;

/** By changes of the same roots, in any spelling of the file's name. `except`: the id of one that does not count. */
export function pastOfFile(
  { changes, trail, dir }: Pick<State, 'changes' | 'trail' | 'dir'>,
  file: string,
  except?: string,
): PastOfFile {
  const { changes: recorded, knownSince, now } = trail.changesOf(file);
  const key = fileKey(file);
  // Of what is being recorded in this moment, and of what a power cut took the records: it counts as made now.
  const unrecorded = changeIds(dir.changes).filter((id) => !trail.hasChange(id));
  const all = [...unrecorded.map((id) => ({ id, at: now })), ...recorded];
  const found: PastFile[] = [];
  let chars = 0;
  for (const { id, at: time } of all.filter(({ id }) => id !== except)) {
    const change = chars > MOST_CHARS ? undefined : changes.find(id);
    if (change === undefined && changes.isForeign(id)) continue;
    if (change === undefined) return { now, changes: found, knownSince: later(time, knownSince) };
    const files = change.files.filter(({ file: name }) => fileKey(name) === key);
    found.push(...files.map((one) => ({ at: time, file: one })));
    chars += files.reduce((sum, { base }) => sum + base.length, 0);
  }
  return { now, changes: found, knownSince };
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
