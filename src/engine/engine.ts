// The interface of what serves calls, in this thread or in one of its own. Calls are served one at a time, in the order of the
// queue; every call gets an outcome, and nothing is thrown.

import type { LogOptions } from '../security/audit/log.ts';
import type { ErrorCode } from '../security/errors/refusals.ts';
import type { Policy } from '../security/policy/policy.ts';
import type { Sandbox } from '../security/sandbox/sandbox.ts';
import type { State } from '../security/state/state.ts';
import type { Caller } from '../state/preview.ts';
import type { CallContext, Tool } from '../tools/index.ts';
import type { SentQuestion, SentReply } from './ask-backend.ts';

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

/** The data with which a worker opens what it reads from before its first call. */
export interface WorkerInit {
  readonly policy: Policy;
  readonly log: LogOptions;
  /** The handles of the directories that the roots were when the server started. */
  readonly rootHandles: Sandbox['rootHandles'];
  /** True if there is a state, which this thread asks for what it needs. */
  readonly hasState: boolean;
  readonly maskingKey: string;
  readonly memory: SharedArrayBuffer;
}

/** A message to the worker. Both ends are this package; data of a client is sent as V8 copies it. */
export type ToWorker =
  | { readonly kind: 'open'; readonly init: WorkerInit }
  // It is not sent as JSON, which takes a tenth of a second for a hostile text. A copy also keeps a key called
  // __proto__.
  | {
      readonly kind: 'call';
      readonly call: Call;
      readonly wantsProgress: boolean;
      /** The files that have ended a thread in this call, in this order. */
      readonly skipped: readonly SkippedFile[];
      /** True if there is no time for another one: a page then ends at the last of them. */
      readonly isLastRun: boolean;
    }
  | { readonly kind: 'replies'; readonly id: SentQuestion['id']; readonly reply: SentReply }
  | { readonly kind: 'cancel'; readonly requestId: string };

/** A file that has taken too long, or too much memory. */
export interface SkippedFile {
  readonly file: string;
  readonly code: 'TIMEOUT' | 'LIMIT_EXCEEDED';
}

export type FromWorker =
  /** `thread` is the number by which the system knows it. */
  | { readonly kind: 'ready'; readonly thread: number | undefined }
  /** The thread cannot serve at all; `message` is for the operator. */
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'asks'; readonly question: SentQuestion }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number | undefined }
  | { readonly kind: 'outcome'; readonly outcome: Outcome };
