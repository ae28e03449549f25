// The audit records of writes that were refused or failed. So that a flood of them does not fill the disk, those after the
// first two hundred of a minute are only counted, and the count is recorded.

import type { Log } from '../security/audit/log.ts';
import type { AuditEvent } from '../security/audit/recorded-event.ts';
import type { State } from '../security/state/state.ts';
import { isContentId, isShortId } from '../state/canonical.ts';
import { filesOf } from './call-queue.ts';
import type { Call, Failure } from './engine.ts';

const MOST_RECORDS = 200;
const MINUTE_MS = 60_000;

type RefusedWrite = Pick<Failure, 'status' | 'code' | 'files'>;

/** The log and the state in which they are recorded. */
interface RecordedIn {
  readonly log: Log;
  readonly state?: State | undefined;
}

export class RefusedWrites {
  readonly #context: RecordedIn;
  readonly #minuteMs: number;
  #timer: NodeJS.Timeout | undefined;
  #recorded = 0;
  #counted = 0;

  constructor(context: RecordedIn, minuteMs = MINUTE_MS) {
    this.#context = context;
    this.#minuteMs = minuteMs;
  }

  /** Records a refused write. Never throws: nothing was written, and the client must get its answer. */
  async record({ tool, args, requestId, caller, writes }: Call, refusal: RefusedWrite): Promise<void> {
    if (!writes) return;
    // The timer ends with the minute, and never keeps a process alive.
    this.#timer ??= setTimeout(() => void this.flush(), this.#minuteMs).unref();
    this.#recorded += 1;
    if (this.#recorded > MOST_RECORDS) {
      this.#counted += 1;
      return;
    }
    const { status, code, files = filesOf(args) } = refusal;
    const named = idIn('pv', args['preview_id']) ?? idIn('ch', args['change_id']);
    const who = { caller, request_id: requestId };
    const outcome = status === 'failed' ? 'failed' : undefined;
    const event = { type: 'refused', tool, outcome, named, code, ...who } as const;
    await this.#audit({ ...event, files: files.map((file) => ({ file })) });
  }

  /** Records the number of calls that were only counted, and starts to count anew. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const count = this.#counted;
    [this.#recorded, this.#counted] = [0, 0];
    if (count > 0) await this.#audit({ type: 'refused', count });
  }

  async #audit(event: AuditEvent): Promise<void> {
    const { state, log } = this.#context;
    try {
      // A read-only server keeps no trail.
      if (state !== undefined) await state.audit([event], false);
      else log.event('warn', 'write_refused', { tool: event.tool, code: event.code, count: event.count });
    } catch {
      // A failure is ignored, as `record` says.
    }
  }
}

/** Returns an id in an argument; undefined for other texts, which could be anything, also a value. */
function idIn(kind: 'pv' | 'ch', argument: unknown): string | undefined {
  if (typeof argument !== 'string') return undefined;
  return isShortId(kind, argument) || isContentId(argument) ? argument : undefined;
}
