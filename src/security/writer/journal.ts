// The decision of a batch. As long as its journal exists, every file is to become the new one; without it,
// every file is to be the old one. So the moment in which the journal gets its name is the commit.
import type { HeldDirectory } from '../containment/held.ts';
import { everyOf, type FolderIntent, field, parseFolderIntent } from '../locking/intent.ts';
import { isCertainlyDead, type LockOwner, parseOwner, thisProcess } from '../locking/lock-owner.ts';
import { publishedText, publishText, unlinkIfThere } from '../locking/published-text.ts';
import { isBatchId, journalNameOf } from '../paths/denylist.ts';
import { parsedJson } from '../text/canonical-json.ts';

/** Read from a folder. Well formed, and nothing more. */
export interface JournalText {
  readonly owner: LockOwner;
  readonly writtenMs: number;
  readonly batch: string;
  readonly folders: readonly FolderIntent[];
}

export class Journal {
  readonly #directory: HeldDirectory;
  readonly #batch: string;

  constructor(directory: HeldDirectory, batch: string) {
    this.#directory = directory;
    this.#batch = batch;
  }

  /** From here on the batch is finished, by us or by whoever finds it. */
  write(folders: readonly FolderIntent[]): void {
    const text = JSON.stringify({ ...thisProcess(), batch: this.#batch, folders });
    if (!publishText(this.#directory, journalNameOf(this.#batch), text, true))
      throw new Error('the journal of a fresh batch exists already');
  }

  /** From here on it is undone, or has been finished. Durable, because what comes next depends on it. */
  remove(): void {
    unlinkIfThere(this.#directory, journalNameOf(this.#batch));
    this.#directory.sync();
  }

  /** Undefined where there is none, 'damaged' where it says nothing that this program could have written. */
  read(): JournalText | 'damaged' | undefined {
    const published = publishedText(this.#directory, journalNameOf(this.#batch));
    if (published === undefined) return undefined;
    const { text, writtenMs } = published;
    const value = parsedJson(text);
    const owner = parseOwner(text);
    const folders = everyOf(field(value, 'folders'), parseFolderIntent);
    const batch = field(value, 'batch');
    const isSound = batch === this.#batch && isBatchId(this.#batch);
    if (!isSound || owner === undefined || folders === undefined || folders.length === 0) return 'damaged';
    return { owner, writtenMs, batch: this.#batch, folders };
  }
}

/** Whether nobody is at work on it who could still finish it himself. */
export function isAbandoned(journal: JournalText): boolean {
  return isCertainlyDead(journal.owner, journal.writtenMs);
}
