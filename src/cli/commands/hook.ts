// `hook` is run by the host of an agent before each call of a tool: it denies those that would write a file of this server by
// another way. It never allows anything: what it has nothing to say about, the host decides. It opens no sandbox and no state.

import { type WriteGuard, writeGuard } from '../../security/sandbox/write-guard.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { policyOf } from '../../server.ts';
import { denial, HOST, type Write, writesOf } from '../clients/claude-code.ts';
import { airlockOptions } from '../settings/airlock-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { CommandContext } from './context.ts';

/** The host runs the tool after any other code than this. */
const DENIED = 2;

export async function hook(context: CommandContext): Promise<number> {
  try {
    const [host] = context.args;
    if (host !== HOST) throw new UsageError(`hook knows one host: ${HOST}`);
    const options = await airlockOptions(context.settings, context.env);
    const guard = writeGuard(policyOf(options), options.stateDir === undefined ? [] : [options.stateDir]);
    const reason = reasonAgainst(writesOf(await inputOf(context)), guard);
    if (reason !== undefined) context.output.write(`${denial(reason)}\n`);
    return 0;
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : typeof error;
    context.errors.write(`config-airlock hook: not checked, so not allowed: ${visibleLine(why ?? '')}\n`);
    return DENIED;
  }
}

async function inputOf({ input }: CommandContext): Promise<string> {
  return Buffer.concat(await input.toArray()).toString();
}

/** Returns why the call must not run; undefined if it writes no file of the server. */
function reasonAgainst(writes: readonly Write[], guard: WriteGuard): string | undefined {
  for (const { path, edits } of writes) {
    const guarded = guard(path);
    if (guarded?.is === 'denied')
      return `${visibleLine(path)} is denied by config-airlock: agents may not change it. Ask the operator.`;
    if (guarded?.is === 'served') {
      const call = { edits: edits.map((edit) => ({ ...edit, file: guarded.file })) };
      return `${visibleLine(guarded.file)} is changed through config-airlock only. Use its tool instead: config_edit ${JSON.stringify(call)}`;
    }
  }
  return undefined;
}
