// The audit trail: one chain of lines over numbered files, appended to by one process at a time. What is
// appended is durable before `append` returns, and so is all that was noted before it. It refuses to go on behind
// a trail that does not end where its head says; it does NOT notice a change further up: that is what verifying is for.
import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Lock } from '../locking/lock.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { sha256Hex } from '../text/canonical-json.ts';
import {
  follows,
  GENESIS,
  type Head,
  lineOf,
  readHead,
  trailName,
  trailNumbers,
  wholeLines,
  writeHead,
} from './record.ts';

const ROTATE_BYTES = 10_000_000;
const MOST_TAIL_BYTES = 64_000_000;
/** What was noted is on the disk by then, and the head knows of it. */
const FLUSH_AFTER_MS = 500;

export interface TrailOptions {
  readonly folder: StateFolder;
  readonly lock: () => Lock;
  readonly now: () => Date;
  readonly rotateBytes?: number;
}

export class AuditTrail {
  readonly #options: Required<TrailOptions>;
  /** Where this process last saw it end; others may have led it on since. */
  #seen: Head | undefined;
  #flushing: NodeJS.Timeout | undefined;

  constructor(options: TrailOptions) {
    this.#options = { rotateBytes: ROTATE_BYTES, ...options };
  }

  /**
   * All of them or none, with one flush; answers the end of the chain behind each. Throws where they cannot be
   * kept: then do not do what they say.
   */
  append(...records: readonly Readonly<Record<string, unknown>>[]): readonly Head[] {
    return this.#add(records, true);
  }

  /** Asks with the lock held, so that nothing comes between the answer and the records; keeps none where it throws. */
  appendIf(ask: () => void, ...records: readonly Readonly<Record<string, unknown>>[]): readonly Head[] {
    return this.#add(records, true, ask);
  }

  /**
   * Appends without fsync: a power cut may lose a suffix of what was noted, and never anything from between. The head does not know of it at once: a head that is ahead of the disk
   * would pass for a trail that somebody cut.
   */
  note(...records: readonly Readonly<Record<string, unknown>>[]): readonly Head[] {
    const ends = this.#add(records, false);
    this.#flushing ??= setTimeout(() => {
      this.#flushing = undefined;
      this.flush();
    }, FLUSH_AFTER_MS).unref();
    return ends;
  }

  /** Makes durable what was noted, and lets the head know. Never throws: the next record says what is wrong. */
  flush(): void {
    const { folder } = this.#options;
    // Somebody else may have the lock for long, or the disk be gone.
    ignoring('all', () =>
      this.#locked(() => {
        const head = readHead(folder);
        // Nothing was noted behind no head.
        if (typeof head !== 'object') return;
        const end = this.#end();
        if (head.seq === end.seq) return;
        folder.sync(trailName(end.file));
        writeHead(folder, end);
      }),
    );
  }

  #locked<Result>(act: () => Result): Result {
    const held = this.#options.lock();
    try {
      return act();
    } finally {
      held.release();
    }
  }

  #add(
    records: readonly Readonly<Record<string, unknown>>[],
    isDurable: boolean,
    ask?: () => void,
  ): readonly Head[] {
    const { folder, now, rotateBytes } = this.#options;
    return this.#locked(() => {
      ask?.();
      const last = this.#end();
      const at = now().toISOString();
      let link = { seq: last.seq, sha256: last.sha256 };
      const lines = records.map((record) => {
        const { line, sha256 } = lineOf({ seq: link.seq + 1, prev: link.sha256 }, at, record);
        link = { seq: link.seq + 1, sha256 };
        return { ...link, line: `${line}\n` };
      });
      const text = lines.map(({ line }) => line).join('');
      const isFull = last.size > 0 && last.size + Buffer.byteLength(text) > rotateBytes;
      // The head may be one file behind, and no more; and from the first record on a trail cut to nothing is missed.
      const mustLast = isDurable || isFull || last.seq === 0;
      if (isFull) folder.sync(trailName(last.file));
      const file = isFull ? last.file + 1 : last.file;
      folder.append(trailName(file), text, mustLast);
      let size = isFull ? 0 : last.size;
      const heads = lines.map(({ seq, sha256, line }): Head => {
        size += Buffer.byteLength(line);
        return { seq, sha256, file, size };
      });
      this.#seen = heads.at(-1) ?? last;
      // An older head is led on by the lines behind it, which are durable.
      if (mustLast) writeHead(folder, this.#seen);
      return heads;
    });
  }

  /** Where the chain ends now, with what a killed process left put right. Needs the lock. */
  #end(): Head {
    const { folder } = this.#options;
    const head = readHead(folder);
    if (head === 'unreadable') throw broken();
    if (head === undefined) return this.#begun();
    const seen = this.#seen ?? head;
    const known = seen.seq > head.seq ? seen : head;
    const size = folder.facts(trailName(known.file))?.sizeBytes ?? (known.seq === 0 ? 0 : undefined);
    if (size === undefined || size < known.size) throw broken();
    // A process may have been killed between a line and the head, or between a new file's first line and it.
    const end = size > known.size ? this.#advanced(known) : known;
    return folder.facts(trailName(end.file + 1)) === undefined
      ? end
      : this.#advanced({ ...end, file: end.file + 1, size: 0 });
  }

  /** The head is there before the first record: a trail without one has lost it. */
  #begun(): Head {
    const { folder } = this.#options;
    if (trailNumbers(folder).length > 0) throw broken();
    const start = { ...GENESIS, file: 1, size: 0 };
    writeHead(folder, start);
    return start;
  }

  /**
   * Over whole lines that belong to the chain. A line without an end, or with the zeros that a power cut leaves, was
   * never finished, and nothing was done on its strength.
   */
  #advanced(head: Head): Head {
    const { folder } = this.#options;
    const name = trailName(head.file);
    const text = folder.read(name, MOST_TAIL_BYTES, head.size);
    if (text === undefined) throw broken();
    let last = head;
    for (const line of wholeLines(text)) {
      if (!follows(line, last)) throw broken();
      const size = last.size + Buffer.byteLength(line) + 1;
      last = { seq: last.seq + 1, sha256: sha256Hex(line), file: head.file, size };
    }
    if (last.size < head.size + Buffer.byteLength(text)) folder.cutTo(name, last.size);
    return last;
  }
}

function broken(): Refusal {
  return new Refusal(
    'IO_ERROR',
    'Cannot write: the audit trail does not end where its head says. The operator should run "config-airlock audit verify".',
  );
}
