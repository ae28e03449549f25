// The command after the lock-down: argv, environment and config file become an airlock that is served, or a command that is
// run. It ends the process, and says why in one line.
import { basename } from 'node:path';
import { ignoring, ioRefusal, type Refusal, StartError, visibleLineOnce } from '../security/index.ts';
import { readCommandLine } from './command-line.ts';
import type { CommandContext } from './commands/context.ts';
import { type Command, SERVE } from './commands/index.ts';
import { printConfig } from './commands/print-config.ts';
import { keepMemoryPrivate, refuseDebugger, riskyNodeFlags } from './process/process-hardening.ts';
import { resolveSettings } from './settings/settings.ts';
import { UsageError } from './settings/usage-error.ts';
import { PromptAborted } from './terminal/terminal.ts';

const BAD_USAGE = 2;
const BUG = 1;
const ABORTED = 1;
/** The exit code that a shell gives to Ctrl-C. */
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
  const request = readCommandLine(process.argv.slice(2));
  if (request.kind === 'print') {
    process.stdout.write(request.text);
    return;
  }
  const env = { ...process.env };
  const settings = await resolveSettings(request.flags, env);
  const [, script = 'config-airlock'] = process.argv;
  const context = {
    ...{ settings, env, input: process.stdin, output: process.stdout },
    riskyNodeFlags: riskyNodeFlags(process.execArgv, env['NODE_OPTIONS']),
    program: basename(script) === 'config-airlock' ? ['config-airlock'] : ['node', script],
  };
  if (request.kind === 'print-config') {
    await printConfig({ ...context, name: 'print-config', args: [] });
    return;
  }
  await refuseDebugger();
  keepMemoryPrivate();
  const { command, args } = request;
  const asked = { ...context, name: command.name, args };
  process.exitCode = command === SERVE ? await SERVE.run(asked) : await runOnce(command, asked);
}

async function runOnce(command: Command, context: CommandContext): Promise<number> {
  // Where the reader of stdout has left, or the disk is full, the output was lost and the exit code must say so.
  let isHeard = true;
  process.stdout.on('error', () => {
    isHeard = false;
    process.exitCode = BAD_USAGE;
  });
  const code = await command.run(context);
  return isHeard ? code : BAD_USAGE;
}

function endOf(error: unknown): { readonly lines: readonly string[]; readonly code: number } {
  if (error instanceof UsageError || error instanceof StartError)
    return { lines: [error.message], code: BAD_USAGE };
  if (error instanceof PromptAborted)
    return { lines: [error.message], code: error.how === 'interrupt' ? INTERRUPTED : ABORTED };
  const refusal = ignoring('all', () => ioRefusal('go on', error));
  if (refusal !== undefined)
    return {
      lines: [`${refusal.code}: ${refusal.message}`, ...firstAdvice(refusal)].map(visibleLineOnce),
      code: BAD_USAGE,
    };
  const name = error instanceof Error ? error.name : typeof error;
  return { lines: [`internal error (${name})`], code: BUG };
}

/** Answers the first advice of a refusal, unless its message has it already. */
function firstAdvice({ message, clues: { advice = [] } }: Refusal): readonly string[] {
  return advice.slice(0, 1).filter((text) => !message.includes(text));
}
