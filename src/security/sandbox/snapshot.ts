// One plain file at one moment, as it is shown: its text with the secrets masked. It proves that the file was read through the
// sandbox. The file may have another text by now, which a commit checks. The exact text, which encodes to the bytes that were read,
// stays within this layer.
import { type HeldEntry, symlinkRefused } from '../containment/held.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { type FileFacts, factsOfFd, readFd, sameInode } from '../fs/ambient-fs.ts';
import { closingFd } from '../fs/fd-io.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { MaskedText } from '../secrets/masked-text.ts';
import type { KnownText, Masking } from '../secrets/masking.ts';
import { requireSize } from './file-size.ts';
import { decodeUtf8, type ReadCache, type Reading, sha256 } from './read-cache.ts';

/** The proof that no file is at a path, with what is made besides the file when it is created. */
export interface Absence {
  /** The missing folders, outermost first, as the agent writes them. */
  readonly folders: readonly string[];
}

const KEY: unique symbol = Symbol('Snapshot');

/** The facts about the sandbox that has read a file: its size limits, its cache and its masking. Origins are compared by identity. */
export interface Origin {
  readonly fileSizeBytes: number;
  readonly maskedSizeBytes: number;
  readonly readCache: ReadCache;
  readonly masking?: Masking | undefined;
  /** Called with the name of each file before it is opened; a refusal that it throws is that of the file. */
  readonly onOpen?: ((file: string) => void) | undefined;
}

let partsOf: (snapshot: Snapshot) => { readonly origin: Origin; readonly reading: Reading };
let knownOf: (snapshot: Snapshot) => KnownText;

