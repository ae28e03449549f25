// What the trail says has become of each preview: so that a mark of use or a decision that somebody took out of
// the state directory is missed. Read once, then only what has come since; what was read before must still be
// there. It does NOT notice a trail that was written anew before this process first read it: for that, compare
// its head with one that was kept elsewhere.
import { Refusal } from '../errors/refusal.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { parsedJson, sha256Hex } from '../text/canonical-json.ts';
import { GENESIS, type Head, readHead, trailName, wholeLines } from './record.ts';

type DecisionKind = 'approve' | 'reject' | 'part';

/** What one reviewer has decided about one preview. */
export interface LatestDecision {
  readonly last: DecisionKind;
  /** When each was last recorded. */
  readonly at: Readonly<Partial<Record<DecisionKind, string>>>;
}

/** Of one preview. */
export interface PreviewStatus {
  /** By the names of the reviewers. */
  readonly latest: ReadonlyMap<string, LatestDecision>;
  /** A "no" stands, whatever the same reviewer says later. */
  readonly rejectedBy: string | undefined;
  /** What it became, or may have become: its process may have died before it could say. */
  readonly changeId: string | undefined;
}

interface Place extends Head {
  /** Where the last line begins, in the same file. */
  readonly from: number;
}

const MOST_FILE_BYTES = 64_000_000;
/** Kept in memory; of an older one the trail is read again, for nothing that was used or rejected may be forgotten. */
const MOST_KNOWN = 100_000;
const UNKNOWN: PreviewStatus = { latest: new Map(), rejectedBy: undefined, changeId: undefined };

export class AuditIndex {
  readonly #folder: StateFolder;
  readonly #statuses = new Map<string, PreviewStatus>();
  /** Whose files were, or may have been, replaced. */
  readonly #changes = new Map<
    string,
    { readonly preview: string | undefined; readonly isCertain: boolean }
  >();
  readonly #mostKnown: number;
  /** The one preview that is of interest, if not all are. */
  readonly #only: string | undefined;
  #hasForgotten = false;
  #end: Place = { ...GENESIS, file: 1, size: 0, from: 0 };

  /** `mostKnown` is for tests. */
  constructor(folder: StateFolder, mostKnown = MOST_KNOWN, only?: string) {
    this.#folder = folder;
    this.#mostKnown = mostKnown;
    this.#only = only;
  }

  /** Throws IO_ERROR where the trail is no longer the one that it was, or no chain; as all of these do. */
  statusOf(previewId: string): PreviewStatus {
    this.readOn();
    return this.statusSoFar(previewId);
  }

