// The records of changes: all that is needed to show, undo or complete them. The record of a change is durable before the
// first file is replaced, so it is the write-ahead log: it is named ID.open until it is known how the change ended, and
// ID.json from then on.
import { trailNotWhole } from '../audit/chain-reader.ts';
import type { Log } from '../audit/log.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { FinishedChanges } from '../audit/verify.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { type EncodedRecord, encodeFresh } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { type RemovedText, removedText } from '../secrets/removed-text.ts';
import { isContentId } from '../text/canonical-json.ts';
import { fullId } from '../text/short-id.ts';
import { type AppliedChange, changeIn, type ExactChange } from './applied-change.ts';
import { idsIn } from './retention.ts';

const MOST_CHANGES = 2_000;
const MOST_TOTAL_BYTES = 224e6;
/** What one process keeps before it looks for what is too much: together with the bound above, 256 MB. */
const UNTIDIED = { changes: 200, bytes: 32e6 } as const;
/** A longer record could not be read back, so that the change could not be completed. */
const MOST_BYTES = 256e6;
/** No process takes so long to write a record: one that is still not whole was left by a killed one. */
const TORN_MS = 600_000;

export type ChangeDraft = Omit<AppliedChange, 'v' | 'nonce' | 'at' | 'roots'>;

export interface RecordedChange extends Omit<AppliedChange, 'exact'> {
  readonly id: string;
  /** Not known to have ended: it is being applied now, or its process was killed. */
  readonly isOpen: boolean;
  /** Whether the audit trail has it: else nobody can say that it was applied, and who confirmed it. */
  readonly isRecorded: boolean;
}

export interface ChangeContext {
  readonly folder: StateFolder;
  readonly trail: AuditTrail;
  readonly log: Log;
  /** Hash of the roots that are served: servers of other roots may share the folder. */
  readonly roots: string;
  readonly now: () => Date;
}

/** The changes of these roots. */
export class ChangeStore {
  readonly #context: ChangeContext;
  #isAccounted = false;
  /** Kept by this process since it last looked for what is too much. */
  #untidied = { changes: 0, bytes: 0 };

  constructor(context: ChangeContext) {
    this.#context = context;
  }

  /** Gives the change its id, without keeping it yet. */
  draft(draft: ChangeDraft): EncodedRecord {
    const { now, roots } = this.#context;
    return encodeFresh({ v: 1, at: now().toISOString(), roots, ...draft });
  }

  /** Durable once it returns. Throws IO_ERROR where the audit trail lacks a change that is kept here, and FILE_TOO_LARGE. */
  keep({ id, text }: EncodedRecord): void {
    try {
      const sizeBytes = Buffer.byteLength(text);
      requireReadable(sizeBytes);
      this.requireAccounted();
      this.#makeRoom(sizeBytes);
      this.#context.folder.createDurable(`${id}.open`, text);
    } catch (error) {
      throw stateRefusal('record the change', error, this.#context.log);
    }
  }

  /** A flood of changes must not wait for the timer. Never throws. */
  #makeRoom(sizeBytes: number): void {
    const { changes, bytes } = this.#untidied;
    const isDue = changes >= UNTIDIED.changes || bytes + sizeBytes > UNTIDIED.bytes;
    if (isDue) ignoring('all', () => this.tidy());
    this.#untidied = isDue
      ? { changes: 1, bytes: sizeBytes }
      : { changes: changes + 1, bytes: bytes + sizeBytes };
  }

  /** Once it is recorded how it ended. Never throws: the files are as they are, whatever becomes of the name. */
  finish(id: string): void {
    ignoring('all', () => this.#context.folder.rename(`${id}.open`, `${id}.json`));
  }

  /** Once the files are as they were. One that the trail has as begun stays, for the next start. Never throws. */
  forget(id: string): void {
    ignoring('all', () => {
      if (this.recordedState(id) !== 'begun') this.#remove(id);
    });
  }

  #remove(id: string): void {
    for (const ending of ENDINGS) this.#context.folder.remove(id + ending);
  }

