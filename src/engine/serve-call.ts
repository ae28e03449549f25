// Serves one call from its raw arguments to its outcome, in whichever thread this runs. Every error that is thrown inside is
// explained.
import { requireWritable } from '../security/index.ts';
import { AskFirst, type CallContext, type Reply } from '../tools/index.ts';
import { filesOf } from './call-queue.ts';
import { checkArguments } from './check-arguments.ts';
import { CANCELLED, type Call, type Outcome, type ServingContext } from './engine.ts';
import { explainFailure } from './failure.ts';
import { leniently } from './lenient-arguments.ts';
import { wellFormed } from './well-formed.ts';

/** The parts of the context that the thread gives to each call. */
type CallRuntime = Pick<CallContext, 'signal' | 'pause' | 'isolation' | 'progress' | 'endsAt'>;

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
