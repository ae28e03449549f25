// Who locks, written down once in the folder and linked for each lock: that makes one name, where a text of its own takes a
// file. For locks that say no more than whose they are, of folders of our own. A killed process leaves the text behind, for
// a sweep of drafts, which must leave it alone as long as it has the lock's name too: else the lock would look newer.

import type { HeldDirectory, HeldEntry } from '../containment/held.ts';
import { errnoOf, type Identity } from '../fs/ambient-fs.ts';
import { freshDraftName } from '../paths/own-names.ts';
import { thisProcess } from './lock-owner.ts';
import { unlinkIfThere, writeDraft } from './published-text.ts';

interface WrittenOwner {
  readonly name: string;
  readonly nonce: string;
  /** Held: else its number could come again, as somebody else's lock. */
  readonly entry: HeldEntry;
}

export class LockOwnerFile {
  readonly #directory: HeldDirectory;
  #written: WrittenOwner | undefined;

  constructor(directory: HeldDirectory) {
    this.#directory = directory;
  }

  /** What now has that name; undefined where it is taken, or somebody keeps removing what stands here. */
  link(name: string): Identity | undefined {
    for (let tries = 0; tries < 2; tries += 1) {
      this.#written ??= this.#write();
      if (this.#written === undefined) continue;
      try {
        this.#directory.link(this.#written.name, name);
        return this.#written.entry.facts;
      } catch (error) {
        if (errnoOf(error) === 'EEXIST') return undefined;
        // A sweep took it for a leftover. In a folder that was removed nothing can be written anew either.
        if (errnoOf(error) !== 'ENOENT') throw error;
        this.forget();
      }
    }
    return undefined;
  }

  /** The next lock will be by another name. Answers the nonce of those before. Never throws. */
  forget(): string | undefined {
    const { name, nonce, entry } = this.#written ?? {};
    this.#written = undefined;
    entry?.close();
    try {
      if (name !== undefined) unlinkIfThere(this.#directory, name);
    } catch {
      // The folder or the disk is gone.
    }
    return nonce;
  }

  #write(): WrittenOwner | undefined {
    const [name, owner] = [freshDraftName(), thisProcess()];
    try {
      // Durable: a lock that a power cut leaves without its text is nobody's, if it has a second name.
      writeDraft(this.#directory, name, `${JSON.stringify(owner)}\n`, true);
      const entry = this.#directory.hold(name);
      return entry === undefined ? undefined : { name, nonce: owner.nonce, entry };
    } catch (error) {
      unlinkIfThere(this.#directory, name);
      throw error;
    }
  }
}
