// The messages between the main thread and the worker. Both ends are this package; data of a client is sent as V8 copies it.
import type { LogOptions, Policy, Sandbox } from '../security/index.ts';
import type { SentQuestion, SentReply } from './ask-backend.ts';
import type { Call, Outcome } from './engine.ts';

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
