// A mark beside the first file of a change, made before the change is begun. A state in a database holds what any of its accounts
// has put there; only a server that writes here can make the mark. Recovery writes nothing for a change without it.
import { canonicalJson, type ExactFile, sha256Hex } from '../../state/index.ts';
import { readPublishedText, unlinkIfThere } from '../locking/published-text.ts';
import { tempNameOf } from '../paths/denylist.ts';
import type { State } from '../state/state.ts';
import type { HeldFolder } from './folders.ts';
import { TempFile } from './temp-file.ts';

/** True if others than the servers of this machine may write to the state. */
export function isShared({ location }: State): boolean {
  return 'postgres' in location.handle;
}

/** Makes the mark durable. It stays until `discard` is called. */
export function markOwn(id: string, exact: readonly ExactFile[], { directory }: HeldFolder): TempFile {
  const mark = new TempFile(directory, markName(id), directory.facts(), Buffer.from(digestOf(id, exact)));
  mark.sync();
  directory.sync();
  return mark;
}

/** True if a server that writes in this folder has begun exactly this change. */
export function isMarkedOwn(
  id: string,
  exact: readonly ExactFile[],
  folder: HeldFolder | undefined,
): boolean {
  return (
    folder !== undefined && readPublishedText(folder.directory, markName(id))?.text === digestOf(id, exact)
  );
}

export function unmark(id: string, folder: HeldFolder | undefined): void {
  if (folder !== undefined) unlinkIfThere(folder.directory, markName(id));
}

function markName(id: string): string {
  return tempNameOf(id, 0, 'own');
}

/** The id covers the record of the change, but not the texts that lead back. */
function digestOf(id: string, exact: readonly ExactFile[]): string {
  return sha256Hex(`${id}\n${canonicalJson(exact)}`);
}