  /** By its id, short or full. Undefined where there is none of these roots, or what is kept is not what the id names. */
  find(name: string): RecordedChange | undefined {
    const id = fullId('ch', name, () => changeIds(this.#context.folder));
    if (id === undefined) return undefined;
    const change = wholeChange(this.#context.folder, id);
    if (change?.roots !== this.#context.roots) return undefined;
    // A trail that is not whole says nothing for it.
    const isRecorded = ignoring('all', () => this.#context.trail.hasChange(id)) === true;
    const { exact: _, ...shown } = change;
    return { ...shown, id, isRecorded };
  }

  /** Within this layer only: what the change does to the bytes of files in which something is masked. */
  exactlyOf(id: string): readonly ExactChange[] {
    return wholeChange(this.#context.folder, id)?.exact ?? [];
  }

  /** What the change has removed from the file that was masked, for a person who undoes it. */
  removedFrom(id: string, file: string): RemovedText {
    return removedText(this.exactlyOf(id).flatMap((one) => (one.file === file ? one.removed : [])));
  }

  /** Whether it is kept for servers of other roots, whose files it is about. */
  isForeign(id: string): boolean {
    const change = wholeChange(this.#context.folder, id);
    return change !== undefined && change.roots !== this.#context.roots;
  }

  /** Compares all changes with the trail once; later records have been read, and the trail notices itself if they go. */
  requireAccounted(): void {
    this.#context.trail.readOn();
    if (this.#isAccounted) return;
    if (idsIn(this.#context.folder.names()).some((id) => this.#isMissed(id))) throw trailNotWhole();
    this.#isAccounted = true;
  }

  /** Whether the trail has lost its records, other than by a power cut, which takes only what was noted. */
  #isMissed(id: string): boolean {
    const { folder, trail } = this.#context;
    if (trail.hasChange(id)) return false;
    const change = wholeChange(folder, id);
    return trail.isEmpty ? change !== undefined : change?.preview !== undefined;
  }

  /** Newest first. */
  ids(): readonly string[] {
    return this.#kept().map(({ id }) => id);
  }

  /** With their sizes; newest first. */
  #kept(): readonly { readonly id: string; readonly sizeBytes: number }[] {
    const { folder } = this.#context;
    return changeIds(folder)
      .map((id) => {
        const { mtimeNs = 0n, sizeBytes = 0 } =
          folder.facts(`${id}.json`) ?? folder.facts(`${id}.open`) ?? {};
        return { id, mtimeNs, sizeBytes };
      })
      .sort((a, b) => (a.mtimeNs > b.mtimeNs ? -1 : 1));
  }

  /** Whether there is one that is being made now, or whose process was killed. */
  hasOpen(): boolean {
    return idsIn(this.#context.folder.names(), '.open').length > 0;
  }

  /** Of these roots: changes that are being made now, whose process was killed, or whose end a power cut took. */
  unfinished(): readonly string[] {
    const { folder, trail } = this.#context;
    const open = idsIn(folder.names(), '.open').filter((id) => !this.#isTorn(id));
    const finished = idsIn(folder.names());
    trail.readOn();
    // A power cut took the record of how it ended, or all of them where it had no preview.
    const unended = finished.filter((id) => trail.isOpen(id) || !(trail.hasChange(id) || this.#isMissed(id)));
    return [...open, ...unended].filter((id) => this.find(id) !== undefined);
  }

  /** Whether its process died before its record was whole, so that no file was touched. Removes such a record once it is old. */
  #isTorn(id: string): boolean {
    const { folder } = this.#context;
    if (changeAt(folder, id, '.open') !== undefined) return false;
    const { mtimeNs = 0n, kind } = folder.facts(`${id}.open`) ?? {};
    const isOld = Date.now() - Number(mtimeNs / 1_000_000n) > TORN_MS;
    if (kind === 'file' && isOld) folder.remove(`${id}.open`);
    return true;
  }

  /** By the audit trail: `begun` where its files may have been replaced, and it is not recorded how it ended. */
  recordedState(id: string): 'unknown' | 'begun' | 'ended' {
    this.#context.trail.readOn();
    if (!this.#context.trail.hasChange(id)) return 'unknown';
    return this.#context.trail.isOpen(id) ? 'begun' : 'ended';
  }

  /** The oldest go where there are too many: a bounded history. */
  tidy(): void {
    let bytes = 0;
    for (const [index, { id, sizeBytes }] of this.#kept().entries()) {
      bytes += sizeBytes;
      if (index >= MOST_CHANGES || bytes > MOST_TOTAL_BYTES) this.forget(id);
    }
  }
}

function requireReadable(actual: number): void {
  if (actual <= MOST_BYTES) return;
  throw new Refusal(
    'FILE_TOO_LARGE',
    `Cannot record the change: all of its files have ${actual} bytes, and ${MOST_BYTES} are allowed. Send fewer of them at a time.`,
    {},
    { limit: { name: 'change_size', allowed: MOST_BYTES, actual, unit: 'bytes' } },
  );
}

const ENDINGS = ['.open', '.json'] as const;

/** Of all that are kept, open or not, of any roots. */
export function changeIds(folder: StateFolder): readonly string[] {
  return [...new Set(ENDINGS.flatMap((ending) => idsIn(folder.names(), ending)))];
}

/** For comparing them with the trail. */
export function finishedChanges(folder: StateFolder, previews: StateFolder): FinishedChanges {
  return {
    ids: idsIn(folder.names()),
    isWhole: (id) => wholeChange(folder, id) !== undefined,
    isOfPreview: (id) => wholeChange(folder, id)?.preview !== undefined,
    previews: idsIn(previews.names()),
  };
}

/** Undefined unless what is kept is exactly what the id names. */
function wholeChange(
  folder: StateFolder,
  id: string,
): (AppliedChange & { readonly isOpen: boolean }) | undefined {
  if (!isContentId(id)) return undefined;
  // In this order: meanwhile it may be renamed from the first to the second.
  return changeAt(folder, id, '.open') ?? changeAt(folder, id, '.json');
}

function changeAt(folder: StateFolder, id: string, ending: (typeof ENDINGS)[number]) {
  const text = folder.read(id + ending, MOST_BYTES);
  const change = text === undefined ? undefined : changeIn(id, text);
  return change && { ...change, isOpen: ending === '.open' };
}
