// Finds the events for the command `watch`. It follows the audit trail, and knows which events nobody has claimed yet. A claim is a
// record in the trail, so that each event is reported at most once, on however many machines `watch` runs.
import {
  decodeTrailRecord,
  Refusal,
  type State,
  type TrailRecord,
  type TrailRow,
  trailPages,
  trailRecordOf,
} from '../security/index.ts';

export const NOTICE_KINDS = ['pending', 'applied', 'rejected', 'expired'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface Notice {
  readonly kind: NoticeKind;
  /** The record that the event is about. */
  readonly record: TrailRecord;
  /** The name of the event, which no other has. */
  readonly name: string;
}

/** A claimed event whose program has not ended, as far as the trail knows. */
export interface OpenNotice {
  readonly name: string;
  readonly since: string;
}

export class Notices {
  readonly #state: State;
  readonly #kinds: readonly NoticeKind[];
  readonly #due = new Map<string, Notice>();
  readonly #waiting = new Map<string, TrailRecord>();
  readonly #open = new Map<string, OpenNotice>();
  readonly #startedKinds = new Set<string>();
  #seq = 0;

  /** Reports events of these kinds. */
  constructor(state: State, kinds: readonly NoticeKind[]) {
    this.#state = state;
    this.#kinds = kinds;
  }

  /** Answers the claims without an end, in the order of the trail. */
  async unended(): Promise<readonly OpenNotice[]> {
    await this.#read();
    return [...this.#open.values()];
  }

  /** Reads what is new in the trail, and answers the events that nobody has claimed, in their order. */
  async due(): Promise<readonly Notice[]> {
    await this.#read();
    // The first watch for a kind records its start, so that earlier events are not reported.
    const fresh = this.#kinds.filter((kind) => !this.#startedKinds.has(kind));
    for (const kind of fresh) await this.#claim(`${kind} since`, 'kept');
    if (fresh.length > 0) await this.#read();
    const now = this.#state.now().toISOString();
    for (const [preview, record] of this.#waiting)
      if ((record.expires_at ?? now) <= now) {
        this.#waiting.delete(preview);
        this.#addDue('expired', preview, record);
      }
    return [...this.#due.values()];
  }

  /** Claims an event; false where somebody else has. */
  async claim({ name }: Notice): Promise<boolean> {
    this.#due.delete(name);
    return this.#claim(name, 'intent');
  }

  /** Records that the program for an event has ended. */
  async end({ name }: Notice, isDone: boolean): Promise<void> {
    const outcome = isDone ? 'applied' : 'failed';
    await this.#state.store.append([this.#record(`${name} ended`, outcome)], false);
  }

  async #claim(name: string, outcome: TrailRecord['outcome']): Promise<boolean> {
    return this.#state.store.claimNotice(this.#record(name, outcome));
  }

  #record(notice: string, outcome: TrailRecord['outcome']): TrailRecord {
    const event = { action: 'notify', outcome, files: [], request_id: crypto.randomUUID() } as const;
    return { ...trailRecordOf(event, this.#state.now()), notice };
  }

  async #read(): Promise<void> {
    for await (const rows of trailPages(this.#state.store, this.#seq))
      for (const row of rows) this.#follow(row);
  }

  #follow(row: TrailRow): void {
    const record = decodeTrailRecord(row.record);
    if (record === undefined)
      throw new Refusal(
        'IO_ERROR',
        'Cannot watch: the audit trail is damaged. Run "config-airlock audit verify".',
      );
    this.#seq = row.seq;
    const { action, outcome, preview, change_id: change, notice, expires_at: until, reviewer } = record;
    if (notice !== undefined) this.#followNotice(notice, record);
    if (change !== undefined && outcome === 'applied') this.#addDue('applied', change, record);
    if (preview === undefined) return;
    if (action === 'propose' && until !== undefined) {
      this.#waiting.set(preview, record);
      // A preview that a reviewer has proposed, such as a part, is decided in the same moment, so that it never waits.
      if (reviewer === undefined) this.#addDue('pending', preview, record);
    }
    if (action === 'reject') this.#addDue('rejected', preview, record);
    if (['reject', 'replace', 'part', 'commit'].includes(action)) {
      this.#waiting.delete(preview);
      this.#due.delete(nameOf('pending', preview));
    }
  }

  #addDue(kind: NoticeKind, id: string, record: TrailRecord): void {
    if (!this.#kinds.includes(kind)) return;
    this.#due.set(nameOf(kind, id), { kind, record, name: nameOf(kind, id) });
  }

  #followNotice(notice: string, { outcome, time }: TrailRecord): void {
    const [kind = '', id = '', end] = notice.split(' ');
    const name = `${kind} ${id}`;
    if (end !== undefined) this.#open.delete(name);
    else if (outcome === 'intent') {
      this.#due.delete(name);
      this.#open.set(name, { name, since: time });
    } else {
      this.#startedKinds.add(kind);
      for (const [due, { kind: of }] of this.#due) if (of === kind) this.#due.delete(due);
      for (const [preview, record] of this.#waiting)
        if (kind === 'expired' && (record.expires_at ?? time) <= time) this.#waiting.delete(preview);
    }
  }
}

function nameOf(kind: NoticeKind, id: string): string {
  return `${kind} ${id}`;
}
