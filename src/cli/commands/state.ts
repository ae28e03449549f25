// The commands `state erase`, `state setup`, `state settle` and `state unlock` of the operator.
import { counted } from '../../adapters/tree/wording.ts';
import { recordedEvent } from '../../security/audit/recorded-event.ts';
import { setUpPostgres, withStore } from '../../security/state/open-store.ts';
import { displayLine } from '../../security/text/visible.ts';
import { withLockOf } from '../../security/writer/commit.ts';
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
  const event = recordedEvent({ type: 'erased', caller }, new Date());
  const { erased, open } = await withStore(location, settings.of(OPTIONS.root).value, async (store) => ({
    erased: await store.erase(before.toISOString(), event),
    open: (await store.open()).length,
  }));
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

/** Makes the tables in PostgreSQL as their owner, and lets the account of a server use them. */
export async function stateSetup(context: CommandContext): Promise<number> {
  const [account = ''] = context.args;
  const location = requireStateLocation(context.settings, context.env);
  forgetEnvironment();
  if (!('postgres' in location))
    throw new UsageError(
      'only a state in PostgreSQL has accounts: give --state postgres://owner@host/database',
    );
  await setUpPostgres(location.postgres, account);
  printLines(context, [line(`The state is ready, and ${displayLine(account)} may use it as a server does.`)]);
  return 0;
}

/** Ends a write whose server cannot settle it any more, so that its files can be written again. */
export async function stateSettle(context: CommandContext): Promise<number> {
  const { settings, env, name, args } = context;
  const location = requireStateLocation(settings, env);
  forgetEnvironment();
  requireState(location, '--state-dir');
  const caller = { name: `config-airlock ${name}`, version: VERSION };
  const [id = ''] = args;
  return atTerminal(context, (terminal) =>
    withStore(location, [], async (store) => {
      const { status } = (await store.find(id)) ?? {};
      const begun = status?.write === 'open' ? status.begun?.event : undefined;
      if (begun === undefined) {
        terminal.say('No write with this id is open.');
        return 0;
      }
      const { by_rules: _, ...said } = begun;
      const question = [
        line(`The write was begun at ${said.time}, and has not ended. Its files:`),
        ...said.files.map(({ file }) => line(`  ${displayLine(file)}`)),
        line(
          'If its server can be started again, do that: it puts back what is new, or finds all of it new.',
        ),
        line('Else look at the files first: each is old or new as a whole, and stays as it is.'),
      ];
      if (!(await terminal.confirm(question, 'record that what came of it is unknown'))) return 1;
      const end = { type: 'unknown', settled: true, caller, time: new Date().toISOString() } as const;
      await store.end({ ...said, ...end });
      terminal.say('It has ended. Its files can be written again.', 'green');
      return 0;
    }),
  );
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
