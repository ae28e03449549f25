// Serves one call from its raw arguments to its outcome, in whichever thread this runs. Every error that is thrown inside is
// explained.
import { requireWritable } from '../security/index.ts';
import { AskFirst, type CallContext, type Reply } from '../tools/index.ts';
import { filesOf } from './call-queue.ts';
import { checkArguments } from './check-arguments.ts';
import { CANCELLED, type Call, type Outcome, type ServingContext } from './engine.ts';
import { explainFailure } from './failure.ts';
import { leniently } from './lenient-arguments.ts';

/** The parts of the context that the thread gives to each call. */
type CallRuntime = Pick<CallContext, 'signal' | 'pause' | 'criticalSection' | 'isolation' | 'progress'>;

export async function serveCall(
  sent: Call,
  engineContext: ServingContext,
  runtime: CallRuntime,
): Promise<Outcome> {
  const { policy, sandbox, log, state, tools } = engineContext;
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
        ...{ requestId, caller, confirmed, isOperator, policy, sandbox, log, state },
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
  // Half of a surrogate pair, which a YAML escape can write, is no text that all JSON readers accept.
  const beside = note === undefined ? {} : { note };
  return { status: 'ok', text: text.toWellFormed(), ...beside, data: wellFormed(data) };
}

/** Makes reply data well-formed Unicode, keys as well: half of a surrogate pair becomes U+FFFD, as in the text. */
function wellFormed(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // JSON.stringify writes it as \udXXX, so this test is cheap, and nearly always finds none.
  return /\\ud[89a-f]/.test(JSON.stringify(data)) ? mendedEntries(data) : data;
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mended);
  return typeof value === 'object' && value !== null ? mendedEntries(value) : value;
}

function mendedEntries(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), mended(member)]),
  );
}
