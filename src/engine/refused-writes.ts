// The audit records of calls that asked for a write and were refused, or failed. A flood of them does not fill the disk:
// beyond the first two hundred of a minute they are counted, and the count is recorded.
import { isContentId, isShortId, type Log } from '../security/index.ts';
import { filesOf } from './call-queue.ts';
import type { Call, Failure } from './engine.ts';

const MOST_RECORDS = 200;
const MINUTE_MS = 60_000;

type RefusedWrite = Pick<Failure, 'status' | 'code' | 'isAudited' | 'files'>;

export class RefusedWrites {
  readonly #log: Log;
  readonly #minuteMs: number;
  #timer: NodeJS.Timeout | undefined;
  #recorded = 0;
  #counted = 0;

  constructor(log: Log, minuteMs = MINUTE_MS) {
    this.#log = log;
    this.#minuteMs = minuteMs;
  }

  /** Never throws: nothing was written, so nothing happened that lacks its record, and the client gets its answer. */
  record({ tool, args, requestId, caller, writes }: Call, refusal: RefusedWrite): void {
    // The commit knows more about a refusal of its own, and has recorded it.
    if (!writes || refusal.isAudited === true) return;
    // It ends with the minute, and never keeps a process alive.
    this.#timer ??= setTimeout(() => this.flush(), this.#minuteMs).unref();
    const about = { preview: idIn('pv', args['preview_id']), change_id: idIn('ch', args['change_id']) };
    const { status: outcome, code } = refusal;
    const { files = filesOf(args) } = refusal;
    for (const file of files.length === 0 ? ['(none)'] : files) {
      if (this.#recorded >= MOST_RECORDS) this.#counted += 1;
      else this.#audit({ action: tool, outcome, file, ...about, code, caller, request_id: requestId });
      this.#recorded += 1;
    }
  }

  /** Records what was only counted, and begins anew. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counted > 0)
      this.#audit({ action: 'refused_writes', outcome: 'refused', file: '(many)', count: this.#counted });
    [this.#recorded, this.#counted] = [0, 0];
  }

  #audit(record: Parameters<Log['audit']>[0]): void {
    try {
      this.#log.audit(record);
    } catch {
      // See `record`.
    }
  }
}

/** What is no id could be anything, a value too. */
function idIn(kind: 'pv' | 'ch', argument: unknown): string | undefined {
  if (typeof argument !== 'string') return undefined;
  return isShortId(kind, argument) || isContentId(argument) ? argument : undefined;
}
