// The command behind its lock-down: argv, environment and config file → an airlock, served over stdio
// until the client leaves or a signal comes. Ends the process, and says why in one line.
import { createLog, keepOutOfCoreDumps, type Log, StartError } from '../security/index.ts';
import { type Airlock, isolate, openAirlock, VERSION } from '../server.ts';
import { serveOverStdio } from '../stdio.ts';
import { readCommandLine } from './command-line.ts';
import { configAsJson, configAsText } from './print-config.ts';
import { resolveSettings } from './settings.ts';
import { onEndSignal } from './signals.ts';
import { forgetEnvironment, keepMemoryPrivate, refuseDebugger, riskyNodeFlags } from './surroundings.ts';
import { airlockOptions, logOptions } from './to-airlock.ts';
import { UsageError } from './usage-error.ts';

const BAD_USAGE = 2;
const BUG = 1;

export async function main(): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof StartError;
    const line = isUsage
      ? error.message
      : `internal error (${error instanceof Error ? error.name : typeof error})`;
    process.stderr.write(`config-airlock: ${line}\n`);
    process.exitCode = isUsage ? BAD_USAGE : BUG;
  }
}

async function run(): Promise<void> {
  const request = readCommandLine(process.argv.slice(2));
  if (request.kind === 'print') {
    process.stdout.write(request.text);
    return;
  }
  const settings = resolveSettings(request.flags, process.env);
  const nodeFlags = riskyNodeFlags(process.execArgv, process.env['NODE_OPTIONS']);
  if (request.kind === 'print-config') {
    process.stdout.write((request.asJson ? configAsJson : configAsText)(settings, nodeFlags));
    return;
  }
  await refuseDebugger();
  keepMemoryPrivate();
  const log = createLog(logOptions(settings));
  const opened = openAirlock({ ...airlockOptions(settings, process.env), log });
  const isolated = isolate(opened);
  const engine = isolated?.engine;
  process.on('uncaughtException', (error) => crash(error, log, engine));
  report(nodeFlags, log);
  forgetEnvironment();
  await isolated?.started;
  log.event('info', 'started', { version: VERSION });
  const connection = serveOverStdio(isolated ?? opened);
  onEndSignal(() => void connection.end());
  await connection.ended;
  engine?.close();
  log.event('info', 'stopped', {});
  process.exit(0);
}

function report(nodeFlags: readonly string[], log: Log): void {
  // Code that is loaded into the process, or a copy of its memory, stands inside of the airlock.
  if ((process.env['NODE_OPTIONS'] ?? '') !== '') log.event('warn', 'node_options_set');
  if (nodeFlags.length > 0) log.event('warn', 'risky_node_flags', { reason: nodeFlags.join(' ') });
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
