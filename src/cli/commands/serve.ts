// Serves an airlock over stdio or HTTP, and ends the process afterwards.
import { ReadStream } from 'node:tty';
import type { StartedThread } from '../../engine/start-thread.ts';
import type { WorkerEngine } from '../../engine/worker-engine.ts';
import { createLog, type Log } from '../../security/audit/log.ts';
import { StartError } from '../../security/errors/start-error.ts';
import { keepOutOfCoreDumps } from '../../security/fs/core-dump.ts';
import {
  type Airlock,
  type AirlockOptions,
  isolate,
  openAirlock,
  preloadCalls,
  requireServableOptions,
  VERSION,
} from '../../server.ts';
import type { HttpOptions } from '../../transports/http/index.ts';
import { serveOverStdio } from '../../transports/stdio/index.ts';
import { forgetEnvironment, silenceConsole } from '../process/process-hardening.ts';
import { onEndSignal, onServiceSignals } from '../process/signals.ts';
import { airlockOptions, logOptions } from '../settings/airlock-options.ts';
import { QUIET } from '../settings/command-options.ts';
import { httpOptions } from '../settings/http-settings.ts';
import { OPTIONS } from '../settings/options.ts';
import { readPolicyFile } from '../settings/policy-file.ts';
import type { CommandContext } from './context.ts';

const BUG = 1;

/** Serves, and ends the process. `thread` is a thread of `startThread`, which still loads its modules. */
export async function serve(context: CommandContext, thread: StartedThread): Promise<never> {
  const { settings, env } = context;
  const { log, opened, http, options } = await openOrEndThread(thread, async () => {
    const over = httpOptions(settings);
    const ownLog = createLog(logOptions(settings));
    const made = { ...(await airlockOptions(settings, env)), log: ownLog };
    return { log: ownLog, opened: await openAirlock(made), http: over, options: made };
  });
  const isolated = isolate(opened, thread);
  if (isolated === undefined) await thread.worker.terminate();
  const engine = isolated?.engine;
  process.on('uncaughtException', (error) => crash(error, log));
  logStartConditions(context, log);
  forgetEnvironment();
  log.event('info', 'started', { version: VERSION });
  const warmUp = (): void => void engine?.warmUp();
  try {
    if (http === undefined) await serveClient(isolated ?? opened, context, warmUp);
    else {
      const reload = () => void reloadPolicy(context, options, engine);
      await serveClients(isolated ?? opened, http, context, { warmUp, reload });
    }
    // A client may leave before it was idle, so that nothing was settled yet.
    await opened.recover?.();
  } finally {
    await engine?.close();
  }
  log.event('info', 'stopped', {});
  process.exit(0);
}

/** Serves over stdin and stdout, until the client leaves or a signal comes. */
async function serveClient(airlock: Airlock, context: CommandContext, warmUp: () => void): Promise<void> {
  printNotice(
    context,
    'waiting for an MCP client on stdin. Usually the client starts this command; --help explains it',
  );
  // What a killed process has left is settled before any client sees it. This costs one query of the state.
  await airlock.recover?.();
  const connection = serveOverStdio(airlock);
  onEndSignal(() => void connection.end());
  // The client's greeting is answered first.
  void connection.idle.then(async () => {
    await airlock.recover?.();
    warmUp();
    void preloadCalls();
  });
  await connection.ended;
}

/** Serves over HTTP until a signal comes. */
async function serveClients(
  airlock: Airlock,
  options: HttpOptions,
  context: CommandContext,
  { warmUp, reload }: { readonly warmUp: () => void; readonly reload: () => void },
): Promise<void> {
  await airlock.recover?.();
  warmUp();
  silenceConsole();
  const { serveOverHttp } = await import('../../transports/http/index.ts');
  const service = await serveOverHttp(airlock, options);
  printNotice(context, `serving MCP clients at ${service.url}`);
  const reloadAll = () => {
    service.reload();
    reload();
  };
  await new Promise<void>((resolve) => onServiceSignals({ end: resolve, reload: reloadAll }));
  await service.end();
}

/** Reads the policy file again, and checks it as a start does. The old rules stay where it cannot be used. */
async function reloadPolicy(
  { settings }: CommandContext,
  options: AirlockOptions & { readonly log: Log },
  engine: WorkerEngine | undefined,
): Promise<void> {
  const { log } = options;
  try {
    const changes = await readPolicyFile(settings.of(OPTIONS.policy).value);
    requireServableOptions({ ...options, changes }, undefined);
    if (engine === undefined) throw new StartError('calls have no thread of their own here: start it again');
    engine.renew(changes);
    log.event('info', 'policy_reloaded');
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.event('error', 'policy_unusable', { reason: error.message });
  }
}

/** Tells a person who typed the command that the server does not hang. */
function printNotice({ input, errors, settings }: CommandContext, what: string): void {
  if (input instanceof ReadStream && !settings.of(QUIET).value)
    errors.write(`config-airlock: ${what}; Ctrl-C ends it.\n`);
}

/** Opens what is served. If that fails, it ends the thread, which would keep the process alive. */
async function openOrEndThread<Opened>(
  { worker }: StartedThread,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function logStartConditions({ env, riskyNodeFlags }: CommandContext, log: Log): void {
  // Code that is loaded into the process, or a copy of its memory, bypasses the airlock.
  if ((env['NODE_OPTIONS'] ?? '') !== '') log.event('warn', 'node_options_set');
  if (riskyNodeFlags.length > 0) log.event('warn', 'risky_node_flags', { reason: riskyNodeFlags.join(' ') });
  if (!keepOutOfCoreDumps()) log.event('debug', 'core_dumps_as_the_system_has_them');
  // Warnings of Node would go to stderr as they are, and may quote anything.
  process.removeAllListeners('warning');
  process.on('warning', ({ name }) => log.event('warn', 'node_warning', { error_name: name }));
}

/** Logs only the kind of error, because its message and stack may quote what was being read, and ends the process. */
function crash(error: Error, log: Log): never {
  log.event('error', 'crashed', { error_name: error.name });
  process.exit(BUG);
}
