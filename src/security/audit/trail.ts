// The audit trail: one chain of lines over numbered files, appended to by one process at a time. It alone says what was
// decided and applied. What is appended is durable before `append` returns, and so is all that was noted before it. Before
// each new file it writes a checkpoint, so that a start reads the newest file only.
import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Lock } from '../locking/lock.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { ChainReader, checkpointName, checkpointOf, trailNotWhole } from './chain-reader.ts';
import type { KeptIds, PreviewFacts, TrailPoint, TrailRecord } from './facts.ts';
import { GENESIS, type Head, lineOf, readHead, trailName, trailNumbers, writeHead } from './record.ts';

const ROTATE_BYTES = 10_000_000;
/** Some thirty million records. People's decisions and what they let through are recorded beyond it. */
const QUOTA_BYTES = 16e9;
/**
 * The records of 200 files and of their putting back are shorter. A file of the trail is at most this much longer than
 * ROTATE_BYTES, so that it can be read again.
 */
const MOST_APPENDED_BYTES = 16e6;
/** How long what was noted may wait to be flushed. */
const FLUSH_AFTER_MS = 500;

/** What is to be recorded behind that end of the trail, asked for with the lock held. */
export type MakeRecords<Kept> = (end: TrailPoint) => readonly Kept[];

export interface TrailOptions {
  readonly folder: StateFolder;
  readonly lock: () => Lock;
  readonly now: () => Date;
  readonly kept: () => KeptIds;
  readonly isDiskLow: () => boolean;
  /** Where it ended for a thread of this process before this one. */
  readonly mustMeet?: TrailPoint | undefined;
  readonly rotateBytes?: number;
  readonly quotaBytes?: number;
}

export class AuditTrail {
  readonly #options: Required<Omit<TrailOptions, 'mustMeet'>>;
  readonly #reader: ChainReader;
  #flushing: NodeJS.Timeout | undefined;

  constructor(options: TrailOptions) {
    this.#options = { rotateBytes: ROTATE_BYTES, quotaBytes: QUOTA_BYTES, ...options };
    this.#reader = new ChainReader(options.folder, options.kept, options.mustMeet);
  }

  /** Where it ended when it was last read. */
  get end(): TrailPoint {
    const { seq, sha256 } = this.#reader.end;
    return { seq, sha256 };
  }

  /** What has come since. Throws IO_ERROR where the trail is no longer the one that it was, as all that call it do. */
  readOn(): void {
    this.#reader.readOn();
  }

  statusOf(previewId: string): PreviewFacts {
    this.readOn();
    return this.statusSoFar(previewId);
  }

  /** By what was read so far: for asking about many at one moment. */
  statusSoFar(previewId: string): PreviewFacts {
    return this.#reader.facts.ofPreview(previewId);
  }

  /** Of all that were decided or applied. */
  previewIds(): Iterable<string> {
    this.readOn();
    return this.#reader.facts.previewIds();
  }

