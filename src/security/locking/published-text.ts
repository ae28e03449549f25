// Small texts of our own inside a folder (its locks): complete from the moment that they have their
// name, because they are written under another one and then linked, which fails where one exists.
import type { HeldDirectory } from '../containment/held.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { errnoOf } from '../fs/ambient-fs.ts';
import { closing, closingFd, readText, writeAll } from '../fs/fd-io.ts';
import { freshDraftName } from '../paths/denylist.ts';

/** Longest text of a lock. */
const MAX_TEXT_BYTES = 16_000;

/** False where the name is taken. */
export function publishText(directory: HeldDirectory, name: string, text: string): boolean {
  const draft = freshDraftName();
  try {
    closingFd(directory.createExclusive(draft, 0o600), (fd) => writeAll(fd, text));
    directory.link(draft, name);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // Somebody has removed the draft: the caller tries again. In a folder that was removed it never helps.
    if (errnoOf(error) === 'ENOENT' && directory.facts().links > 0) return false;
    throw error;
  } finally {
    unlinkIfThere(directory, draft);
  }
  return true;
}

export interface PublishedText {
  /** Of a plain file; '' where something else stands there. */
  readonly text: string;
  /** When it got its name, by the clock of the file system. */
  readonly writtenMs: number;
}

/** Undefined where there is none. */
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
