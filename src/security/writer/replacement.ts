// One file that is about to be replaced, created or deleted, or put back. Its new contents are written under a temporary name beside
// it, with owner and mode; `publish` gives it its name, and `discard` removes it. The file itself stays as it is until `publish`.
import type { Turns } from '../../state/driver.ts';
import { ioRefusal, Refusal } from '../errors/refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { fileExists } from '../sandbox/absence.ts';
import { isSameState } from '../sandbox/plain-file.ts';
import { foldComponent } from '../text/look-alikes.ts';
import type { Folders, HeldFolder } from './folders.ts';
import type { OwnerAndMode } from './permission.ts';
import { TempFile } from './temp-file.ts';

interface Plan {
  readonly path: SafePath;
  readonly folder: HeldFolder;
  /** The file as it is now; undefined if there is none. */
  readonly present: FileFacts | undefined;
  /** Its new contents; undefined if it is to be deleted. */
  readonly contents: (() => Uint8Array) | undefined;
  readonly like: OwnerAndMode;
  readonly tempName: string;
}

export class Replacement {
  readonly #plan: Plan;
  readonly #name: string;
  /** Undefined before it is written, and for a deletion. */
  #newFile: TempFile | undefined;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#name = plan.path.name;
  }

  get file(): string {
    return this.#plan.path.toString();
  }

  /** An id that two of them share if they are one file under two spellings. */
  get inode(): string {
    const { present, folder } = this.#plan;
    if (present !== undefined) return `${present.dev}:${present.ino}`;
    const { dev, ino } = folder.directory.facts();
    return `${dev}:${ino}/${foldComponent(this.#name)}`;
  }

  /** Writes the new contents beside the file. */
  writeNew(): void {
    const { contents, folder, tempName, like } = this.#plan;
    if (contents !== undefined)
      this.#newFile = this.#naming(() => new TempFile(folder.directory, tempName, like, contents()));
  }

  /** Makes the new contents durable. */
  async syncNew(): Promise<void> {
    try {
      await this.#newFile?.sync();
    } catch (error) {
      throw ioRefusal('write this file', error, this.file);
    }
  }

  /** Throws FILE_CHANGED or FILE_EXISTS if the file is no longer as it was, and what `requireInPlace` throws. */
  requireUnchanged(): void {
    const { folder, present } = this.#plan;
    const now = folder.directory.factsOf(this.#name);
    if (present === undefined && now !== undefined) throw fileExists(this.file);
    if (present !== undefined && (now === undefined || !isSameState(now, present)))
      throw fileChanged(this.file);
    folder.requireInPlace();
  }

  /** Replaces, creates or deletes the file in one system call. */
  publish(): void {
    const { folder, present, contents } = this.#plan;
    if (contents === undefined) folder.directory.unlink(this.#name);
    else if (this.#newFile === undefined) throw new Error('a file is published before it was written');
    else if (present !== undefined) this.#newFile.renameTo(this.#name);
    // Unlike a rename, a link never replaces a file that was created meanwhile.
    else if (!this.#newFile.linkTo(this.#name)) throw fileExists(this.file);
  }

  /** Removes the temporary file; false if that fails. Never throws. */
  discard(): boolean {
    return this.#newFile?.discard() ?? true;
  }

  #naming<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw ioRefusal('write this file', error, this.file);
    }
  }
}

/** The most files that are flushed at the same time, each with an open descriptor. */
const AT_ONCE = 64;

/** Writes the new contents of all files durably, in groups, so that many reach the disk at the same time. */
export async function writeAllNew(files: readonly Replacement[], turns: Turns): Promise<void> {
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const group = files.slice(from, from + AT_ONCE);
    for (const file of group) {
      file.writeNew();
      await turns.next();
    }
    // Each is waited for, because a descriptor must not be closed before.
    const synced = await Promise.allSettled(group.map((file) => file.syncNew()));
    for (const one of synced) if (one.status === 'rejected') throw one.reason;
  }
}

/** Gives all files their new contents, and makes that durable. `onPublished` is told of each that was renamed. */
export async function publishAll(
  files: readonly Replacement[],
  { folders, turns }: { readonly folders: Folders; readonly turns: Turns },
  onPublished: (file: Replacement) => void = () => undefined,
): Promise<void> {
  if (files.length > 1)
    for (const file of files) {
      file.requireUnchanged();
      await turns.next();
    }
  for (const file of files) {
    // Of several files each is checked once more, because time has passed.
    file.requireUnchanged();
    file.publish();
    onPublished(file);
    await turns.next();
  }
  await folders.sync(turns);
}

/** Makes the refusal FILE_CHANGED. */
export function fileChanged(file: string): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    'Cannot write this file: it is no longer what the edit was made for. Read it again and repeat the edit.',
    { file },
  );
}
