// Finds the events for the command `watch`. It follows the audit trail, and knows which events nobody has claimed yet. A claim is an
// event of the trail, so that each event is reported at most once, on however many machines `watch` runs.

import { recordedEvent } from '../security/audit/recorded-event.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { State } from '../security/state/state.ts';
import type { Event } from '../state/event.ts';
import { type TrailRow, trailPages } from '../state/trail.ts';

export const NOTICE_KINDS = ['pending', 'applied', 'rejected', 'expired'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface Notice {
  readonly kind: NoticeKind;
  /** The event of the trail. */
  readonly event: Event;
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
  readonly #waiting = new Map<string, Event>();
  readonly #open = new Map<string, OpenNotice>();
  readonly #startedKinds = new Set<string>();
  #seq = 0;

  /** Reports events of these kinds. */
  constructor(state: State, kinds: readonly NoticeKind[]) {
    this.#state = state;
    this.#kinds = kinds;
  }

  /** Returns the claims without an end, in the order of the trail. */
  async unended(): Promise<readonly OpenNotice[]> {
    await this.#read();
    return [...this.#open.values()];
  }

  /** Reads what is new in the trail, and returns the events that nobody has claimed, in their order. */
  async due(): Promise<readonly Notice[]> {
    await this.#read();
    // The first watch for a kind records its start, so that earlier events are not reported.
    const fresh = this.#kinds.filter((kind) => !this.#startedKinds.has(kind));
    for (const kind of fresh) await this.#claim(`${kind} since`);
    if (fresh.length > 0) await this.#read();
    const now = this.#state.now().toISOString();
    for (const [preview, event] of this.#waiting)
      if ((event.expires_at ?? now) <= now) {
        this.#waiting.delete(preview);
        this.#addDue('expired', preview, event);
      }
    return [...this.#due.values()];
  }

  /** Claims an event; false if somebody else has. */
  async claim({ name }: Notice): Promise<boolean> {
    this.#due.delete(name);
    return this.#claim(name, 'begun');
  }

  /** Records that the program for an event has ended. */
  async end({ name }: Notice, isDone: boolean): Promise<void> {
    const outcome = isDone ? 'done' : 'failed';
    await this.#state.store.append([this.#notified(`${name} ended`, outcome)], false);
  }

  async #claim(name: string, outcome?: Event['outcome']): Promise<boolean> {
    return this.#state.store.notify(this.#notified(name, outcome));
  }

  #notified(notice: string, outcome: Event['outcome']): Event {
    return recordedEvent(
      { type: 'notified', notice, outcome, request_id: crypto.randomUUID() },
      this.#state.now(),
    );
  }

  async #read(): Promise<void> {
    for await (const rows of trailPages(this.#state.store, this.#seq))
      for (const row of rows) this.#follow(row);
  }

  #follow({ seq, event }: TrailRow): void {
    if (event === undefined)
      throw new Refusal(
        'IO_ERROR',
        'Cannot watch: the audit trail is damaged. Run "config-airlock audit verify".',
      );
    this.#seq = seq;
    const { type, about, notice, expires_at: until, reviewer } = event;
    if (notice !== undefined) this.#followNotice(notice, event);
    if (about === undefined) return;
    if (type === 'previewed' && until !== undefined) {
      this.#waiting.set(about, event);
      // A preview that a reviewer has proposed, such as a part, is decided in the same moment, so that it never waits.
      if (reviewer === undefined) this.#addDue('pending', about, event);
    }
    if (type === 'applied' || type === 'rejected') this.#addDue(type, about, event);
    if (['rejected', 'joined', 'split', 'begun'].includes(type)) {
      this.#waiting.delete(about);
      this.#due.delete(nameOf('pending', about));
    }
  }

  #addDue(kind: NoticeKind, id: string, event: Event): void {
    if (!this.#kinds.includes(kind)) return;
    this.#due.set(nameOf(kind, id), { kind, event, name: nameOf(kind, id) });
  }

  #followNotice(notice: string, { outcome, time }: Event): void {
    const [kind = '', id = '', end] = notice.split(' ');
    const name = `${kind} ${id}`;
    if (end !== undefined) this.#open.delete(name);
    else if (outcome === 'begun') {
      this.#due.delete(name);
      this.#open.set(name, { name, since: time });
    } else {
      this.#startedKinds.add(kind);
      for (const [due, { kind: of }] of this.#due) if (of === kind) this.#due.delete(due);
      for (const [preview, event] of this.#waiting)
        if (kind === 'expired' && (event.expires_at ?? time) <= time) this.#waiting.delete(preview);
    }
  }
}

function nameOf(kind: NoticeKind, id: string): string {
  return `${kind} ${id}`;
}
