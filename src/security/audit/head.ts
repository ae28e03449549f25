// Where the trail ends, and what its files are called.

import { Fields, readOrUndefined, SHA256 } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { canonicalJson, parseCanonical } from '../text/canonical-json.ts';

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
/** It is read without the lock, too, and may just be written. */
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

/** Needs the lock, and that everything up to there is durable: so it is never ahead of the trail. */
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
  return readOrUndefined(() => {
    const fields = new Fields(parseCanonical(text.trimEnd()), ['v', 'seq', 'sha256', 'file', 'size']);
    fields.version();
    return {
      seq: fields.count('seq'),
      sha256: fields.text('sha256', SHA256),
      file: fields.count('file'),
      size: fields.count('size'),
    };
  });
}
