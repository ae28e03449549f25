// Small texts of our own inside a folder (its locks). They are complete from the moment they have their name: they are written
// under another one and then linked, which fails where one exists.
import type { HeldDirectory } from '../containment/held.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { errnoOf } from '../fs/ambient-fs.ts';
import { closing, closingFd, readText, writeAll } from '../fs/fd-io.ts';
import { freshDraftName } from '../paths/denylist.ts';

/** Longest text of a lock. */
const MAX_TEXT_BYTES = 16_000;

/** Publishes a text under a name. Answers false where the name is taken. */
export function publishText(directory: HeldDirectory, name: string, text: string): boolean {
  const draft = freshDraftName();
  try {
    closingFd(directory.createExclusive(draft, 0o600), (fd) => writeAll(fd, text));
    directory.link(draft, name);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // Somebody has removed the draft, and the caller tries again. In a folder that was removed that would never
    // help.
    if (errnoOf(error) === 'ENOENT' && directory.facts().links > 0) return false;
    throw error;
  } finally {
    unlinkIfThere(directory, draft);
  }
  return true;
}

export interface PublishedText {
  /** The content of a plain file; '' where something else has the name, or it is too large. */
  readonly text: string;
  /** The time at which it got its name, by the clock of the file system. */
  readonly writtenMs: number;
}

/** Reads a published text; undefined where there is none. */
export function publishedText(directory: HeldDirectory, name: string): PublishedText | undefined {
  const entry = directory.hold(name);
  if (entry === undefined) return undefined;
  return closing(entry, ({ facts: { kind, sizeBytes, ctimeNs } }) => {
    const writtenMs = Number(ctimeNs / 1_000_000n);
    if (kind !== 'file' || sizeBytes > MAX_TEXT_BYTES) return { text: '', writtenMs };
    return { text: closingFd(entry.openForReading(), (fd) => readText(fd, sizeBytes, 0)), writtenMs };
  });
}

export function unlinkIfThere(directory: HeldDirectory, name: string): void {
  ignoring(['ENOENT'], () => directory.unlink(name));
}
