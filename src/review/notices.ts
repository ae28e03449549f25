// What the command `watch` tells of: it follows the audit trail, and knows which events nobody has claimed yet. A claim is a record
// in the trail, so that each event is told of at most once, whichever machine watches.
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
  readonly #begun = new Set<string>();
  #seq = 0;

  /** Tells of these kinds of events. */
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
    // The first watch of a kind marks its beginning, so that it does not tell of all that has ever happened.
    const fresh = this.#kinds.filter((kind) => !this.#begun.has(kind));
    for (const kind of fresh) await this.#claim(`${kind} since`, 'kept');
    if (fresh.length > 0) await this.#read();
    const now = this.#state.now().toISOString();
    for (const [preview, record] of this.#waiting)
      if ((record.expires_at ?? now) <= now) {
        this.#waiting.delete(preview);
        this.#happened('expired', preview, record);
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
    if (notice !== undefined) this.#noticed(notice, record);
    if (change !== undefined && outcome === 'applied') this.#happened('applied', change, record);
    if (preview === undefined) return;
    if (action === 'propose' && until !== undefined) {
      this.#waiting.set(preview, record);
      // What a reviewer has proposed, such as a part, is decided in the same moment.
      if (reviewer === undefined) this.#happened('pending', preview, record);
    }
    if (action === 'reject') this.#happened('rejected', preview, record);
    if (['reject', 'replace', 'part', 'commit'].includes(action)) {
      this.#waiting.delete(preview);
      this.#due.delete(nameOf('pending', preview));
    }
  }

  #happened(kind: NoticeKind, id: string, record: TrailRecord): void {
    if (!this.#kinds.includes(kind)) return;
    this.#due.set(nameOf(kind, id), { kind, record, name: nameOf(kind, id) });
  }

  #noticed(notice: string, { outcome, time }: TrailRecord): void {
    const [kind = '', id = '', end] = notice.split(' ');
    const name = `${kind} ${id}`;
    if (end !== undefined) this.#open.delete(name);
    else if (outcome === 'intent') {
      this.#due.delete(name);
      this.#open.set(name, { name, since: time });
    } else {
      this.#begun.add(kind);
      for (const [due, { kind: of }] of this.#due) if (of === kind) this.#due.delete(due);
      for (const [preview, record] of this.#waiting)
        if (kind === 'expired' && (record.expires_at ?? time) <= time) this.#waiting.delete(preview);
    }
  }
}

function nameOf(kind: NoticeKind, id: string): string {
  return `${kind} ${id}`;
}
