// Keeps previews, and the events about them: the audit trail. Each operation is atomic. The trail alone says what was applied, used or
// rejected; the columns beside a preview's body are for finding it, and are filled when it is kept.
import { idPrefix, randomHex, shortOf } from './canonical.ts';
import { type Driver, type Rows, StateFault, Turns } from './driver.ts';
import {
  type Event,
  isClosed,
  type ListedChange,
  type PreviewStatus,
  statusOf,
  type TrailPoint,
} from './event.ts';
import type { EncodedPreview, Preview } from './preview.ts';
import {
  addTexts,
  type Bounds,
  dropOldWrites,
  insertPreview,
  keptAt,
  listedWrites,
  makeRoom,
  type OpenWrite,
  openWrites,
  type Scope,
  unrecorded,
  type WaitingPreview,
  waitingPreviews,
} from './previews.ts';
import { type Identity, newTables, readIdentity } from './tables.ts';
import {
  appendTo,
  eventsAbout,
  eventsOf,
  GENESIS,
  headAfter,
  holds,
  requireWholeEnd,
  rowsAfter,
  type TrailRow,
} from './trail.ts';

export interface KeptPreview {
  readonly id: string;
  /** The content; undefined if it does not have the hash in the id, or if only the trail has the id. */
  readonly preview: Preview | undefined;
  readonly isKept: boolean;
  readonly status: PreviewStatus;
}

export type Begun =
  | { readonly state: 'begun'; readonly end: TrailPoint }
  /** Somebody has applied the preview, or is applying it. */
  | { readonly state: 'used' }
  /** Somebody has decided since the approval was checked. */
  | { readonly state: 'decided' }
  /** It is no longer kept. */
  | { readonly state: 'gone' };

export interface Claim {
  /** `decidedAt` of the status that was checked. */
  readonly decidedAt: number;
  /** The preview that it is a part of, whose rejection counts as well. */
  readonly whole?: string | undefined;
}

/** Opens a state, and makes its tables if there are none. Throws StateFault; `evenDamaged` opens one with a damaged trail as well. */
export async function openStore(driver: Driver, evenDamaged = false): Promise<Store> {
  try {
    await driver.create(newTables());
    return await driver.read(async (rows) => {
      const identity = await readIdentity(rows);
      if (evenDamaged) return new Store(driver, identity);
      const end = await requireWholeEnd(rows);
      if ((await unrecorded(rows)).length > 0) throw new StateFault('damaged');
      return new Store(driver, identity, end);
    });
  } catch (error) {
    await driver.close();
    throw error;
  }
}

export class Store implements Identity {
  readonly id: string;
  readonly maskingKey: string;
  readonly #driver: Driver;
  /** The last event that was seen. Nothing is written to a trail without it, because it was replaced. */
  #seen: TrailPoint;

  /** @internal Made by `openStore`, and for a state that cannot be used. */
  constructor(driver: Driver, { id, maskingKey }: Identity, seen = GENESIS) {
    this.#driver = driver;
    this.id = id;
    this.maskingKey = maskingKey;
    this.#seen = seen;
  }

