// What serves calls, wherever it runs: here, or in a thread of its own. One call at a time, in the order that the queue
// gives them; every call gets an outcome, and nothing is thrown.
import type { Caller, ErrorCode } from '../security/index.ts';
import type { CallContext, Tool } from '../tools/index.ts';

export interface Call {
  readonly requestId: string;
  /** One that exists. */
  readonly tool: string;
  /** As they came: they are checked where the call is served. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Whether it asks for files to be changed, and not for a preview. */
  readonly writes: boolean;
  /** Who has confirmed this very call, if anybody: said by the server or the command line, never by an argument. */
  readonly confirmed?: CallContext['confirmed'];
  /** Said by the command line only. */
  readonly isOperator?: CallContext['isOperator'];
}

/** How the client takes part in its call. */
export interface CallControl {
  readonly signal: AbortSignal;
  /** Undefined where nobody asked for it. */
  readonly progress: ((done: number, total?: number) => void) | undefined;
}

interface ReplyBody {
  readonly text: string;
  readonly note?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `refused`: as the contract says; `failed`: a bug. */
export interface Failure extends ReplyBody {
  readonly status: 'refused' | 'failed';
  readonly code: ErrorCode;
  /** That the call names, where somebody has read its arguments. */
  readonly files?: readonly string[];
}

/** Plain data, so that it can cross from thread to thread. `ask`: the person at the client has to agree first. */
export type Outcome =
  | (ReplyBody & { readonly status: 'ok' | 'cancelled' })
  | Failure
  | { readonly status: 'ask'; readonly preview: string; readonly question: string };

export interface Engine {
  run(call: Call, control: CallControl): Promise<Outcome>;
  /** Takes no more calls and ends the one under way, but waits for a write that has begun. */
  close(): void;
}

/** What calls are served with, but for the tools. */
export interface EngineContext
  extends Pick<CallContext, 'policy' | 'sandbox' | 'log'>,
    Partial<Pick<CallContext, 'state'>> {
  /** Of the fingerprints of masked values, where no state is kept that has one. */
  readonly maskingKey?: string;
}

/** All that calls are served with. */
export interface ServingContext extends EngineContext {
  readonly tools: readonly Tool[];
}

export const CANCELLED = { status: 'cancelled', text: '', data: {} } as const satisfies Outcome;
