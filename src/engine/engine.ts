// The interface of what serves calls, in this thread or in one of its own. Calls are served one at a time, in the order of the
// queue; every call gets an outcome, and nothing is thrown.
import type { Caller, ErrorCode, State } from '../security/index.ts';
import type { CallContext, Tool } from '../tools/index.ts';

export interface Call {
  readonly requestId: string;
  /** The name of a tool that exists. */
  readonly tool: string;
  /** The arguments as they came; they are checked where the call is served. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** True if the call asks for files to be changed, and not for a preview. */
  readonly writes: boolean;
  /** The kind of person who has confirmed this very call; only the server or the command line sets it, never an argument. */
  readonly confirmed?: CallContext['confirmed'];
  /** Set by the command line only. */
  readonly isOperator?: CallContext['isOperator'];
}

/** The client's part in its call. */
export interface CallControl {
  readonly signal: AbortSignal;
  /** Undefined where the client did not ask for progress. */
  readonly progress: ((done: number, total?: number) => void) | undefined;
}

interface ReplyBody {
  readonly text: string;
  readonly note?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A failed call: `refused` is a refusal of the contract, `failed` is a bug. */
export interface Failure extends ReplyBody {
  readonly status: 'refused' | 'failed';
  readonly code: ErrorCode;
  /** The files that the call names, where its arguments were read. */
  readonly files?: readonly string[];
}

/** The result of a call as plain data, so that it can be sent between threads. `ask` means that the person at the client has to agree first. */
export type Outcome =
  | (ReplyBody & { readonly status: 'ok' | 'cancelled' })
  | Failure
  | { readonly status: 'ask'; readonly preview: string; readonly question: string };

export interface Engine {
  run(call: Call, control: CallControl): Promise<Outcome>;
  /** Takes no more calls and ends the one under way. Resolves once a write that has begun is over. */
  close(): Promise<void>;
}

/** The context for serving calls, without the tools. */
export interface EngineContext extends Pick<CallContext, 'policy' | 'sandbox' | 'log'> {
  /** The previews, changes and the trail; undefined in read-only mode. */
  readonly state?: State;
  /** The key for the fingerprints of masked values, where no state has one. */
  readonly maskingKey?: string;
}

/** The context as the thread has it that serves the calls. */
export interface ServingContext extends Pick<CallContext, 'policy' | 'sandbox' | 'log' | 'backend'> {
  readonly tools: readonly Tool[];
}

export const CANCELLED = { status: 'cancelled', text: '', data: {} } as const satisfies Outcome;
