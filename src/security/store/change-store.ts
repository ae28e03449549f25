// What was applied: enough to account for it and to undo it. A change is written down before the files are
// touched and stays open until it is known how that ended, so that a crash in between is found and settled.
import { trailNotWhole } from '../audit/chain-reader.ts';
import type { Log } from '../audit/log.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { FinishedChanges } from '../audit/verify.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { bootedAtMs, isCertainlyDead, parseOwner, thisProcess } from '../locking/lock-owner.ts';
import { type EncodedRecord, encodeFresh } from '../records/fields.ts';
import type { StateFolder, Unsynced } from '../records/state-folder.ts';
import { canonicalJson, isContentId } from '../text/canonical-json.ts';
import { type AppliedChange, changeIn } from './applied-change.ts';

const MOST_BYTES = 32e6;
const MOST_CHANGES = 2_000;
const MOST_TOTAL_BYTES = 256e6;

export type ChangeDraft = Omit<AppliedChange, 'v' | 'nonce' | 'at' | 'roots'>;

export interface RecordedChange extends AppliedChange {
  readonly id: string;
  /** Not known to be carried through: it is being applied now, or its process was killed. */
  readonly isOpen: boolean;
  /** Whether the audit trail knows of it: else nobody can say that it was applied, and who confirmed it. */
  readonly isRecorded: boolean;
}

export interface ChangeContext {
  readonly folder: StateFolder;
  readonly trail: AuditTrail;
  readonly log: Log;
  /** Of the servers' that share the folder, whose they are. */
  readonly roots: string;
  readonly now: () => Date;
}

/** The changes of these roots: a folder may be shared with servers of others, whose files are not ours to judge. */
export class ChangeStore {
  readonly #context: ChangeContext;
  #isAccounted = false;

  constructor(context: ChangeContext) {
    this.#context = context;
  }

  /** Gives the change its id, without keeping it yet. */
  draft(draft: ChangeDraft): EncodedRecord {
    const { now, roots } = this.#context;
    return encodeFresh({ v: 1, at: now().toISOString(), roots, ...draft });
  }

