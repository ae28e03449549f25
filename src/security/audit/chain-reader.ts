// Reads the trail, whichever process writes it: first from the newest checkpoint on, then only what has come since. What
// was read before must still be there. It does NOT notice a trail that was rewritten before this process first read it:
// for that, compare its head with one that was kept elsewhere; nor a record that was changed before the checkpoint, which
// verify.ts finds.
import { ONLY_THE_OPERATOR } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { parsedJson, sha256Hex } from '../text/canonical-json.ts';
import { type KeptIds, TrailFacts, type TrailPoint, type TrailRecord } from './facts.ts';
import { GENESIS, type Head, readHead, trailName, wholeLines } from './record.ts';

interface Place extends Head {
  /** Where the last line begins, in the same file. */
  readonly from: number;
}

const MOST_FILE_BYTES = 64_000_000;

export class ChainReader {
  readonly #folder: StateFolder;
  readonly #kept: (() => KeptIds) | undefined;
  readonly #mustMeet: TrailPoint;
  #facts = new TrailFacts();
  #end: Place | undefined;
  #isTorn = false;

  /**
   * `kept`: at each new file the facts of all else are forgotten, or memory would grow with the trail. `mustMeet`: where
   * it ended for a thread before this one.
   */
  constructor(folder: StateFolder, kept?: () => KeptIds, mustMeet: TrailPoint = GENESIS) {
    this.#folder = folder;
    this.#kept = kept;
    this.#mustMeet = mustMeet;
  }

  /** By what was read so far. */
  get facts(): TrailFacts {
    return this.#facts;
  }

  get end(): Head {
    return this.#place;
  }

  /** Whether a part of a line stands behind the end: of a process that is writing it, or was killed. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  get #place(): Place {
    return this.#end ?? { ...GENESIS, file: 1, size: 0, from: 0 };
  }

  /** What has come since. Throws IO_ERROR where the trail is no longer the one that it was, or no chain. */
  readOn(): void {
    // Read before the lines: the head is never ahead of them.
    const head = readHead(this.#folder);
    if (head === 'unreadable') throw trailNotWhole();
    if (this.#end === undefined && head !== undefined) this.#begin(head.file);
    let isHeadMet = head === undefined || isAt(head, this.#place);
    for (;;) {
      // Asked before the lines are read: nothing is added to a file once there is a next one.
      const hasNext = this.#folder.facts(trailName(this.#place.file + 1)) !== undefined;
      for (const line of this.#newLines(hasNext)) {
        this.take(line);
        isHeadMet ||= head !== undefined && isAt(head, this.#place);
      }
      if (!hasNext) break;
      this.beginFile();
    }
    if (this.#place.seq < this.#mustMeet.seq) throw trailNotWhole();
    // A head that is behind was left by a process that was killed; one that is ahead was not.
    const isBehind = head !== undefined && head.seq < this.#place.seq;
    if (!isHeadMet && !isBehind) throw trailNotWhole();
    // The head is written before the first record; both may have come meanwhile.
    if (head === undefined && this.#place.seq > 0 && readHead(this.#folder) === undefined)
      throw trailNotWhole();
  }

  #requireMet({ seq, sha256 }: TrailPoint): void {
    if (seq === this.#mustMeet.seq && sha256 !== this.#mustMeet.sha256) throw trailNotWhole();
  }

  /** The lines from here on stand in the next file. */
  beginFile(): void {
    this.#end = { ...this.#place, file: this.#place.file + 1, size: 0, from: 0 };
  }

  /** The next line of the chain. Throws where it is not. */
  take(line: string): void {
    // What is no object has no number either, and so no place in the chain.
    const record: TrailRecord = Object(parsedJson(line));
    const { seq, sha256, file, size } = this.#place;
    if (record['seq'] !== seq + 1 || record['prev'] !== sha256) throw trailNotWhole();
    const point = { seq: seq + 1, sha256: sha256Hex(line) };
    this.#requireMet(point);
    this.#facts.note(record);
    // From its own facts: a checkpoint that says less takes nothing from a process that runs.
    if (record['action'] === 'checkpoint' && this.#kept !== undefined)
      this.#facts = this.#facts.reducedTo(this.#kept());
    this.#end = {
      ...{ ...point, file },
      ...{ from: size, size: size + Buffer.byteLength(line) + 1 },
    };
  }

  /** At the newest checkpoint that has the hash which the trail says; a damaged one costs time, and nothing else. */
  #begin(newest: number): void {
    for (let file = newest; file > 1 && file > newest - 2; file -= 1) {
      const found = readCheckpoint(this.#folder, file);
      // Behind the end that must be met, nothing would tell.
      if (found === undefined || (this.#mustMeet.seq > 0 && found.before.seq > this.#mustMeet.seq)) continue;
      this.#requireMet(found.before);
      this.#facts = found.facts;
      this.#end = { ...found.before, file, size: 0, from: 0 };
      return;
    }
  }

  /** Whole lines behind the last one that was read, which must still be there. */
  #newLines(hasNext: boolean): readonly string[] {
    const { file, size, from, seq, sha256 } = this.#place;
    const text = this.#folder.read(trailName(file), MOST_FILE_BYTES, from);
    this.#isTorn = false;
    if (text === undefined) {
      if (seq > 0 || hasNext) throw trailNotWhole();
      return [];
    }
    const lines = wholeLines(text);
    this.#isTorn = lines.reduce((sum, line) => sum + line.length + 1, 0) < text.length;
    if (size === 0) return lines;
    const [last = '', ...rest] = lines;
    if (sha256Hex(last) !== sha256) throw trailNotWhole();
    return rest;
  }
}

/** What the records before a file come to; the first record of that file has its hash. */
export interface Checkpoint {
  readonly text: string;
  readonly sha256: string;
}

export function checkpointOf(facts: TrailFacts, kept: KeptIds): Checkpoint {
  const text = [...facts.records(kept)].map((record) => `${JSON.stringify(record)}\n`).join('');
  return { text, sha256: sha256Hex(text) };
}

export function checkpointName(file: number): string {
  return `checkpoint-${String(file).padStart(6, '0')}.jsonl`;
}

/** Undefined where there is none whose hash the first record of the file has. */
function readCheckpoint(
  folder: StateFolder,
  file: number,
): { readonly facts: TrailFacts; readonly before: TrailPoint } | undefined {
  const first: TrailRecord = Object(parsedJson(folder.readFirstLine(trailName(file)) ?? ''));
  const text = folder.read(checkpointName(file), MOST_FILE_BYTES);
  if (text === undefined || first['action'] !== 'checkpoint' || first['checkpoint'] !== sha256Hex(text))
    return undefined;
  const facts = new TrailFacts();
  for (const line of wholeLines(text)) facts.note(Object(parsedJson(line)));
  return { facts, before: { seq: Number(first['seq']) - 1, sha256: String(first['prev']) } };
}

/** Begins as every refusal of a broken trail does: explain_error recognises it by that. */
export function trailNotWhole(): Refusal {
  return new Refusal(
    'IO_ERROR',
    'Cannot go on: the audit trail is not whole, or not the one that it was. The operator should run "config-airlock audit verify".',
    {},
    ONLY_THE_OPERATOR,
  );
}

function isAt(head: Head, end: Head): boolean {
  return head.seq === end.seq && head.sha256 === end.sha256;
}
