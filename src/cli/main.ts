// The command behind its lock-down: argv, environment and config file → an airlock that is served, or a
// command that is done. Ends the process, and says why in one line.
import { Refusal, StartError, visibleLineOnce } from '../security/index.ts';
import { configAsJson, configAsText } from './actions/print-config.ts';
import { serve } from './actions/serve.ts';
import type { Request, Task } from './command-line.ts';
import { plainFlags } from './plain-flags.ts';
import {
  forgetEnvironment,
  keepMemoryPrivate,
  refuseDebugger,
  riskyNodeFlags,
} from './process/process-hardening.ts';
import { resolveSettings, type Settings } from './settings/settings.ts';
import { UsageError } from './settings/usage-error.ts';
import { PromptAborted } from './terminal/prompt-aborted.ts';

const BAD_USAGE = 2;
const BUG = 1;
const LEFT = 1;
/** As a shell counts a Ctrl-C. */
const INTERRUPTED = 130;

export async function main(): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { lines, code } = endOf(error);
    for (const line of lines) process.stderr.write(`config-airlock: ${line}\n`);
    process.exitCode = code;
  }
}

async function run(): Promise<void> {
  const request = await readArgs(process.argv.slice(2));
  if (request.kind === 'print') {
    process.stdout.write(request.text);
    return;
  }
  const env = { ...process.env };
  const settings = await resolveSettings(request.flags, env);
  const nodeFlags = riskyNodeFlags(process.execArgv, env['NODE_OPTIONS']);
  if (request.kind === 'print-config') {
    process.stdout.write((request.asJson ? configAsJson : configAsText)(settings, nodeFlags, env));
    return;
  }
  await refuseDebugger();
  keepMemoryPrivate();
  if (request.kind === 'serve') await serve(settings, nodeFlags, env);
  else process.exitCode = await done(request, settings, env);
}

async function readArgs(args: readonly string[]): Promise<Request> {
  const flags = plainFlags(args);
  if (flags !== undefined) return { kind: 'serve', flags };
  const { readCommandLine } = await import('./command-line.ts');
  return readCommandLine(args);
}

async function done(
  task: Task,
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // Serving should not wait for what only a person at a terminal needs.
  const { runTask } = await import('./actions/run-task.ts');
  forgetEnvironment();
  // Its reader has left, or the disk is full: what it had to say was not said, whatever it did.
  let isHeard = true;
  process.stdout.on('error', () => {
    isHeard = false;
    process.exitCode = BAD_USAGE;
  });
  const code = await runTask({ task, settings, env, input: process.stdin, output: process.stdout });
  return isHeard ? code : BAD_USAGE;
}

function endOf(error: unknown): { readonly lines: readonly string[]; readonly code: number } {
  if (error instanceof UsageError || error instanceof StartError)
    return { lines: [error.message], code: BAD_USAGE };
  if (error instanceof PromptAborted)
    return { lines: [error.message], code: error.how === 'interrupt' ? INTERRUPTED : LEFT };
  if (error instanceof Refusal)
    return {
      lines: [`${error.code}: ${error.message}`, ...wayOut(error)].map(visibleLineOnce),
      code: BAD_USAGE,
    };
  const name = error instanceof Error ? error.name : typeof error;
  return { lines: [`internal error (${name})`], code: BUG };
}

/** The first advice, unless it was said already; it may quote what an agent or a reviewer wrote. */
function wayOut({ message, clues: { advice = [] } }: Refusal): readonly string[] {
  return advice.slice(0, 1).filter((text) => !message.includes(text));
}
