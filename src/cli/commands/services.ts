// What the commands work with: the same airlock that would be served, and the review of its previews. Whatever
// is applied here is applied by the tool that an agent would call.
import { type Engine, InlineEngine, type Outcome, recordRefusedWrite } from '../../engine/index.ts';
import { ReviewService } from '../../review/index.ts';
import { createLog, type Log, type Policy } from '../../security/index.ts';
import { type Airlock, openAirlock, VERSION } from '../../server.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { airlockOptions, logOptions } from '../settings/airlock-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { CommandContext } from './context.ts';

/** The tools that an agent has; `confirmed`: by the person at this terminal, who has typed it. */
export interface Tools {
  readonly policy: Policy;
  call(tool: string, args: Readonly<Record<string, unknown>>, confirmed?: 'terminal'): Promise<Outcome>;
}

export interface Services extends Tools {
  readonly service: ReviewService;
  readonly log: Log;
}

/**
 * Throws UsageError or StartError, as serving would. `recovery`: whether files that a killed process left are brought in
 * order, which writes into the roots; for a command that writes there anyhow.
 */
export async function openServices(context: CommandContext, recovery: 'now' | 'never'): Promise<Services> {
  const airlock = await openAs(context, recovery);
  const { policy, sandbox, state, log } = airlock;
  if (state === undefined)
    throw new UsageError(
      `${context.name} needs the state directory, which a read-only server does not keep: leave out --read-only`,
    );
  return { ...toolsOf(airlock, context), log, service: new ReviewService({ policy, sandbox, state }) };
}

/** Also in read-only mode, where nothing is kept. Throws what `openServices` throws. */
export async function openTools(context: CommandContext, recovery: 'now' | 'never'): Promise<Tools> {
  return toolsOf(await openAs(context, recovery), context);
}

async function openAs(context: CommandContext, recovery: 'now' | 'never'): Promise<Airlock> {
  const { settings, env } = context;
  const options = await airlockOptions(settings, env);
  const airlock = openAirlock({ ...options, log: logFor(context), recovery });
  // Only now: whether a root is a home directory is asked of the environment too.
  forgetEnvironment();
  return airlock;
}

function toolsOf(airlock: Airlock, context: CommandContext): Tools {
  const engine: Engine = new InlineEngine(airlock);
  const caller = { name: `config-airlock ${context.name}`, version: VERSION };
  return {
    policy: airlock.policy,
    call: async (tool, args, confirmed) => {
      // The others that commands call are previews.
      const asked = { requestId: crypto.randomUUID(), tool, args, caller, writes: tool === 'config_apply' };
      const call = confirmed === undefined ? asked : { ...asked, confirmed };
      const outcome = await engine.run(call, { signal: new AbortController().signal, progress: undefined });
      if (outcome.status === 'ask')
        recordRefusedWrite(call, { status: 'refused', code: 'APPROVAL_UNAVAILABLE' }, airlock.log);
      else if ('code' in outcome) recordRefusedWrite(call, outcome, airlock.log);
      return outcome;
    },
  };
}

/** To the operator's file, or nowhere: what must be kept goes into the audit trail, and a person reads here. */
function logFor({ settings }: CommandContext): Log {
  const options = logOptions(settings);
  return createLog(options.file === undefined ? { ...options, isSilent: true } : options);
}
