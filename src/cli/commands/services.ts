// The services that commands use: the airlock that would be served, and the review of its previews. Changes are applied by the
// tool that an agent would call.
import { InlineEngine, type Outcome, RefusedWrites } from '../../engine/index.ts';
import { ReviewService } from '../../review/index.ts';
import { closeState, createLog, type Log, Refusal } from '../../security/index.ts';
import { type Airlock, type AirlockOptions, openAirlock, VERSION } from '../../server.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { airlockOptions, logOptions, rootlessOptions } from '../settings/airlock-options.ts';
import { VERBOSE } from '../settings/command-options.ts';
import { OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { listIn, textIn } from '../show/members.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson } from './output.ts';

/** Opens the airlock as serving would. Throws UsageError or StartError. Only `recover` settles what killed processes left. */
export async function openAirlockFor(context: CommandContext): Promise<Airlock> {
  return opened(context, await airlockOptions(context.settings, context.env));
}

/**
 * Opens the review of its previews. Without a root, and with a state in PostgreSQL, it shows what is kept for any root, on a
 * machine that has not the files. Throws as `openAirlockFor`, and UsageError in read-only mode, where nothing is kept.
 */
export async function openReview(
  context: CommandContext,
): Promise<{ readonly airlock: Airlock; readonly service: ReviewService }> {
  const { settings, env } = context;
  const rootless = await rootlessOptions(settings, env);
  const isElsewhere = settings.of(OPTIONS.root).value.length === 0 && rootless.postgres !== undefined;
  const options = isElsewhere ? { ...rootless, roots: [] } : await airlockOptions(settings, env);
  const airlock = await opened(context, options);
  return { airlock, service: reviewOn(airlock, context) };
}

async function opened(context: CommandContext, options: Omit<AirlockOptions, 'log'>): Promise<Airlock> {
  const airlock = await openAirlock({ ...options, log: logFor(context) });
  // The environment is forgotten only here, because opening asks it for the home directory.
  forgetEnvironment();
  const { state, sandbox } = airlock;
  context.atEnd(async () => {
    // An open connection to PostgreSQL would keep the process until it is idle for long.
    if (state !== undefined) await closeState(state);
    sandbox.close();
  });
  return airlock;
}

/** Opens the airlock and settles what killed processes left, for commands that write anyway. */
export async function openRecovered(context: CommandContext): Promise<Airlock> {
  const airlock = await openAirlockFor(context);
  await airlock.recover?.();
  return airlock;
}

/** Answers the review service. Throws UsageError in read-only mode, where nothing is kept. */
export function reviewOn({ policy, sandbox, state }: Airlock, { name }: CommandContext): ReviewService {
  if (state === undefined)
    throw new UsageError(
      `${name} needs the state directory, which a read-only server does not keep: leave out --read-only`,
    );
  return new ReviewService({ policy, sandbox, state });
}

/**
 * Calls a tool of the agent and answers its data. `confirmed` means that the person at this terminal has agreed; `principal` is
 * the reviewer whose key was opened. Throws a Refusal for anything but success; with --json that answer is printed first.
 */
export async function callTool(
  airlock: Airlock,
  context: CommandContext,
  asked: { readonly tool: string; readonly args: Readonly<Record<string, unknown>>; confirmed?: 'terminal' },
  principal?: string,
): Promise<Readonly<Record<string, unknown>>> {
  const who = principal === undefined ? {} : { principal };
  const caller = { name: `config-airlock ${context.name}`, version: VERSION, ...who };
  // The other calls of commands are previews.
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

/** Makes the refusal of a call that failed and that nobody could cancel. */
export function refusalOf(outcome: Outcome): Refusal {
  if (!('code' in outcome)) throw new Error('nobody can cancel this call');
  const { error } = outcome.data;
  const advice = listIn(error, 'suggestions').filter((item) => typeof item === 'string');
  return new Refusal(outcome.code, textIn(error, 'message') ?? 'The call was stopped.', {}, { advice });
}

/**
 * Opens the operator's log file, or a silent log: the audit trail keeps what matters, and a person reads here. With --verbose
 * that person reads the log as well.
 */
function logFor({ settings }: CommandContext): Log {
  const options = logOptions(settings);
  if (options.file !== undefined) return createLog(options);
  return createLog({ ...options, format: 'text', isSilent: !settings.of(VERBOSE).value });
}
