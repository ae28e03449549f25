// The worker's side: it opens the files for reading, says so, and then answers one call at a time. It writes and keeps nothing, so that
// it may be ended at any moment.
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { withMasking } from '../adapters/secrets/mask-text.ts';
import { createLog } from '../security/audit/log.ts';
import { StartError } from '../security/errors/start-error.ts';
import { ownThread } from '../security/fs/thread-time.ts';
import { reopenSandbox } from '../security/sandbox/open-sandbox.ts';
import { TOOLS, type Tool } from '../tools/index.ts';
import { askingBackend, type SentQuestion } from './ask-backend.ts';
import type { FromWorker, ServingContext, ToWorker, WorkerInit } from './engine.ts';
import { serveCall } from './inline-engine.ts';
import { SharedCallState } from './shared-call-state.ts';
import { refusalOf } from './start-thread.ts';

type Port = NonNullable<typeof parentPort>;

/** Serves the thread that started this one; called once. `tools` is for tests that bring tools of their own. */
export function serveParent(tools: readonly Tool[] = TOOLS): void {
  if (parentPort === null) throw new Error('this serves the thread that started it, and there is none');
  const port = parentPort;
  // Messages that came earlier wait until there is a listener.
  port.once('message', (message: ToWorker) => {
    if (message.kind === 'open') open(port, message.init, tools);
  });
}

function open(port: Port, init: WorkerInit, tools: readonly Tool[]): void {
  try {
    const { policy } = init;
    const log = createLog(init.log);
    const unmasked = reopenSandbox(policy, log, init.rootHandles);
    const callState = new SharedCallState(init.memory);
    const running: Running = { call: undefined };
    const onOpen = (file: string): void => {
      const skipped = running.call?.skipped.find((one) => one.file === file);
      if (skipped !== undefined) throw refusalOf(skipped, policy.limits);
      callState.begins(file);
    };
    const { maskingKey } = init;
    const sandbox = withMasking({ policy, sandbox: unmasked, maskingKey, onOpen });
    const send = (question: SentQuestion) => post(port, { kind: 'asks', question });
    const replies = new EventEmitter();
    port.on('message', (message: ToWorker) => {
      if (message.kind === 'replies') replies.emit(message.id, message.reply);
    });
    const backend = init.hasState ? askingBackend(send, replies) : undefined;
    answer(port, running, callState, { policy, sandbox, log, backend, tools });
    post(port, { kind: 'ready', thread: ownThread() });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    post(port, { kind: 'unfit', message: error.message });
  }
}

/** The call that is served, or was served last. */
interface Running {
  call: (ToWorker & { kind: 'call' }) | undefined;
}

function answer(
  port: Port,
  running: Running,
  callState: SharedCallState,
  engineContext: ServingContext,
): void {
  let cancel = new AbortController();
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'cancel' && running.call?.call.requestId === message.requestId) cancel.abort();
    if (message.kind !== 'call') return;
    cancel = new AbortController();
    running.call = message;
    void serve(port, callState, engineContext, message, cancel.signal);
  });
}

async function serve(
  port: Port,
  callState: SharedCallState,
  engineContext: ServingContext,
  { call, wantsProgress, skipped, isLastRun }: ToWorker & { kind: 'call' },
  signal: AbortSignal,
): Promise<void> {
  const outcome = await serveCall(call, engineContext, {
    signal,
    isolation: 'worker',
    endsAt: isLastRun ? skipped.at(-1)?.file : undefined,
    progress: (done, total) => {
      if (wantsProgress) post(port, { kind: 'progress', done, total });
    },
    pause: async () => {
      callState.heartbeat();
      await nextTurn();
      signal.throwIfAborted();
      callState.heartbeat();
    },
  });
  post(port, { kind: 'outcome', outcome });
}

function post(port: Port, message: FromWorker): void {
  port.postMessage(message);
}
