// One plain file at one moment, as it is shown: its text with the secrets masked. It proves that the file was read through the
// sandbox. The file may have another text by now, which a commit checks. The exact text, which encodes to the bytes that were read,
// stays within this layer.
import type { HeldEntry } from '../containment/held.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { MaskedText } from '../secrets/masked-text.ts';
import type { KnownText, Masking } from '../secrets/masking.ts';
import { holdsPiece } from '../text/visible.ts';

import { readStable } from './plain-file.ts';
import { type ReadCache, Reading, Recent, requireUtf8, sha256 } from './read-cache.ts';

/** The proof that no file is at a path, with what is made besides the file when it is created. */
export interface Absence {
  /** The missing folders, outermost first, as the agent writes them. */
  readonly folders: readonly string[];
}

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
const KNOWN = new Recent<Snapshot, KnownText>(({ masked }) => masked.shown.length);

export class Snapshot {
  static {
    partsOf = (snapshot) => ({ origin: snapshot.#origin, reading: snapshot.#reading });
  }
  readonly #origin: Origin;
  readonly #reading: Reading;
  #sha256: string | undefined;
  #isUnmasked: boolean | undefined;
  readonly path: SafePath;
  /** The permissions of the file that was read; undefined if there is none. */
  readonly mode: number | undefined;
  /** The proof that there is no file; undefined if there is one. */
  readonly absence: Absence | undefined;

  /** @internal Made by `readSnapshot` and `absentSnapshot` only. */
  constructor(
    origin: Origin,
    path: SafePath,
    reading: Reading,
    found: { readonly mode: number } | { readonly absence: Absence },
  ) {
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

  /** True if it is shown as it is. */
  get isUnmasked(): boolean {
    this.#isUnmasked ??= this.#origin.masking === undefined || maskedIn(this).isUnmasked;
    return this.#isUnmasked;
  }

  /** The hash of the text as it is shown, so that nobody can test a guess of a masked value. */
  get sha256(): string {
    this.#sha256 ??= this.isUnmasked ? this.#reading.sha256 : sha256(Buffer.from(this.text));
    return this.#sha256;
  }

  get sizeBytes(): number {
    return this.isUnmasked ? this.#reading.bytes.length : Buffer.byteLength(this.text);
  }

  /** Facts that readers have learnt about this very text under this name; kept for the next call where there is room. */
  get notes(): Map<string, string> {
    return knownOf(this).notes;
  }

  /** The largest size in bytes that a result of it may have. */
  get limitBytes(): number {
    return this.#origin.fileSizeBytes;
  }

  /** The largest size in bytes that a result of it may have where something in it is masked. */
  get maskedLimitBytes(): number {
    return this.#origin.maskedSizeBytes;
  }
}

function knownOf(snapshot: Snapshot): KnownText {
  return KNOWN.of(snapshot, () => {
    const { origin, reading } = partsOf(snapshot);
    const { text, sha256: hash } = reading;
    const known = origin.masking?.known(snapshot.path, text, hash);
    return known ?? { masked: MaskedText.unmasked(text), notes: new Map() };
  });
}

/** Returns the text together with its masked parts. Only this layer uses it. */
export function maskedIn(snapshot: Snapshot): MaskedText {
  return knownOf(snapshot).masked;
}

/** Returns the masking that the file was read with. Only this layer uses it. */
export function maskingOf(snapshot: Snapshot): Masking | undefined {
  return partsOf(snapshot).origin.masking;
}

/** Returns the same file unmasked, for comparing it with the disk and for writing. Only this layer uses it. */
export function exact(snapshot: Snapshot): Snapshot {
  const { origin, reading } = partsOf(snapshot);
  if (origin.masking === undefined) return snapshot;
  const { absence, mode = 0 } = snapshot;
  const found = absence === undefined ? { mode } : { absence };
  return new Snapshot({ ...origin, masking: undefined }, snapshot.path, reading, found);
}

/** Returns the same file with the masked text that a preview would give it. No edit of the result can be written. */
export function asPreviewed(snapshot: Snapshot, text: string): Snapshot {
  const { path, mode = 0 } = snapshot;
  // This is a new origin, so that no sandbox takes the snapshot for one of its own.
  const origin = { ...partsOf(snapshot).origin, masking: undefined };
  return new Snapshot(origin, path, new Reading(Buffer.from(text)), { mode });
}

/** Reads the held file. Throws HARD_LINK_REFUSED, FILE_TOO_LARGE, NOT_UTF8 or FILE_CHANGED. */
export function readSnapshot(origin: Origin, path: SafePath, entry: HeldEntry): Snapshot {
  const file = path.toString();
  const { bytes, facts } = readStable(entry, origin.fileSizeBytes, file);
  requireUtf8(bytes, file);
  return new Snapshot(origin, path, origin.readCache.of(file, bytes), { mode: facts.mode });
}

/** Tests of which each must be true for some lines of a text. */
export type Sought = readonly ((lines: string) => boolean)[];

/** Files up to this size are read into the same memory, because most of them are not kept. */
const SCRATCH = new Uint8Array(262_144);

/**
 * Does the same, but returns undefined for a file whose bytes fail a test. A file in which anything is masked is never tested here,
 * so that neither the result nor the time tells whether a guess of a secret is right.
 */
export function readSnapshotIf(
  origin: Origin,
  path: SafePath,
  entry: HeldEntry,
  sought: Sought,
): Snapshot | undefined {
  const file = path.toString();
  const { bytes, facts } = readStable(entry, origin.fileSizeBytes, file, SCRATCH);
  requireUtf8(bytes, file);
  const isPlain = origin.masking?.isPlain(path, bytes, sha256(bytes)) ?? true;
  if (isPlain && !sought.every((test) => holdsPiece(bytes, test))) return undefined;
  return new Snapshot(origin, path, origin.readCache.of(file, bytes.slice()), { mode: facts.mode });
}

/** Makes the snapshot of a path where no file is. Only this layer uses it. */
export function absentSnapshot(origin: Origin, path: SafePath, absence: Absence): Snapshot {
  return new Snapshot(origin, path, EMPTY, { absence });
}

const EMPTY = new Reading(new Uint8Array());
