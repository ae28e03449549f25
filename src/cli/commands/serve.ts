// Serving: an airlock over stdio or HTTP, until it is over. Ends the process.
import type { StartedThread } from '../../engine/index.ts';
import { createLog, keepOutOfCoreDumps, type Log } from '../../security/index.ts';
import { type Airlock, isolate, openAirlock, preloadCalls, VERSION } from '../../server.ts';
import type { HttpOptions } from '../../transports/http/index.ts';
import { serveOverStdio } from '../../transports/stdio/index.ts';
import { forgetEnvironment, silenceConsole } from '../process/process-hardening.ts';
import { onEndSignal, onServiceSignals } from '../process/signals.ts';
import { airlockOptions, logOptions } from '../settings/airlock-options.ts';
import { httpOptions } from '../settings/http-settings.ts';
import type { CommandContext } from './context.ts';

const BUG = 1;

/** `thread`: begun to load by `startThread`. */
export async function serve(context: CommandContext, thread: StartedThread): Promise<never> {
  const { settings, env } = context;
  const { log, opened, http } = await openedBeside(thread, async () => {
    const over = httpOptions(settings);
    const ownLog = createLog(logOptions(settings));
    const options = { ...(await airlockOptions(settings, env)), log: ownLog };
    return { log: ownLog, opened: await openAirlock(options), http: over };
  });
  const isolated = isolate(opened, thread);
  if (isolated === undefined) await thread.worker.terminate();
  const engine = isolated?.engine;
  process.on('uncaughtException', (error) => crash(error, log, engine));
  report(context, log);
  forgetEnvironment();
  log.event('info', 'started', { version: VERSION });
  const warmUp = (): void => void engine?.warmUp();
  try {
    if (http === undefined) await serveClient(isolated ?? opened, context, warmUp);
    else await serveClients(isolated ?? opened, http, context, warmUp);
    // A client may leave before it was idle or called anything.
    await opened.recover?.();
  } finally {
    engine?.close();
  }
  log.event('info', 'stopped', {});
  process.exit(0);
}

/** Over stdin and stdout, until the client leaves or a signal comes. */
async function serveClient(airlock: Airlock, { input }: CommandContext, warmUp: () => void): Promise<void> {
  // A person who typed the command would see a server that waits for a client, which looks like one that hangs.
  if (input.isTTY)
    process.stderr.write(
      'config-airlock: waiting for an MCP client on stdin. Usually the client starts this command; --help explains it, Ctrl-C ends it.\n',
    );
  // No client sees what a killed process has left. It asks the state one question.
  await airlock.recover?.();
  const connection = serveOverStdio(airlock);
  onEndSignal(() => void connection.end());
  // The client's greeting comes first.
  void connection.idle.then(async () => {
    await airlock.recover?.();
    warmUp();
    void preloadCalls();
  });
  await connection.ended;
}

/** Over HTTP, until a signal comes. */
async function serveClients(
  airlock: Airlock,
  options: HttpOptions,
  { input }: CommandContext,
  warmUp: () => void,
): Promise<void> {
  await airlock.recover?.();
  warmUp();
  silenceConsole();
  const { serveOverHttp } = await import('../../transports/http/index.ts');
  const service = await serveOverHttp(airlock, options);
  if (input.isTTY)
    process.stderr.write(`config-airlock: serving MCP clients at ${service.url}. Ctrl-C ends it.\n`);
  await new Promise<void>((resolve) => onServiceSignals({ end: resolve, reload: () => service.reload() }));
  await service.end();
}

/** A process whose start was refused would not end while the thread waits for its first call. */
async function openedBeside<Opened>({ worker }: StartedThread, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function report({ env, riskyNodeFlags }: CommandContext, log: Log): void {
  // Code that is loaded into the process, or a copy of its memory, bypasses the airlock.
  if ((env['NODE_OPTIONS'] ?? '') !== '') log.event('warn', 'node_options_set');
  if (riskyNodeFlags.length > 0) log.event('warn', 'risky_node_flags', { reason: riskyNodeFlags.join(' ') });
  if (!keepOutOfCoreDumps()) log.event('debug', 'core_dumps_as_the_system_has_them');
  // Node's own words go to stderr as they are, and may quote anything.
  process.removeAllListeners('warning');
  process.on('warning', ({ name }) => log.event('warn', 'node_warning', { error_name: name }));
}

/** Only the kind of error: its message and stack may quote what was being read. */
function crash(error: Error, log: Log, engine: Airlock['engine']): never {
  log.event('error', 'crashed', { error_name: error.name });
  // A write under way is carried to its end.
  engine?.close();
  process.exit(BUG);
}
