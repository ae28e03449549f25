// One folder of the state directory: texts under names of our own, readable by their owner alone. Only the audit trail and
// its head are written in place. What a kill or a power cut leaves, each method says.
import type { HeldDirectory } from '../containment/held.ts';
import { ignoring, ONLY_THE_OPERATOR, stateGone } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { chmodFd, closeFd, type FileFacts, factsOfFd, syncFd, truncateFd } from '../fs/ambient-fs.ts';
import { closing, closingFd, isOurs, readFirstLine, readText, writeAll } from '../fs/fd-io.ts';
import { freshDraftName, isTempName } from '../paths/denylist.ts';

const MOST_NAMES = 500_000;
const LEFTOVER_MS = 600_000;

export class StateFolder {
  readonly #directory: HeldDirectory;

  constructor(directory: HeldDirectory) {
    this.#directory = directory;
  }

  /** The text from a byte offset on; undefined where there is no such file of ours, or it is longer than allowed. */
  read(name: string, limitBytes: number, from = 0): string | undefined {
    return this.#reading(name, (fd, sizeBytes) => {
      const rest = sizeBytes - from;
      return rest > limitBytes ? undefined : readText(fd, rest, from);
    });
  }

  /** Without what follows it, which may be whole files; undefined where there is no such file of ours. */
  readFirstLine(name: string): string | undefined {
    return this.#reading(name, readFirstLine);
  }

  /** Undefined where there is none. */
  facts(name: string): FileFacts | undefined {
    return this.#directory.look(name);
  }

  /**
   * Whoever creates a name first has it: false where it is taken, whatever stands there. Durable once it returns; a
   * power cut before that may leave the name and only a part of the text, so the text must tell when it is whole.
   */
  create(name: string, text: string): boolean {
    return this.#drafted(text, (draft, fd) => {
      const isOurs = ignoring(['EEXIST'], () => {
        this.#directory.link(draft, name);
        return true;
      });
      this.remove(draft);
      if (isOurs !== true) return false;
      try {
        // Named first: one flush of the disk's journal then holds the text and the name, and finds nothing left to do
        // for the folder.
        syncFd(fd);
        this.#directory.sync();
      } catch (error) {
        this.remove(name);
        throw error;
      }
      return true;
    });
  }

  /**
   * Durable once it returns, with one flush: for a text that tells when it is whole, under a name that nobody else takes.
   * On ext4, XFS and Btrfs, syncing a file that was just created makes its name durable as well.
   */
  createDurable(name: string, text: string): void {
    closingFd(this.#directory.createExclusive(name, 0o600), (fd) => {
      try {
        // The umask may have taken bits that the owner needs.
        chmodFd(fd, 0o600);
        writeAll(fd, text);
        syncFd(fd);
      } catch (error) {
        ignoring('all', () => this.remove(name));
        throw error;
      }
    });
  }

  /** A power cut leaves either name. */
  rename(from: string, to: string): void {
    this.#directory.rename(from, to);
  }

  /**
   * For a text of one length, shorter than a sector of any disk: a power cut leaves the old one or the new one. Whoever
   * reads it meanwhile may see a mixture, and has to read again.
   */
  overwrite(name: string, text: string): void {
    const fd = ignoring(['ENOENT'], () => this.#directory.openToOverwrite(name));
    if (fd === undefined) this.create(name, text);
    else closingFd(fd, () => writeAll(fd, text));
  }

  /**
   * Whoever reads it sees all of it or nothing; but a power cut may take it or a part of it, so the text must tell when it
   * is whole.
   */
  put(name: string, text: string): void {
    this.#drafted(text, (draft) => this.#directory.rename(draft, name));
  }

  /** False where there was none. */
  remove(name: string): boolean {
    const isGone = ignoring(['ENOENT'], () => {
      this.#directory.unlink(name);
      return true;
    });
    return isGone ?? false;
  }

  /** Without leftovers; sorted. Throws IO_ERROR for too many: a part must not be taken for all. */
  names(): readonly string[] {
    const { entries, complete } = this.#directory.entries(MOST_NAMES);
    if (!complete) throw tooManyNames();
    if (entries.length === 0) this.#requireThere();
    return entries
      .map(({ name }) => name)
      .filter((name) => !isTempName(name))
      .sort();
  }

  /** Adds lines at the end; takes them back and throws where they do not all fit. */
  append(name: string, text: string, isDurable: boolean): void {
    const there = ignoring(['ENOENT'], () => this.#directory.openToAppend(name));
    closingFd(there ?? this.#directory.createExclusive(name, 0o600), (fd) => {
      const before = factsOfFd(fd).sizeBytes;
      try {
        writeAll(fd, text);
        if (isDurable) syncFd(fd);
      } catch (error) {
        truncateFd(fd, before);
        throw error;
      }
    });
    if (there === undefined) this.#directory.sync();
  }

  /** Makes durable what was appended before. */
  sync(name: string): void {
    closingFd(this.#directory.openToAppend(name), syncFd);
  }

  /** For the unfinished line of a process that was killed. */
  cutTo(name: string, sizeBytes: number): void {
    closingFd(this.#directory.openToAppend(name), (fd) => {
      truncateFd(fd, sizeBytes);
      syncFd(fd);
    });
  }

  /** Drafts of processes that were killed; those of living ones are younger. */
  sweep(nowMs: number): void {
    for (const { name } of this.#directory.entries(MOST_NAMES).entries) {
      const facts = isTempName(name) ? this.facts(name) : undefined;
      // What is a lock as well must stay as old as it is: that tells whether its owner may live.
      const isOld = facts !== undefined && nowMs - Number(facts.mtimeNs / 1_000_000n) > LEFTOVER_MS;
      if (isOld && facts.links === 1) this.remove(name);
    }
  }

  close(): void {
    this.#directory.close();
  }

  #reading<Found>(name: string, use: (fd: number, sizeBytes: number) => Found): Found | undefined {
    const entry = this.#directory.hold(name);
    if (entry === undefined) {
      this.#requireThere();
      return undefined;
    }
    return closing(entry, ({ facts }) => {
      // A link, a FIFO or somebody else's file in the place of ours is as good as none.
      if (!isOurs(facts)) return undefined;
      return closingFd(entry.openForReading(), (fd) => use(fd, facts.sizeBytes));
    });
  }

  /** A folder that was removed must not pass for one that is empty. */
  #requireThere(): void {
    if (this.#directory.facts().links === 0) throw stateGone('go on');
  }

  #drafted<Result>(text: string, publish: (draft: string, fd: number) => Result): Result {
    const draft = freshDraftName();
    const fd = this.#directory.createExclusive(draft, 0o600);
    try {
      // The umask may have taken bits that the owner needs.
      chmodFd(fd, 0o600);
      writeAll(fd, text);
      return publish(draft, fd);
    } catch (error) {
      this.remove(draft);
      throw error;
    } finally {
      closeFd(fd);
    }
  }
}

function tooManyNames(): Refusal {
  return new Refusal(
    'IO_ERROR',
    `Cannot go on: a folder of the state directory holds more than ${MOST_NAMES.toLocaleString('en')} files. The operator should look at it.`,
    {},
    ONLY_THE_OPERATOR,
  );
}
