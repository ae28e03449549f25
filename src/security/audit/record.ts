// One line of the audit trail: numbered, and bound to the line before it by that line's hash. Its text is
// canonical, so that no byte of it can change without the hash in the next line telling. The head says where the
// trail ends.
import { Fields, readFields, readOrUndefined, SHA256 } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { canonicalJson, parseCanonical, sha256Hex } from '../text/canonical-json.ts';

export interface Link {
  readonly seq: number;
  /** sha256 of the line before, without its line break. */
  readonly prev: string;
}

/** Where a chain begins: the hash of nothing yet. */
export const GENESIS = { seq: 0, sha256: '0'.repeat(64) } as const;

export function lineOf(
  link: Link,
  time: string,
  record: Readonly<Record<string, unknown>>,
): { readonly line: string; readonly sha256: string } {
  const line = canonicalJson({ ...record, seq: link.seq, prev: link.prev, time });
  return { line, sha256: sha256Hex(line) };
}

/** Undefined for a line that is none of ours to the byte. */
export function linkOf(line: string): Link | undefined {
  return readOrUndefined(() => {
    const fields = new Fields(parseCanonical(line));
    return { seq: fields.count('seq'), prev: fields.text('prev', SHA256) };
  });
}

/** Those before the first that a killed process, or a power cut, left unfinished. */
export function wholeLines(text: string): readonly string[] {
  const torn = text.indexOf('\0');
  const lines = (torn === -1 ? text : text.slice(0, torn)).split('\n');
  return lines.slice(0, -1);
}

/** Whether it was appended without fsync, so that the head may be behind it. */
export function isNoted(record: Readonly<Record<string, unknown>>): boolean {
  const { action, outcome, confirmed_by: confirmedBy } = record;
  if (action !== 'commit') return action === 'propose';
  return outcome === 'applied' || (outcome === 'intent' && confirmedBy === 'direct');
}

export interface Head {
  readonly seq: number;
  /** Of the last line, without its line break. */
  readonly sha256: string;
  /** The number of the file that it stands in. */
  readonly file: number;
  /** Up to and with its line break. */
  readonly size: number;
}

const HEAD_NAME = 'head.json';
/** Always as long, so that it can be written over. */
const HEAD_CHARS = 255;
/** It is also read without the lock, while another process may be writing it. */
const MOST_LOOKS = 3;

export function trailName(number: number): string {
  return `audit-${String(number).padStart(6, '0')}.jsonl`;
}

/** Of the files that are there, in order. */
export function trailNumbers(folder: StateFolder): readonly number[] {
  return folder
    .names()
    .flatMap((name) => /^audit-(\d{6})\.jsonl$/u.exec(name)?.[1] ?? [])
    .map(Number);
}

/** Needs the lock, and everything up to there durable, so that the head is never ahead of the trail. */
export function writeHead(folder: StateFolder, head: Head): void {
  folder.overwrite(HEAD_NAME, `${canonicalJson({ v: 1, ...head }).padEnd(HEAD_CHARS)}\n`);
}

export function readHead(folder: StateFolder): Head | undefined | 'unreadable' {
  let head = readOnce(folder);
  for (let looks = 1; head === 'unreadable' && looks < MOST_LOOKS; looks += 1) head = readOnce(folder);
  return head;
}

function readOnce(folder: StateFolder): ReturnType<typeof readHead> {
  const text = folder.read(HEAD_NAME, 1_000);
  if (text === undefined) return folder.facts(HEAD_NAME) === undefined ? undefined : 'unreadable';
  return headIn(text) ?? 'unreadable';
}

function headIn(text: string): Head | undefined {
  return readOrUndefined(() =>
    readFields(parseCanonical(text.trimEnd()), (fields) => {
      fields.version();
      return {
        seq: fields.count('seq'),
        sha256: fields.text('sha256', SHA256),
        file: fields.count('file'),
        size: fields.count('size'),
      };
    }),
  );
}
