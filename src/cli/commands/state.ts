// The commands `state erase`, `state grants` and `state unlock` of the operator.
import { counted } from '../../adapters/index.ts';
import { eraseState, grantsAt, withLockOf } from '../../security/index.ts';
import { VERSION } from '../../server.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { BEFORE } from '../settings/command-options.ts';
import { OPTIONS } from '../settings/options.ts';
import { requireStateLocation } from '../settings/state-location.ts';
import { UsageError } from '../settings/usage-error.ts';
import { line } from '../terminal/rows.ts';
import { requireState } from './audit.ts';
import { atTerminal, type CommandContext, wantsJson } from './context.ts';
import { printJson, printLines } from './output.ts';
import { openAirlockFor } from './services.ts';

export async function stateErase(context: CommandContext): Promise<number> {
  const { settings, env, name } = context;
  const location = requireStateLocation(settings, env);
  forgetEnvironment();
  requireState(location, '--state-dir');
  const before = settings.of(BEFORE).value ?? new Date();
  const caller = { name: `config-airlock ${name}`, version: VERSION };
  const { erased, open } = await eraseState(location, settings.of(OPTIONS.root).value, { before, caller });
  if (wantsJson(context)) printJson(context, { erased, open });
  else {
    const left = `${counted(open, 'change')} without an end ${open === 1 ? 'was' : 'were'} left: start its server once, and erase again.`;
    printLines(context, [
      line(`Erased ${erased} previews and changes. The audit trail keeps its records.`),
      ...(open === 0 ? [] : [line(left, 'yellow')]),
    ]);
  }
  return 0;
}

/** Prints the statements that the owner of the tables has to run. */
export async function stateGrants(context: CommandContext): Promise<number> {
  const [role = ''] = context.args;
  const location = requireStateLocation(context.settings, context.env);
  if (!('postgres' in location))
    throw new UsageError(
      'only a state in PostgreSQL has accounts: give --state postgres://user@host/database',
    );
  context.output.write(await grantsAt(location.postgres, role));
  return 0;
}

/** Removes a lock of a process on another machine, of which nobody here can tell whether it still lives. */
export async function stateUnlock(context: CommandContext): Promise<number> {
  const [file = ''] = context.args;
  return atTerminal(context, async (terminal) => {
    const { sandbox } = await openAirlockFor(context);
    return withLockOf(sandbox, sandbox.parse(file), async (lock) => {
      if (lock === undefined) {
        terminal.say('No lock of config-airlock stands in the folder of this file.');
        return 0;
      }
      const { host, pid, since, isAlive } = lock;
      if (isAlive) {
        terminal.say(
          `Process ${pid} on this machine holds the lock. End that process; its lock goes with it.`,
          'yellow',
        );
        return 1;
      }
      const question = [
        line(`Process ${pid} on the machine ${host} has made the lock, at ${since.toISOString()}.`),
        line(
          'Take it away only if that process has certainly ended: two writers at once can lose an update.',
        ),
      ];
      if (!(await terminal.confirm(question, 'take the lock away'))) return 1;
      const isGone = lock.remove();
      terminal.say(
        isGone ? 'The lock is gone.' : 'Another lock stands there by now; it was left.',
        isGone ? 'green' : 'yellow',
      );
      return isGone ? 0 : 1;
    });
  });
}
