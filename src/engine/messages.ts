// The messages between the main thread and the worker. Both ends are this package; what comes from a client crosses
// as the copy that V8 makes.
import type { LogOptions, Policy, Sandbox, StateHandle } from '../security/index.ts';
import type { Call, Outcome } from './engine.ts';

/** What a worker opens before its first call. */
export interface WorkerInit {
  readonly policy: Policy;
  readonly log: LogOptions;
  /** Which directories the roots were when the server started. */
  readonly rootHandles: Sandbox['rootHandles'];
  /** The thread before it ended in the middle of a write, which it recovers first. */
  readonly recoversPredecessor: boolean;
  readonly state: StateHandle | undefined;
  readonly maskingKey: string;
  readonly memory: SharedArrayBuffer;
}

export type ToWorker =
  | { readonly kind: 'open'; readonly init: WorkerInit }
  // Not as JSON text, which takes a tenth of a second to write for a hostile text. A copy keeps a key called __proto__.
  | { readonly kind: 'call'; readonly call: Call; readonly wantsProgress: boolean }
  | { readonly kind: 'cancel'; readonly requestId: string };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** It cannot serve at all; `message` is for the operator. */
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number | undefined }
  | { readonly kind: 'outcome'; readonly outcome: Outcome };