export class Snapshot {
  static {
    partsOf = (snapshot) => ({ origin: snapshot.#origin, reading: snapshot.#reading });
    knownOf = (snapshot) => {
      const { masking } = snapshot.#origin;
      const { text, sha256: hash } = snapshot.#reading;
      snapshot.#known ??= masking?.known(snapshot.path, text, hash) ?? {
        masked: MaskedText.unmasked(text),
        notes: new Map(),
      };
      return snapshot.#known;
    };
  }
  readonly #origin: Origin;
  readonly #reading: Reading;
  #sha256: string | undefined;
  #known: KnownText | undefined;
  readonly path: SafePath;
  /** The permissions of the file that was read; undefined where there is none. */
  readonly mode: number | undefined;
  /** The proof that there is no file; undefined where there is one. */
  readonly absence: Absence | undefined;

  /** @internal Made by `readSnapshot` and `absentSnapshot` only. */
  constructor(
    key: typeof KEY,
    origin: Origin,
    path: SafePath,
    reading: Reading,
    found: { readonly mode: number } | { readonly absence: Absence },
  ) {
    if (key !== KEY) throw new TypeError('a Snapshot is made by reading a file only');
    this.mode = 'mode' in found ? found.mode & 0o777 : undefined;
    this.absence = 'absence' in found ? Object.freeze({ folders: [...found.absence.folders] }) : undefined;
    this.#origin = origin;
    this.path = path;
    this.#reading = reading;
    Object.freeze(this);
  }

  /** The text as it is shown, with the byte order mark if the file has one. */
  get text(): string {
    return maskedIn(this).shown;
  }

  /** The hash of the text as it is shown, so that nobody can test a guess of a masked value. */
  get sha256(): string {
    const masked = maskedIn(this);
    if (masked.isUnmasked) return this.#reading.sha256;
    this.#sha256 ??= sha256(Buffer.from(masked.shown));
    return this.#sha256;
  }

  get sizeBytes(): number {
    const masked = maskedIn(this);
    return masked.isUnmasked ? this.#reading.bytes.length : Buffer.byteLength(masked.shown);
  }

  /** Facts that readers have learnt about this very text under this name; kept for the next call where there is room. */
  get notes(): Map<string, string> {
    return knownOf(this).notes;
  }

  /** True only for an object that this module made; a look-alike answers false. */
  static isGenuine(value: unknown): value is Snapshot {
    return typeof value === 'object' && value !== null && #origin in value;
  }

  /** The largest size in bytes that a result of it may have. */
  get limitBytes(): number {
    return this.#origin.fileSizeBytes;
  }

  /** The largest size in bytes that a result of it may have where something in it is masked. */
  get maskedLimitBytes(): number {
    return this.#origin.maskedSizeBytes;
  }

  /** True where the sandbox with this origin has read it. */
  isFrom(origin: Origin): boolean {
    return this.#origin === origin;
  }
}

/** Answers the text together with its masked parts. Only this layer uses it. */
export function maskedIn(snapshot: Snapshot): MaskedText {
  return knownOf(snapshot).masked;
}

/** Answers the masking that the file was read with. Only this layer uses it. */
export function maskingOf(snapshot: Snapshot): Masking | undefined {
  return partsOf(snapshot).origin.masking;
}

/** Answers the hash of the text that is shown for these bytes of the file; undefined where they are no text. Only this layer uses it. */
export function shownSha256(snapshot: Snapshot, bytes: Uint8Array): string | undefined {
  const { path } = snapshot;
  const text = ignoring('all', () => decodeUtf8(bytes, path.toString()));
  if (text === undefined) return undefined;
  return sha256(Buffer.from(maskingOf(snapshot)?.mask(path, text).shown ?? text));
}

/** Answers the same file unmasked, for comparing it with the disk and for writing. Only this layer uses it. */
export function exact(snapshot: Snapshot): Snapshot {
  const { origin, reading } = partsOf(snapshot);
  if (origin.masking === undefined) return snapshot;
  const { absence, mode = 0 } = snapshot;
  const found = absence === undefined ? { mode } : { absence };
  return new Snapshot(KEY, { ...origin, masking: undefined }, snapshot.path, reading, found);
}

/** Answers the same file with the masked text that a preview would give it. No edit of the result can be written. */
export function asPreviewed(snapshot: Snapshot, text: string): Snapshot {
  const { path, mode = 0 } = snapshot;
  const bytes = Buffer.from(text);
  // This is a new origin, so that no sandbox takes the snapshot for one of its own.
  const origin = { ...partsOf(snapshot).origin, masking: undefined };
  return new Snapshot(KEY, origin, path, { bytes, text, sha256: sha256(bytes) }, { mode });
}

/** Reads the held file. Throws HARD_LINK_REFUSED, FILE_TOO_LARGE, NOT_UTF8 or FILE_CHANGED. */
export function readSnapshot(origin: Origin, path: SafePath, entry: HeldEntry): Snapshot {
  const file = path.toString();
  const { bytes, facts } = readStable(entry, origin.fileSizeBytes, file);
  return new Snapshot(KEY, origin, path, origin.readCache.of(file, bytes), { mode: facts.mode });
}

/** Makes the snapshot of a path where no file is. Only this layer uses it. */
export function absentSnapshot(origin: Origin, path: SafePath, absence: Absence): Snapshot {
  return new Snapshot(KEY, origin, path, EMPTY, { absence });
}

const EMPTY: Reading = { bytes: new Uint8Array(), text: '', sha256: sha256(new Uint8Array()) };

export interface StableRead {
  readonly bytes: Uint8Array;
  readonly facts: FileFacts;
}

/** Reads the bytes at a moment in which nobody wrote: size and both times were the same before and after. Throws FILE_CHANGED. */
export function readStable(entry: HeldEntry, limitBytes: number, file: string): StableRead {
  const read = closingFd(
    entry.openForReading(),
    // The facts from before the opening are as safe, because they are older, and they save one system call.
    (fd) => readOnce(fd, entry.facts, limitBytes, file) ?? readOnce(fd, factsOfFd(fd), limitBytes, file),
  );
  if (read !== undefined) return read;
  throw new Refusal(
    'FILE_CHANGED',
    'Cannot read this file: another program is writing to it. Try again in a moment.',
    { file },
  );
}

function readOnce(fd: number, before: FileFacts, limitBytes: number, file: string): StableRead | undefined {
  requirePlainFile(before, file);
  requireSize(before.sizeBytes, limitBytes, file, 'file');
  const bytes = readBounded(fd, before.sizeBytes, limitBytes);
  requireSize(bytes.length, limitBytes, file, 'file');
  const after = factsOfFd(fd);
  return before.kind === after.kind && isSameState(before, after) ? { bytes, facts: after } : undefined;
}

/** True where both facts are of the same inode, and nothing was written to it, renamed onto it or linked to it meanwhile. */
export function isSameState(a: FileFacts, b: FileFacts): boolean {
  const hasSameTimes = a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
  return sameInode(a, b) && a.sizeBytes === b.sizeBytes && a.links === b.links && hasSameTimes;
}

/** Reads at most `limitBytes + 1` bytes. The size is a hint only: some files claim 0 bytes and never end, others grow while they are read. */
function readBounded(fd: number, sizeHint: number, limitBytes: number): Uint8Array {
  let buffer = new Uint8Array(Math.min(sizeHint, limitBytes) + 1);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length > limitBytes) return buffer;
      const larger = new Uint8Array(Math.min(limitBytes + 1, Math.max(4096, length * 2)));
      larger.set(buffer);
      buffer = larger;
    }
    const count = readFd(fd, buffer, length, buffer.length - length, length);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
}

/** Throws SYMLINK_REFUSED, NOT_REGULAR_FILE or HARD_LINK_REFUSED unless these are the facts of a plain file with one name. */
export function requirePlainFile({ kind, links }: FileFacts, file: string): void {
  if (kind === 'symlink') throw symlinkRefused(file);
  // A FIFO would block the server for ever, and opening a device could have side effects, so neither is opened.
  if (kind !== 'file') {
    throw new Refusal(
      'NOT_REGULAR_FILE',
      'Cannot use this path: it is not a regular file. config_list shows the files.',
      { file },
    );
  }
  // A hard link inside the root to a secret outside it passes every check of paths and symlinks; containers, Landlock
  // and Node's permission model all let it through.
  if (links > 1) {
    throw new Refusal(
      'HARD_LINK_REFUSED',
      'Cannot use this file: it has a second name (a hard link), possibly outside the root. Ask the operator to replace it with a copy.',
      { file },
    );
  }
}