  /**
   * Keeps a preview with its event. `no room` means that too many wait for a person, of which none is dropped. `joins` is the event of
   * the preview whose place it takes; `gone` means that this one is no longer kept, was rejected, or is being applied.
   */
  async keep(
    preview: EncodedPreview,
    event: Event,
    { bounds, joins }: { readonly bounds: Bounds; readonly joins?: Event | undefined },
  ): Promise<'kept' | 'no room' | 'gone'> {
    try {
      return await this.#write<'kept' | 'gone'>(false, async ({ rows, append }) => {
        if (joins !== undefined && !(await dropUnused(rows, joins.about ?? ''))) return 'gone';
        const { seq } = await append(joins === undefined ? [event] : [joins, event]);
        await insertPreview(rows, seq, preview);
        if (!(await makeRoom(rows, preview, event.time, bounds))) throw new NoRoom();
        return 'kept';
      });
    } catch (error) {
      if (error instanceof NoRoom) return 'no room';
      throw error;
    }
  }

  /** Finds a preview by its short or full id; undefined if neither a preview nor the trail has it. */
  async find(name: string): Promise<KeptPreview | undefined> {
    const prefix = idPrefix(name);
    if (prefix === undefined) return undefined;
    // A preview may have thousands of files, and other work goes on while it is read.
    const turns = new Turns();
    return this.#driver.read(async (rows) => {
      const known = await eventsAbout(rows, shortOf(prefix));
      const ids = new Set(known.flatMap(({ event: { about } }) => about ?? []));
      const [id, another] = [...ids].filter((one) => one.startsWith(prefix));
      if (id === undefined || another !== undefined) return undefined;
      const events = known.filter(({ event }) => event.about === id);
      await turns.next();
      const kept = await keptAt(rows, { seq: events[0]?.seq ?? 0, id }, turns);
      return { id, preview: kept?.preview, isKept: kept !== undefined, status: statusOf(events) };
    });
  }

  statusOf(id: string): Promise<PreviewStatus> {
    return this.#driver.read(async (rows) => statusOf(await eventsOf(rows, id)));
  }

  /** Returns the previews of any roots that nobody has begun to apply, oldest first. */
  waiting(): Promise<readonly WaitingPreview[]> {
    return this.#driver.read(waitingPreviews);
  }

  /** Removes a preview that nobody has begun to apply. */
  drop(id: string): Promise<void> {
    return this.#remove('id = $1', id);
  }

  /** Removes such previews that had expired by this time. */
  dropExpired(now: string): Promise<void> {
    return this.#remove('expires_at <= $1', now);
  }

  #remove(which: string, value: string): Promise<void> {
    return this.#write(false, async ({ rows }) => {
      await rows(`DELETE FROM previews WHERE state = 'waiting' AND ${which}`, value);
    });
  }

  /** Records a decision; undefined, with nothing recorded, if the preview was used or joined, or is being applied. */
  decide(id: string, events: readonly Event[]): Promise<TrailPoint | undefined> {
    return this.#write(true, async ({ rows, append }) => {
      const { write, joinedInto } = statusOf(await eventsOf(rows, id));
      return write === undefined && joinedInto === undefined ? append(events) : undefined;
    });
  }

  /**
   * Begins a write with the event `begun`; it is durable when this returns. `shown` is the preview of a write that nobody was shown
   * before, or the bases of one that was kept without them.
   */
  begin(event: Event, claim: Claim, shown?: EncodedPreview | readonly string[]): Promise<Begun> {
    const { about: id = '' } = event;
    return this.#write<Begun>(true, async ({ rows, append, head }) => {
      const events = await eventsOf(rows, id);
      const status = statusOf(events);
      if (status.write !== undefined) return { state: 'used' };
      const isWholeClosed =
        claim.whole !== undefined && isClosed(statusOf(await eventsOf(rows, claim.whole)));
      if (isWholeClosed || status.decidedAt !== claim.decidedAt) return { state: 'decided' };
      const begun = head.seq + 1;
      const direct = shown !== undefined && 'id' in shown ? shown : undefined;
      const seq = direct === undefined ? (events[0]?.seq ?? 0) : begun;
      if (direct !== undefined) await insertPreview(rows, begun, direct);
      const kept = await rows(
        "UPDATE previews SET state = 'open', begun = $1 WHERE seq = $2 RETURNING seq",
        ...[begun, seq],
      );
      if (kept.length === 0) return { state: 'gone' };
      if (shown !== undefined && !('id' in shown)) await addTexts(rows, seq, shown);
      await dropOldWrites(rows);
      return { state: 'begun', end: await append([event]) };
    });
  }

  /**
   * Records the end of a write, durably, because the journal forgets the write after it. After `rolled_back` the preview can be applied
   * again. Does nothing if it has ended.
   */
  end(event: Event): Promise<TrailPoint> {
    const { about: id = '', type } = event;
    return this.#write(true, async ({ rows, append, head }) => {
      const events = await eventsOf(rows, id);
      const { write, begun } = statusOf(events);
      if (write !== 'open') return head;
      const [first] = events;
      const seq = first?.seq ?? 0;
      if (type === 'rolled_back') {
        const wasShown = first?.event.type === 'previewed';
        if (wasShown) await rows("UPDATE previews SET state = 'waiting', begun = NULL WHERE seq = $1", seq);
        else await rows('DELETE FROM previews WHERE seq = $1', seq);
        return append([event]);
      }
      await rows('UPDATE previews SET state = $1 WHERE seq = $2', type, seq);
      const { origin } = begun?.event ?? {};
      if (type !== 'applied' || origin?.kind !== 'revert') return append([event]);
      const part = origin.part === true ? ({ part: true } as const) : {};
      const undone = { type: 'undone', about: origin.change_id, by: id, ...part } as const;
      return append([event, { time: event.time, files: [], ...undone }]);
    });
  }

  /** Lists writes of these roots, or of all, newest first; with `before`, only earlier ones. */
  list(scope: Scope): Promise<readonly ListedChange[]> {
    return this.#driver.read((rows) => listedWrites(rows, scope));
  }

  /** Returns the writes that have begun and not ended, on any machine. */
  open(): Promise<readonly OpenWrite[]> {
    return this.#driver.read(openWrites);
  }

  /** Returns the kept writes about which the trail says something else. There is none unless the state was altered. */
  unrecorded(): Promise<readonly string[]> {
    return this.#driver.read(unrecorded);
  }

  /** Appends an event with a `notice`, durably; false, with nothing appended, if the trail has one with the same `notice`. */
  notify(event: Event): Promise<boolean> {
    return this.#write(true, async ({ rows, append }) => {
      const taken = await rows('SELECT seq FROM trail WHERE notice = $1', event.notice ?? '');
      if (taken.length === 0) await append([event]);
      return taken.length === 0;
    });
  }

  /** Appends to the trail; with `isDurable` the events survive a power cut once this returns. */
  append(events: readonly Event[], isDurable: boolean): Promise<TrailPoint> {
    return this.#write(isDurable, ({ append }) => append(events));
  }

  head(): Promise<TrailPoint> {
    return this.#driver.read((rows) => headAfter(rows));
  }

  /** True if the trail holds exactly this event. */
  holds(point: TrailPoint): Promise<boolean> {
    return this.#driver.read((rows) => holds(rows, point));
  }

  /** Returns at most `most` rows after a number, in order. */
  trailAfter(seq: number, most: number): Promise<readonly TrailRow[]> {
    return this.#driver.read((rows) => rowsAfter(rows, seq, most));
  }

  /** Removes the previews from before this time whose write is not open, and overwrites them. The trail stays. Returns how many were removed. */
  async erase(before: string, event: Event): Promise<number> {
    await this.#driver.requireOwner();
    const count = await this.#write(true, async ({ rows, append }) => {
      const gone = await rows(
        "DELETE FROM previews WHERE state <> 'open' AND created_at < $1 RETURNING id",
        before,
      );
      await append([{ ...event, count: gone.length }]);
      return gone.length;
    });
    await this.#driver.scrub();
    return count;
  }

  close(): Promise<void> {
    return this.#driver.close();
  }

  /** Throws StateFault if the trail has lost or changed the last event that was seen here. */
  async #write<Result>(isDurable: boolean, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    let end = GENESIS;
    const result = await this.#driver.write(isDurable, async (rows) => {
      const head = await headAfter(rows, this.#seen);
      end = head;
      const append = async (events: readonly Event[]) => {
        end = await appendTo(rows, end, events);
        return end;
      };
      return work({ rows, head, append });
    });
    // Answers of several connections come in any order.
    if (end.seq > this.#seen.seq) this.#seen = end;
    return result;
  }
}

/** Returns a store in place of a state that cannot be used: files can still be read, but not written. */
export function unusableStore(fault: Error): Store {
  const reject = (): Promise<never> => Promise.reject(fault);
  const refusing = { read: reject, write: reject, create: reject, requireOwner: reject, scrub: reject };
  // This key is for fingerprints of this run only.
  return new Store({ ...refusing, close: async () => undefined }, { id: '', maskingKey: randomHex(32) });
}

/** Removes a preview that can still be applied; false if there is none. */
async function dropUnused(rows: Rows, id: string): Promise<boolean> {
  const events = await eventsOf(rows, id);
  const status = statusOf(events);
  if (status.write !== undefined || isClosed(status)) return false;
  return (await rows('DELETE FROM previews WHERE seq = $1 RETURNING seq', events[0]?.seq ?? 0)).length > 0;
}

interface Transaction {
  readonly rows: Rows;
  /** The end of the trail before it. */
  readonly head: TrailPoint;
  readonly append: (events: readonly Event[]) => Promise<TrailPoint>;
}

/** Rolls back a transaction that has kept one preview too many. */
class NoRoom extends Error {}
