// What the commands work with: the same airlock that would be served, and the review desk over it. Whatever
// is applied here is applied by the tool that an agent would call.
import { type Call, type Engine, InlineEngine, type Outcome, recordAttempt } from '../../engine/index.ts';
import { openReviewDesk, type ReviewDesk } from '../../review/index.ts';
import { createLog, type Log, type Policy } from '../../security/index.ts';
import { type Airlock, openAirlock, VERSION } from '../../server.ts';
import { airlockOptions, logOptions } from '../settings/airlock-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Surroundings } from './context.ts';

/** The tools that an agent has; `confirmed`: by the person at this terminal, who has typed it. */
export interface Tools {
  readonly policy: Policy;
  call(tool: string, args: Readonly<Record<string, unknown>>, confirmed?: 'terminal'): Promise<Outcome>;
}

export interface Workshop extends Tools {
  readonly desk: ReviewDesk;
  readonly log: Log;
}

/** Throws UsageError or StartError, as serving would. */
export async function openWorkshop(around: Surroundings): Promise<Workshop> {
  const airlock = await openAs(around);
  const { policy, sandbox, state, log } = airlock;
  if (state === undefined)
    throw new UsageError(
      `${around.task.name} needs the state directory, which a read-only server does not keep: leave out --read-only`,
    );
  return { ...toolsOf(airlock, around), log, desk: openReviewDesk({ policy, sandbox, state }) };
}

/** Also in read-only mode, where nothing is kept. Throws what `openWorkshop` throws. */
export async function openTools(around: Surroundings): Promise<Tools> {
  return toolsOf(await openAs(around), around);
}

async function openAs(around: Surroundings): Promise<Airlock> {
  const { settings, env } = around;
  return openAirlock({ ...(await airlockOptions(settings, env)), log: logFor(around) });
}

function toolsOf(airlock: Airlock, { task }: Surroundings): Tools {
  const engine: Engine = new InlineEngine(airlock);
  const caller = { name: `config-airlock ${task.name}`, version: VERSION };
  return {
    policy: airlock.policy,
    call: async (tool, args, confirmed) => {
      const asked = { requestId: crypto.randomUUID(), tool, args, caller };
      const call = confirmed === undefined ? asked : { ...asked, confirmed };
      const outcome = await engine.run(call, { signal: new AbortController().signal, progress: undefined });
      if (tool === 'config_apply') recordRefusal(call, outcome, airlock.log);
      return outcome;
    },
  };
}

/** As the server does for an agent; what the commit has refused is recorded already. */
function recordRefusal(call: Call, outcome: Outcome, log: Log): void {
  if ('isAudited' in outcome && outcome.isAudited === true) return;
  const failed = 'code' in outcome ? outcome.code : undefined;
  const code = outcome.status === 'ask' ? 'APPROVAL_UNAVAILABLE' : failed;
  if (code === undefined) return;
  recordAttempt(call, 'refused', code, log);
}

/** To the operator's file, or nowhere: what must be kept goes into the audit trail, and a person reads here. */
function logFor({ settings }: Surroundings): Log {
  const options = logOptions(settings);
  return createLog(options.file === undefined ? { ...options, isSilent: true } : options);
}
