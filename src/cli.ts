#!/usr/bin/env node
// The command: argv, environment and config file → an airlock, served over stdio until the client
// leaves or a signal comes. The only file that reads them, and the only one that ends the process.
import { readCommandLine } from './cli/command-line.ts';
import { configAsJson, configAsText } from './cli/print-config.ts';
import { resolveSettings } from './cli/settings.ts';
import { onEndSignal } from './cli/signals.ts';
import { airlockOptions, logOptions } from './cli/to-airlock.ts';
import { UsageError } from './cli/usage-error.ts';
import { createLog, type Log, StartError } from './security/index.ts';
import { openAirlock, VERSION } from './server.ts';
import { serveOverStdio } from './stdio.ts';

const BAD_USAGE = 2;
const BUG = 1;

process.title = 'config-airlock';
// Whoever started us may have closed stderr: what cannot be said is not worth a crash.
process.stderr.on('error', () => undefined);

try {
  await main();
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof StartError;
  const line = isUsage
    ? error.message
    : `internal error (${error instanceof Error ? error.name : typeof error})`;
  process.stderr.write(`config-airlock: ${line}\n`);
  process.exitCode = isUsage ? BAD_USAGE : BUG;
}

async function main(): Promise<void> {
  const request = readCommandLine(process.argv.slice(2));
  if (request.kind === 'print') {
    process.stdout.write(request.text);
    return;
  }
  const settings = resolveSettings(request.flags, process.env);
  if (request.kind === 'print-config') {
    process.stdout.write(request.asJson ? configAsJson(settings) : configAsText(settings));
    return;
  }
  const log = createLog(logOptions(settings));
  const airlock = openAirlock({ ...airlockOptions(settings), log });
  process.on('uncaughtException', (error) => crash(error, log));
  warn(log);
  log.event('info', 'started', { version: VERSION });
  const connection = serveOverStdio(airlock);
  onEndSignal(() => void connection.end());
  await connection.ended;
  log.event('info', 'stopped', {});
  process.exit(0);
}

/** Only the kind of error: its message and stack may quote what was being read. */
function crash(error: Error, log: Log): never {
  log.event('error', 'crashed', { error_name: error.name });
  process.exit(BUG);
}

function warn(log: Log): void {
  // Code that is loaded into the process, or a debugger, stands inside of the airlock.
  if ((process.env['NODE_OPTIONS'] ?? '') !== '') log.event('warn', 'node_options_set', {});
}