  /** Whether there is a record that its files were, or may have been, replaced. */
  hasChange(changeId: string): boolean {
    if (this.#reader.facts.ofChange(changeId) === undefined) this.readOn();
    return this.#reader.facts.ofChange(changeId) !== undefined;
  }

  /** Whether its intent is recorded and no outcome, by what was read so far. */
  isOpen(changeId: string): boolean {
    return this.#reader.facts.ofChange(changeId)?.isEnded === false;
  }

  /** By what was read so far. Its first record is durable, whatever it is. */
  get isEmpty(): boolean {
    return this.#reader.end.seq === 0;
  }

  /** Throws NO_SPACE where agents have filled it, or the disk: for what no person has asked for. */
  requireRoom(): void {
    const { rotateBytes, quotaBytes, isDiskLow } = this.#options;
    const isFull = this.#reader.end.file * rotateBytes > quotaBytes;
    if (!isFull && !isDiskLow()) return;
    const why = isFull ? 'the audit trail is full' : 'the disk of the state directory is almost full';
    const way = isFull ? 'start the server with a new --state-dir, and keep the old one' : 'free some of it';
    throw new Refusal('NO_SPACE', `Cannot record more changes: ${why}. The operator should ${way}.`);
  }

  /**
   * All of them or none, with one flush; answers the end of the chain behind each. Throws where they cannot be kept: then
   * do not do what they say. Where `make` throws, none is kept.
   */
  append(make: MakeRecords<TrailRecord>): readonly TrailPoint[] {
    return this.#add(make, true);
  }

  /**
   * Appends without fsync: a power cut may lose the last of what was noted, and never anything from between. The head
   * follows once it is on the disk: a head that is ahead of the trail would look like a truncated trail.
   */
  note(make: MakeRecords<TrailRecord>): readonly TrailPoint[] {
    const ends = this.#add(make, false);
    this.#flushing ??= setTimeout(() => {
      this.#flushing = undefined;
      this.flush();
    }, FLUSH_AFTER_MS).unref();
    return ends;
  }

  /** Makes durable what was noted, then moves the head. Never throws: the next record says what is wrong. */
  flush(): void {
    const { folder } = this.#options;
    // Another process may hold the lock for long, or the disk may be gone.
    ignoring('all', () =>
      this.locked(() => {
        const head = readHead(folder);
        // The first record has written one.
        if (typeof head !== 'object') return;
        const end = this.#endNow();
        if (head.seq === end.seq) return;
        folder.sync(trailName(end.file));
        writeHead(folder, end);
      }),
    );
  }

  /** With the lock that whoever records anything holds. Throws BUSY. */
  locked<Result>(act: () => Result): Result {
    const held = this.#options.lock();
    try {
      return act();
    } finally {
      held.release();
    }
  }

  #add(make: MakeRecords<TrailRecord>, isDurable: boolean): readonly TrailPoint[] {
    const { folder, now, rotateBytes } = this.#options;
    return this.locked(() => {
      const last = this.#endNow();
      const time = now().toISOString();
      const isFull = last.size >= rotateBytes;
      // Before `make` is asked: what is signed for the end of the trail stands behind the checkpoint's record.
      const first = isFull ? chained(last, time, [this.#checkpointed(last.file + 1)]) : [];
      const { seq, sha256 } = first[0] ?? last;
      const records = make({ seq, sha256 });
      if (records.length === 0) return [];
      // The head may be one file behind, and no more; and once there is a record, an empty trail is noticed.
      const mustSync = isDurable || isFull || last.seq === 0;
      const lines = [...first, ...chained({ seq, sha256 }, time, records)];
      const text = lines.map(({ line }) => `${line}\n`).join('');
      requireAppendable(Buffer.byteLength(text));
      if (isFull) folder.sync(trailName(last.file));
      const file = isFull ? last.file + 1 : last.file;
      folder.append(trailName(file), text, mustSync);
      if (isFull) this.#reader.beginFile();
      for (const { line } of lines) this.#reader.take(line);
      // A process that is killed before this leaves an older head, and the lines behind it are durable.
      if (mustSync) writeHead(folder, headOf(this.#reader.end));
      return lines.slice(first.length);
    });
  }

  /** Where the chain ends now, after what a killed process left was repaired. Needs the lock. */
  #endNow(): Head {
    const { folder } = this.#options;
    this.#reader.readOn();
    const end = headOf(this.#reader.end);
    // A line without an end, or with the zeros of a power cut: nothing was done that needed this record.
    if (this.#reader.isTorn) folder.cutTo(trailName(end.file), end.size);
    // The head is there before the first record: a trail without one has lost it.
    if (end.seq === 0 && readHead(folder) === undefined) {
      if (trailNumbers(folder).length > 0) throw trailNotWhole();
      writeHead(folder, { ...GENESIS, file: 1, size: 0 });
    }
    return end;
  }

  /** Writes the checkpoint for that file, and answers its record. A power cut may take it: then the one before it is as good. */
  #checkpointed(file: number): TrailRecord {
    const { folder, kept } = this.#options;
    const { text, sha256 } = checkpointOf(this.#reader.facts, kept());
    folder.put(checkpointName(file), text);
    ignoring('all', () => folder.remove(checkpointName(file - 2)));
    return { action: 'checkpoint', outcome: 'kept', checkpoint: sha256 };
  }
}

function requireAppendable(actual: number): void {
  if (actual <= MOST_APPENDED_BYTES) return;
  const limit = { name: 'audit_records', allowed: MOST_APPENDED_BYTES, actual, unit: 'bytes' };
  const advice = ['Send fewer files at a time'];
  throw new Refusal(
    'FILE_TOO_LARGE',
    'Cannot record this: its audit records are too long.',
    {},
    { limit, advice },
  );
}

interface ChainedLine extends TrailPoint {
  readonly line: string;
}

function chained(last: TrailPoint, time: string, records: readonly TrailRecord[]): readonly ChainedLine[] {
  let { seq, sha256 } = last;
  return records.map((record) => {
    seq += 1;
    const made = lineOf({ seq, prev: sha256 }, time, record);
    sha256 = made.sha256;
    return { seq, ...made };
  });
}

function headOf({ seq, sha256, file, size }: Head): Head {
  return { seq, sha256, file, size };
}
