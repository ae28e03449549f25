// Opens what commands use: the airlock that would be served, and the review of its previews. Commands make and apply changes by
// calling the tools of the agent.

import type { Outcome } from '../../engine/engine.ts';
import { InlineEngine } from '../../engine/inline-engine.ts';
import { RefusedWrites } from '../../engine/refused-writes.ts';
import { ReviewService } from '../../review/review-service.ts';
import { createLog, type Log } from '../../security/audit/log.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { closeStore } from '../../security/state/open-store.ts';
import { type Airlock, type AirlockOptions, openAirlock, VERSION } from '../../server.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { airlockOptions, logOptions, rootlessOptions } from '../settings/airlock-options.ts';
import { VERBOSE } from '../settings/command-options.ts';
import { OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { textIn } from '../show/members.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson } from './output.ts';

/** Opens the airlock as serving would. Throws UsageError or StartError. Only `recover` settles what killed processes left. */
export async function openAirlockFor(context: CommandContext): Promise<Airlock> {
  return openWithOptions(context, await airlockOptions(context.settings, context.env));
}

/**
 * Opens the review of the previews. On a machine without the files (no root, and a state in PostgreSQL) it shows the previews of all
 * roots. Throws what `openAirlockFor` throws, and UsageError in read-only mode, where nothing is kept.
 */
export async function openReview(
  context: CommandContext,
): Promise<{ readonly airlock: Airlock; readonly service: ReviewService }> {
  const { settings, env } = context;
  const rootless = await rootlessOptions(settings, env);
  const isElsewhere = settings.of(OPTIONS.root).value.length === 0 && rootless.postgres !== undefined;
  const options = isElsewhere ? { ...rootless, roots: [] } : await airlockOptions(settings, env);
  const airlock = await openWithOptions(context, options);
  return { airlock, service: reviewOn(airlock, context) };
}

async function openWithOptions(
  context: CommandContext,
  options: Omit<AirlockOptions, 'log'>,
): Promise<Airlock> {
  const airlock = await openAirlock({ ...options, log: logFor(context) });
  // The environment is cleared only now, because opening an airlock reads it.
  forgetEnvironment();
  const { state, sandbox } = airlock;
  context.onExit(async () => {
    // An open connection to PostgreSQL would keep the process alive for some time.
    if (state !== undefined) await closeStore(state);
    sandbox.close();
  });
  return airlock;
}

/** Opens the airlock and settles what killed processes left. It is for commands that write. */
export async function openRecovered(context: CommandContext): Promise<Airlock> {
  const airlock = await openAirlockFor(context);
  await airlock.recover?.();
  return airlock;
}

/** Returns the review service. Throws UsageError in read-only mode, where nothing is kept. */
export function reviewOn({ policy, sandbox, state }: Airlock, { name }: CommandContext): ReviewService {
  if (state === undefined)
    throw new UsageError(
      `${name} needs the state directory, which a read-only server does not keep: leave out --read-only`,
    );
  return new ReviewService({ policy, sandbox, state });
}

/**
 * Calls a tool of the agent and returns its data. `confirmed` means that the person at this terminal has agreed. `principal` is the
 * reviewer whose key was opened. Throws a Refusal for anything but success; with --json the tool's answer is printed before.
 */
export async function callTool(
  airlock: Airlock,
  context: CommandContext,
  asked: { readonly tool: string; readonly args: Readonly<Record<string, unknown>>; confirmed?: 'terminal' },
  principal?: string,
): Promise<Readonly<Record<string, unknown>>> {
  const who = principal === undefined ? {} : { principal };
  const caller = { name: `config-airlock ${context.name}`, version: VERSION, ...who };
  // All other calls of commands make previews only.
  const writes = asked.tool === 'config_apply';
  const call = { ...asked, requestId: crypto.randomUUID(), caller, writes, isOperator: true };
  const control = { signal: new AbortController().signal, progress: undefined };
  const outcome = await new InlineEngine(airlock).run(call, control);
  if (outcome.status === 'ok') return outcome.data;
  if (outcome.status === 'ask') {
    await new RefusedWrites(airlock).record(call, { status: 'refused', code: 'APPROVAL_UNAVAILABLE' });
    throw new Refusal(
      'APPROVAL_UNAVAILABLE',
      'Cannot apply this preview: the person at the client has to approve it, and no client is connected here.',
    );
  }
  if ('code' in outcome) await new RefusedWrites(airlock).record(call, outcome);
  if (wantsJson(context)) printJson(context, outcome.data);
  throw refusalOf(outcome);
}

/** Makes the refusal of a call that failed. Throws a plain Error for a cancelled call, because nobody can cancel calls of commands. */
export function refusalOf(outcome: Outcome): Refusal {
  if (!('code' in outcome)) throw new Error('nobody can cancel this call');
  const { error } = outcome.data;
  const details = textIn(error, 'details');
  const clues = details === undefined ? {} : { advice: details.split('\n') };
  return new Refusal(outcome.code, textIn(error, 'message') ?? 'The call was stopped.', {}, clues);
}

/** Opens the operator's log file. If there is none, the log is silent, or goes to stderr with --verbose. */
function logFor({ settings }: CommandContext): Log {
  const options = logOptions(settings);
  if (options.file !== undefined) return createLog(options);
  return createLog({ ...options, format: 'text', isSilent: !settings.of(VERBOSE).value });
}
