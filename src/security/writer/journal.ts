// The journal of open writes: one file of this machine for each, durable before the state is told of the write, and removed after its
// end. It has all that is needed to put the files back, with their exact bytes. The state, which others may be able to write to,
// says only whether the write was begun and has ended.
import { z } from 'zod';
import { canonicalJson, parsedJson, randomHex, sha256Hex } from '../../state/canonical.ts';
import { decodeEvent, type Event } from '../../state/event.ts';
import type { HeldDirectory } from '../containment/held.ts';
import { doneUnlessTaken, ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { closing, closingFd, isOurs, readBytes } from '../fs/ambient-fs.ts';
import { unlinkIfThere } from '../locking/lock-owner.ts';
import { TempFile } from './temp-file.ts';

/** The exact content of a file before or after the write. */
const contentShape = z.strictObject({ sha256: z.string(), bytes: z.number() }).readonly();
export type Content = z.infer<typeof contentShape>;

const fileShape = z
  .strictObject({
    file: z.string(),
    /** Left out if the file is created, or deleted. */
    base: contentShape.exactOptional(),
    result: contentShape.exactOptional(),
    /** Owner and mode of the base. */
    ...{ uid: z.number(), gid: z.number(), mode: z.number() },
  })
  .readonly();
export type JournalFile = z.infer<typeof fileShape>;

const headShape = z.strictObject({
  v: z.literal(1),
  /** The event by which the write was begun, if it was: another write of the same preview has another one. */
  begun: z.string(),
  /** The folders that were made for the write, outermost first. */
  folders: z.array(z.string()).readonly(),
  files: z.array(fileShape).readonly(),
});

/** What is kept of a write. */
export interface JournalRecord {
  readonly begun: Event;
  readonly folders: readonly string[];
  readonly files: readonly JournalFile[];
}

export interface JournalEntry extends JournalRecord {
  readonly key: string;
  /** Returns the exact bytes of the base of each file that has one, in order. */
  bases(): readonly (Uint8Array | undefined)[];
}

const FOLDER = 'open-writes';
const END = '.write';

/** Holds the folder of all journals in a state directory, and makes it if there is none. The caller closes it. */
export function journalFolderIn(stateDirectory: HeldDirectory): HeldDirectory {
  if (doneUnlessTaken(() => stateDirectory.makeFolder(FOLDER))) stateDirectory.sync();
  const folder = stateDirectory.enter(FOLDER);
  if (typeof folder === 'string')
    throw new StartError(`cannot use "${FOLDER}" in the state directory: it is no folder`);
  return folder;
}

export class Journal {
  readonly #directory: HeldDirectory;
  readonly #prefix: string;

  /** `place` names the state and the folders that the writes are about. */
  constructor(folder: HeldDirectory, place: string) {
    this.#directory = folder;
    this.#prefix = `${sha256Hex(place).slice(0, 24)}-`;
  }

  /** Makes a record durable. No one can guess its key. */
  async keep(key: string, record: JournalRecord, bases: readonly Uint8Array[]): Promise<void> {
    const { begun, folders, files } = record;
    const head = JSON.stringify({ v: 1, begun: canonicalJson(begun), folders, files });
    const chunks = [...bases, Buffer.from(`\n${head}`)];
    const like = { ...this.#directory.facts(), mode: 0o600 };
    const file = new TempFile(this.#directory, `${this.#nameOf(key)}.draft`, like, Buffer.concat(chunks));
    try {
      await file.sync();
      file.renameTo(this.#nameOf(key));
      this.#directory.sync();
    } finally {
      file.discard();
    }
  }

  has(key: string): boolean {
    return this.#directory.factsOf(this.#nameOf(key)) !== undefined;
  }

  /** Returns the keys of all records about this place. */
  keys(): readonly string[] {
    return this.#namesWith(END).map((name) => name.slice(this.#prefix.length, -END.length));
  }

  /** Reads a record; undefined if it was removed. Throws a plain Error for one that is damaged. */
  read(key: string): JournalEntry | undefined {
    const entry = this.#directory.hold(this.#nameOf(key));
    if (entry === undefined) return undefined;
    const bytes = closing(entry, ({ facts }) => {
      if (!isOurs(facts)) throw damaged();
      return closingFd(entry.openForReading(), (fd) => readBytes(fd, facts.sizeBytes, 0));
    });
    return entryIn(key, bytes);
  }

  /** Removes a record whose write has ended, or was not begun. */
  remove(key: string): void {
    unlinkIfThere(this.#directory, this.#nameOf(key));
  }

  /** Removes what a process left that died before its record was durable. One that lives is refused its write, and has begun nothing. */
  removeDrafts(): void {
    for (const name of this.#namesWith('.draft')) ignoring('all', () => this.#directory.unlink(name));
  }

  #nameOf(key: string): string {
    return `${this.#prefix}${key}${END}`;
  }

  #namesWith(end: string): readonly string[] {
    const { entries } = this.#directory.entries(Number.MAX_SAFE_INTEGER);
    const names = entries.map(({ name }) => name);
    return names.filter((name) => name.startsWith(this.#prefix) && name.endsWith(end));
  }
}

/** Makes the key of a new record. */
export function newKey(): string {
  return randomHex(12);
}

function entryIn(key: string, bytes: Buffer): JournalEntry {
  const at = bytes.lastIndexOf('\n');
  const head = headShape.safeParse(parsedJson(bytes.subarray(at + 1).toString('utf8'))).data;
  const begun = head && decodeEvent(head.begun);
  if (head === undefined || begun === undefined) throw damaged();
  const { folders, files } = head;
  return { key, begun, folders, files, bases: () => basesIn(bytes.subarray(0, at), files) };
}

/** Cuts the bytes into those of the files. Throws unless each has the hash that the record says. */
function basesIn(bytes: Buffer, files: readonly JournalFile[]): readonly (Buffer | undefined)[] {
  let at = 0;
  return files.map(({ base }) => {
    if (base === undefined) return undefined;
    const own = bytes.subarray(at, at + base.bytes);
    at += base.bytes;
    if (contentOf(own).sha256 !== base.sha256) throw damaged();
    return own;
  });
}

export function contentOf(bytes: Uint8Array): Content {
  return { sha256: sha256Hex(bytes), bytes: bytes.length };
}

function damaged(): Error {
  return new Error('the journal of an open write is damaged');
}