  /** By what was read so far: for asking about many at one moment. */
  statusSoFar(previewId: string): PreviewStatus {
    const known = this.#known(previewId);
    if (known !== undefined) return known;
    const found = new AuditIndex(this.#folder, Number.POSITIVE_INFINITY, previewId).statusOf(previewId);
    this.#keep(this.#statuses, previewId, found);
    return found;
  }

  /** Whether there is a record that its files were, or may have been, replaced. */
  hasChange(changeId: string): boolean {
    if (!this.#changes.has(changeId)) this.readOn();
    return this.#changes.has(changeId);
  }

  /** Whether its last record is an intent without an outcome, by what was read so far. */
  isOpen(changeId: string): boolean {
    return this.#changes.get(changeId)?.isCertain === false;
  }

  /** What has come since. */
  readOn(): void {
    // Before the lines: it is never ahead of them.
    const head = readHead(this.#folder);
    if (head === 'unreadable') throw trailNotWhole();
    let isHeadMet = head === undefined || isAt(head, this.#end);
    for (;;) {
      // Before its lines as well: nothing is added to a file once there is a next one.
      const hasNext = this.#folder.facts(trailName(this.#end.file + 1)) !== undefined;
      for (const line of this.#newLines(hasNext)) {
        this.#take(line);
        isHeadMet ||= head !== undefined && isAt(head, this.#end);
      }
      if (!hasNext) break;
      this.#end = { ...this.#end, file: this.#end.file + 1, size: 0, from: 0 };
    }
    // A head that is behind was left by a process that was killed; one that is ahead was not.
    const isBehind = head !== undefined && head.seq < this.#end.seq;
    if (!isHeadMet && !isBehind) throw trailNotWhole();
    // It is there before the first record, which may have come meanwhile.
    if (head === undefined && this.#end.seq > 0 && readHead(this.#folder) === undefined)
      throw trailNotWhole();
  }

  /** Whole lines behind the last one that was read, which must still be there. */
  #newLines(hasNext: boolean): readonly string[] {
    const { file, size, from, seq, sha256 } = this.#end;
    const text = this.#folder.read(trailName(file), MOST_FILE_BYTES, from);
    if (text === undefined) {
      if (seq > 0 || hasNext) throw trailNotWhole();
      return [];
    }
    const lines = wholeLines(text);
    if (size === 0) return lines;
    const [last = '', ...rest] = lines;
    if (sha256Hex(last) !== sha256) throw trailNotWhole();
    return rest;
  }

  #take(line: string): void {
    // What is no object has no number either, and so no place in the chain.
    const record: Entry = Object(parsedJson(line));
    const { seq, sha256, file, size } = this.#end;
    if (record['seq'] !== seq + 1 || record['prev'] !== sha256) throw trailNotWhole();
    this.#note(record);
    this.#end = {
      ...{ seq: seq + 1, sha256: sha256Hex(line), file },
      ...{ from: size, size: size + Buffer.byteLength(line) + 1 },
    };
  }

  #note(record: Entry): void {
    const [action, preview] = [textOf(record, 'action'), textOf(record, 'preview')];
    if (this.#only !== undefined && preview !== this.#only) return;
    if (action === 'commit' || action === 'recover') this.#noteOutcome(record, preview);
    const reviewer = textOf(record, 'reviewer');
    if (preview === undefined || reviewer === undefined) return;
    if (action !== 'approve' && action !== 'reject' && action !== 'part') return;
    const before = this.#known(preview);
    if (before === undefined) return;
    const times = before.latest.get(reviewer)?.at ?? {};
    // The latest of them, wherever it stands: a record that somebody adds makes none of the others older.
    const [time, earlier] = [textOf(record, 'time') ?? '', times[action] ?? ''];
    const at = { ...times, [action]: time < earlier ? earlier : time };
    const latest = new Map(before.latest).set(reviewer, { last: action, at });
    const rejectedBy = action === 'reject' ? reviewer : before.rejectedBy;
    this.#keep(this.#statuses, preview, { ...before, latest, rejectedBy });
  }

  #noteOutcome(record: Entry, preview: string | undefined): void {
    const [change, outcome] = [textOf(record, 'change_id'), textOf(record, 'outcome')];
    if (change === undefined || outcome === undefined) return;
    // A file that could not be put back has no code: it may be the new one.
    const isUndone =
      ['rolled_back', 'refused'].includes(outcome) || (outcome === 'failed' && 'code' in record);
    const known = this.#changes.get(change);
    if (isUndone) {
      if (known?.isCertain === false) this.#forget(change, known.preview);
      return;
    }
    this.#keep(this.#changes, change, {
      preview,
      isCertain: outcome !== 'intent' || known?.isCertain === true,
    });
    if (preview === undefined) return;
    const before = this.#known(preview);
    if (before === undefined) return;
    const isSettled = this.#changes.get(before.changeId ?? '')?.isCertain === true;
    if (!isSettled) this.#keep(this.#statuses, preview, { ...before, changeId: change });
  }

  /** Undefined for one that may have been forgotten: better nothing is known of it than a part. */
  #known(previewId: string): PreviewStatus | undefined {
    return this.#statuses.get(previewId) ?? (this.#hasForgotten ? undefined : UNKNOWN);
  }

  #keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
    map.delete(key);
    map.set(key, value);
    const [oldest] = map.size > this.#mostKnown ? map.keys() : [];
    if (oldest === undefined) return;
    map.delete(oldest);
    this.#hasForgotten = true;
  }

  #forget(change: string, preview = ''): void {
    this.#changes.delete(change);
    const fate = this.#statuses.get(preview);
    if (fate?.changeId === change) this.#keep(this.#statuses, preview, { ...fate, changeId: undefined });
  }
}

/** Begins as the refusal of a broken trail does: explain_error recognises both by that. */
export function trailNotWhole(): Refusal {
  return new Refusal(
    'IO_ERROR',
    'Cannot write: the audit trail is not whole, or not the one that it was. The operator should run "config-airlock audit verify".',
  );
}

type Entry = Readonly<Record<string, unknown>>;

function textOf(record: Entry, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' ? value : undefined;
}

function isAt(head: Head, end: Place): boolean {
  return head.seq === end.seq && head.sha256 === end.sha256;
}