  /**
   * Before the files are touched; durable only after `sync`. Throws IO_ERROR where the audit trail lacks a change that is
   * kept here.
   */
  begin({ id, text }: EncodedRecord): Unsynced {
    const begun = this.#recording(id, () => {
      this.#requireAccounted();
      // Its name is durable with the next one; its contents may be lost, and an empty mark says as much.
      this.#context.folder.put(`${id}.open`, canonicalJson(thisProcess()));
      const created = this.#context.folder.createAhead(`${id}.json`, text);
      if (created === undefined) throw new Error('there is a change of this id');
      return created;
    });
    return { sync: () => this.#recording(id, begun.sync), close: begun.close };
  }

  #recording<Result>(id: string, act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      ignoring('all', () => this.abandon(id));
      throw stateRefusal('record the change', error, this.#context.log);
    }
  }

  /** The files are as the change says. Never throws: that has happened, whatever becomes of the mark. */
  finish(id: string): void {
    ignoring('all', () => this.#context.folder.remove(`${id}.open`));
    // From now on the trail cannot lose the record of it unnoticed.
    ignoring('all', () => this.#context.trail.readOn());
  }

  /** The files are as they were. */
  abandon(id: string): void {
    this.#context.folder.remove(`${id}.json`);
    this.#context.folder.remove(`${id}.open`);
  }

  /** Undefined where there is none of these roots, or what is kept is not what the id names. */
  find(id: string): RecordedChange | undefined {
    const change = this.#read(id);
    return change?.roots === this.#context.roots ? change : undefined;
  }

  #read(id: string): RecordedChange | undefined {
    if (!isContentId(id)) return undefined;
    const change = wholeChange(this.#context.folder, id);
    if (change === undefined) return undefined;
    const isOpen = this.#context.folder.facts(`${id}.open`) !== undefined;
    return { ...change, id, isOpen, isRecorded: this.#isRecorded(id) };
  }

  #isRecorded(id: string): boolean {
    // A trail that is not whole says nothing for it.
    return ignoring('all', () => this.#context.trail.hasChange(id)) === true;
  }

  /** All changes once: one that comes later is missed by the audit index itself, which has read of it. */
  #requireAccounted(): void {
    this.#context.trail.readOn();
    if (this.#isAccounted) return;
    const isMissed = finishedIds(this.#context.folder).some(
      (id) => !this.#context.trail.hasChange(id) && wholeChange(this.#context.folder, id) !== undefined,
    );
    if (isMissed) throw trailNotWhole();
    this.#isAccounted = true;
  }

  /** Newest first. */
  ids(): readonly string[] {
    return this.#kept().map(({ id }) => id);
  }

  /** Each looked at once; newest first. */
  #kept(): readonly { readonly id: string; readonly sizeBytes: number }[] {
    return idsWith(this.#context.folder, '.json')
      .filter(isContentId)
      .map((id) => {
        const { mtimeNs = 0n, sizeBytes = 0 } = this.#context.folder.facts(`${id}.json`) ?? {};
        return { id, mtimeNs, sizeBytes };
      })
      .sort((a, b) => (a.mtimeNs > b.mtimeNs ? -1 : 1));
  }

  /** Whether one was begun and has not come to its end: it is being made, or its process was killed. */
  hasOpen(): boolean {
    return idsWith(this.#context.folder, '.open').length > 0;
  }

  /** Changes whose process, or thread, was killed before it could say how they ended, or whose end a power cut took. */
  orphans(): readonly string[] {
    return [...this.#unfinished(), ...this.#untold()];
  }

  /** Finished, but the trail knows of the intent only: what was noted of the end had not reached the disk. */
  #untold(): readonly string[] {
    const finished = finishedIds(this.#context.folder);
    this.#context.trail.readOn();
    return finished.filter((id) => this.#context.trail.isOpen(id) && this.find(id) !== undefined);
  }

  #unfinished(): readonly string[] {
    return idsWith(this.#context.folder, '.open').filter((id) => {
      const facts = this.#context.folder.facts(`${id}.open`);
      const owner = parseOwner(this.#context.folder.read(`${id}.open`, 2_000) ?? '');
      if (facts === undefined) return false;
      const change = this.#read(id);
      if (change !== undefined && change.roots !== this.#context.roots) return false;
      const writtenMs = Number(facts.ctimeNs / 1_000_000n);
      // A power cut can leave the name without the owner.
      return owner === undefined ? writtenMs < bootedAtMs() : isCertainlyDead(owner, writtenMs);
    });
  }

  /** How far it came by the audit trail: `begun` where its files may have been replaced, and nobody said how it ended. */
  recordedState(id: string): 'never begun' | 'begun' | 'ended' {
    if (!this.#context.trail.hasChange(id)) return 'never begun';
    return this.#context.trail.isOpen(id) ? 'begun' : 'ended';
  }

  /** When the change was begun, by the clock of the disk; 0 where it is not open. */
  openedAtMs(id: string): number {
    return Number((this.#context.folder.facts(`${id}.open`)?.mtimeNs ?? 0n) / 1_000_000n);
  }

  /** The oldest go where there are too many: a bounded history. */
  tidy(): void {
    let bytes = 0;
    for (const [index, { id, sizeBytes }] of this.#kept().entries()) {
      bytes += sizeBytes;
      if (index >= MOST_CHANGES || bytes > MOST_TOTAL_BYTES) this.abandon(id);
    }
  }
}

/** Of changes that were carried through, or may have been: their records are older than these. */
export function finishedIds(folder: StateFolder): readonly string[] {
  // Looked at once: one that is begun meanwhile would else seem to be finished.
  const names = folder.names();
  const open = new Set(idsIn(names, '.open'));
  return idsIn(names, '.json').filter((id) => isContentId(id) && !open.has(id));
}

/** For comparing them with the trail. */
export function finishedChanges(folder: StateFolder, previews: StateFolder): FinishedChanges {
  return {
    ids: finishedIds(folder),
    isWhole: (id) => wholeChange(folder, id) !== undefined,
    previews: idsIn(previews.names(), '.json'),
  };
}

/** Undefined unless what is kept is what the id names, to its last byte. */
function wholeChange(folder: StateFolder, id: string): AppliedChange | undefined {
  const text = folder.read(`${id}.json`, MOST_BYTES);
  return text === undefined ? undefined : changeIn(id, text);
}

function idsWith(folder: StateFolder, ending: string): readonly string[] {
  return idsIn(folder.names(), ending);
}

function idsIn(names: readonly string[], ending: string): readonly string[] {
  return names.flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
}
