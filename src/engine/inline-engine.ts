// Serves calls in the calling thread: for embedding, commands and tests, and where the containment works in the main thread
// only. Budgets bound what a hostile file can cost; the time of a call is checked between its steps.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withMasking } from '../adapters/secrets/mask-text.ts';
import { ownThread, stopwatch } from '../security/fs/thread-time.ts';
import { backendOf } from '../security/state/backend.ts';
import { requireWritable } from '../security/writer/permission.ts';
import { AskFirst, type CallContext, type Reply, TOOLS, type Tool } from '../tools/index.ts';
import { CallQueue, filesOf } from './call-queue.ts';
import { checkArguments } from './check-arguments.ts';
import {
  CANCELLED,
  type Call,
  type CallControl,
  type Engine,
  type EngineContext,
  type Outcome,
  type ServingContext,
} from './engine.ts';
import { explainFailure } from './failure.ts';
import { leniently } from './lenient-arguments.ts';
import { tooLong } from './start-thread.ts';
import { wellFormed } from './well-formed.ts';

export class InlineEngine implements Engine {
  readonly #context: ServingContext;
  readonly #queue: CallQueue;
  /** The file that the call works on. */
  #file: string | undefined;

  constructor(engineContext: EngineContext, tools: readonly Tool[] = TOOLS) {
    const onOpen = (file: string): void => {
      this.#file = file;
    };
    const { policy, log, sandbox, state, maskingKey = state?.store.maskingKey } = engineContext;
    const backend = state && backendOf(state, sandbox);
    const masked = withMasking({ policy, sandbox, maskingKey, onOpen });
    this.#context = { policy, log, sandbox: masked, backend, tools };
    this.#queue = new CallQueue(engineContext);
  }

  run(call: Call, control: CallControl): Promise<Outcome> {
    return this.#queue.run(call, control, () => this.#serve(call, control));
  }

  async close(): Promise<void> {
    // Nothing has to be closed: all answers are kept already.
  }

  #serve(call: Call, { signal, progress = () => undefined }: CallControl): Promise<Outcome> {
    const { limits } = this.#context.policy;
    this.#file = undefined;
    const usedMs = stopwatch(ownThread());
    const begunAt = performance.now();
    const pause = async (): Promise<void> => {
      await nextTurn();
      signal.throwIfAborted();
      // A call cannot have computed for longer than it has taken, and the clock costs nothing to ask.
      if (performance.now() - begunAt > limits.callMs && usedMs() > limits.callMs)
        throw tooLong('call', limits, this.#file);
    };
    return serveCall(call, this.#context, { signal, progress, pause, isolation: 'none' });
  }
}

/** The parts of the context that the thread gives to each call. */
type CallRuntime = Pick<CallContext, 'signal' | 'pause' | 'isolation' | 'progress' | 'endsAt'>;

/**
 * Serves one call from its raw arguments to its outcome, in whichever thread this runs. It never throws: every error is
 * explained.
 */
export async function serveCall(
  sent: Call,
  engineContext: ServingContext,
  runtime: CallRuntime,
): Promise<Outcome> {
  const { policy, sandbox, log, backend, tools } = engineContext;
  const tool = tools.find(({ name }) => name === sent.tool);
  const call = tool === undefined ? sent : { ...sent, args: leniently(tool.input, sent.args) };
  try {
    // Without masking, the call would show every secret.
    if (!sandbox.isMasked) throw new Error('calls are served through a sandbox that masks');
    if (tool === undefined) throw new Error('the tool was looked up before');
    const input = checkArguments(tool, call.args);
    // The commit would refuse it as well, but only after all the work.
    if (call.writes) requireWritable(policy);
    const { requestId, caller, confirmed, isOperator } = call;
    return served(
      await tool.run(input, {
        ...{ requestId, caller, confirmed, isOperator, policy, sandbox, log, backend },
        ...runtime,
      }),
    );
  } catch (thrown) {
    if (runtime.signal.aborted) return CANCELLED;
    if (thrown instanceof AskFirst)
      return { status: 'ask', preview: thrown.preview, question: thrown.question };
    return { ...explainFailure(thrown, call, engineContext), files: filesOf(call.args) };
  }
}

function served({ text, note, data }: Reply): Outcome {
  const beside = note === undefined ? {} : { note };
  return { status: 'ok', text: text.toWellFormed(), ...beside, data: wellFormed(data) };
}
