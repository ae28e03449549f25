// How many previews may be kept, and whether there is room for one more without looking at all of them.
import type { StateFolder } from '../records/state-folder.ts';

/** What a preview may push out, and is pushed out by. */
export interface PreviewKind {
  readonly roots: string;
  readonly isForPerson: boolean;
}

/** Of one kind. */
export interface PreviewBounds {
  readonly previews: number;
  readonly totalBytes: number;
  readonly previewBytes: number;
}

export const PREVIEW_BOUNDS: PreviewBounds = { previews: 500, totalBytes: 64e6, previewBytes: 16e6 };

/** What was found when somebody last looked, with what was kept since; and of that, what is new. */
interface Estimate extends PreviewKind {
  readonly count: number;
  readonly bytes: number;
  readonly newCount: number;
  readonly newBytes: number;
}

const estimates = new WeakMap<StateFolder, Estimate>();

export function noteEstimate(folder: StateFolder, kind: PreviewKind, count: number, bytes: number): void {
  estimates.set(folder, { ...kind, count, bytes, newCount: 0, newBytes: 0 });
}

/** Others may keep previews here as well: so the estimate is good for a tenth of the bounds. Then somebody has to look. */
export function hasRoom(
  folder: StateFolder,
  kind: PreviewKind,
  { previews, totalBytes }: PreviewBounds,
  addedBytes: number,
): boolean {
  const last = estimates.get(folder);
  if (last === undefined || !isSameKind(last, kind)) return false;
  const count = last.count + 1;
  const bytes = last.bytes + addedBytes;
  const newCount = last.newCount + 1;
  const newBytes = last.newBytes + addedBytes;
  const isGood = newCount <= previews / 10 && newBytes <= totalBytes / 10;
  if (!isGood || count > previews || bytes > totalBytes) return false;
  estimates.set(folder, { ...last, count, bytes, newCount, newBytes });
  return true;
}

export function isSameKind(a: PreviewKind, b: PreviewKind): boolean {
  return a.roots === b.roots && a.isForPerson === b.isForPerson;
}
