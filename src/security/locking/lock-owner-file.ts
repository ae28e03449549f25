// Who locks, written down once in the folder and linked for each lock: that makes one name, where a text of its own takes a
// file. For locks that say no more than whose they are, of folders of our own. A killed process leaves the text behind, for
// a sweep of drafts, which must leave it alone as long as it has the lock's name too: else the lock would look newer.

import type { HeldDirectory, HeldEntry } from '../containment/held.ts';
import { errnoOf, type Identity } from '../fs/ambient-fs.ts';
import { freshDraftName } from '../paths/own-names.ts';
import { thisProcess } from './lock-owner.ts';
import { unlinkIfThere, writeDraft } from './published-text.ts';

interface Standing {
  readonly name: string;
  readonly nonce: string;
  /** Held: else its number could come again, as somebody else's lock. */
  readonly entry: HeldEntry;
}

export class StandingOwner {
  readonly #directory: HeldDirectory;
  #standing: Standing | undefined;

  constructor(directory: HeldDirectory) {
    this.#directory = directory;
  }

  /** What now has that name; undefined where it is taken, or somebody keeps removing what stands here. */
  link(name: string): Identity | undefined {
    for (let tries = 0; tries < 2; tries += 1) {
      this.#standing ??= this.#stand();
      if (this.#standing === undefined) continue;
      try {
        this.#directory.link(this.#standing.name, name);
        return this.#standing.entry.facts;
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
    const { name, nonce, entry } = this.#standing ?? {};
    this.#standing = undefined;
    entry?.close();
    try {
      if (name !== undefined) unlinkIfThere(this.#directory, name);
    } catch {
      // The folder or the disk is gone.
    }
    return nonce;
  }

  #stand(): Standing | undefined {
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
