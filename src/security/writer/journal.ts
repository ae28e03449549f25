// The decision of a batch. As long as its journal exists, every file is to become the new one; without it,
// every file is to be the old one. So the moment in which the journal gets its name is the commit.
import type { HeldDirectory } from '../containment/held.ts';
import { type FolderIntent, readFolderIntent } from '../locking/intent.ts';
import { isCertainlyDead, type LockOwner, readOwner, thisProcess } from '../locking/lock-owner.ts';
import { publishedText, publishText, unlinkIfThere } from '../locking/published-text.ts';
import { BATCH_ID, journalNameOf } from '../paths/denylist.ts';
import { Fields, Malformed, readOrUndefined } from '../records/fields.ts';
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
    const journal = readOrUndefined(() => {
      const fields = new Fields(parsedJson(text));
      const batch = fields.text('batch', BATCH_ID);
      const folders = fields.list('folders', readFolderIntent);
      if (batch !== this.#batch || folders.length === 0) throw new Malformed('batch');
      return { owner: readOwner(fields), writtenMs, batch, folders };
    });
    return journal ?? 'damaged';
  }
}

/** Whether nobody is at work on it who could still finish it himself. */
export function isAbandoned(journal: JournalText): boolean {
  return isCertainlyDead(journal.owner, journal.writtenMs);
}
