// Publishes small texts in a folder of the root, such as its lock. A text is complete from the moment when it has its name: it is
// written under another name and then linked, which fails where the name is taken.
import type { HeldDirectory } from '../containment/held.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { errnoOf } from '../fs/ambient-fs.ts';
import { closing, closingFd, readText, writeAll } from '../fs/fd-io.ts';
import { freshDraftName } from '../paths/denylist.ts';

/** The maximum size of a published text. */
const MAX_TEXT_BYTES = 16_000;

/** Publishes a text under a name. Returns false if the name is taken. */
export function publishText(directory: HeldDirectory, name: string, text: string): boolean {
  const draft = freshDraftName();
  try {
    closingFd(directory.createExclusive(draft, 0o600), (fd) => writeAll(fd, text));
    directory.link(draft, name);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // Somebody has removed the draft, and the caller tries again. That would not help if the folder itself was removed.
    if (errnoOf(error) === 'ENOENT' && directory.facts().links > 0) return false;
    throw error;
  } finally {
    unlinkIfThere(directory, draft);
  }
  return true;
}

export interface PublishedText {
  /** The content of a plain file. It is empty if something else has the name, and for a file that is too large. */
  readonly text: string;
  /** The time at which it got its name, by the clock of the file system. */
  readonly writtenMs: number;
}

/** Reads a published text; undefined if there is none. */
export function readPublishedText(directory: HeldDirectory, name: string): PublishedText | undefined {
  const entry = directory.hold(name);
  if (entry === undefined) return undefined;
  return closing(entry, ({ facts: { kind, sizeBytes, ctimeNs } }) => {
    const writtenMs = Number(ctimeNs / 1_000_000n);
    if (kind !== 'file' || sizeBytes > MAX_TEXT_BYTES) return { text: '', writtenMs };
    return { text: closingFd(entry.openForReading(), (fd) => readText(fd, sizeBytes, 0)), writtenMs };
  });
}

/** Removes a file; does nothing where there is none. */
export function unlinkIfThere(directory: HeldDirectory, name: string): void {
  ignoring(['ENOENT'], () => directory.unlink(name));
}
