// Runs a command after the lock-down, with the settings of argv, environment and config file. A failure is printed in one line.
import type { Readable, Writable } from 'node:stream';
import { ignoring, ioRefusal, type Refusal } from '../security/errors/refusal.ts';
import { StartError } from '../security/errors/start-error.ts';
import { visibleLineOnce } from '../security/text/visible.ts';
import { readCommandLine } from './command-line.ts';
import { printConfig } from './commands/print-config.ts';
import { ownProgram } from './process/own-program.ts';
import { keepMemoryPrivate, refuseDebugger, riskyNodeFlags } from './process/process-hardening.ts';
import { resolveSettings } from './settings/settings.ts';
import { UsageError } from './settings/usage-error.ts';
import { PromptAborted } from './terminal/terminal.ts';

const BAD_USAGE = 2;
const BUG = 1;
const ABORTED = 1;
/** The exit code that a shell gives to Ctrl-C. */
const INTERRUPTED = 130;

/** The facts with which the program was started. */
export interface ProgramStart {
  /** The file that was started, as its caller named it. */
  readonly script: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
}

export async function main(): Promise<void> {
  const [, script = 'config-airlock', ...argv] = process.argv;
  const streams = { input: process.stdin, output: process.stdout, errors: process.stderr };
  // The output is lost where the reader of stdout has closed it, or the disk is full. The exit code must say so.
  let isWritten = true;
  process.stdout.on('error', () => {
    isWritten = false;
    process.exitCode = BAD_USAGE;
  });
  const code = await runCommandLine({ ...{ script, argv, env: { ...process.env } }, ...streams });
  process.exitCode = isWritten ? code : BAD_USAGE;
}

/** Runs a command line, and returns its exit code. */
export async function runCommandLine(start: ProgramStart): Promise<number> {
  try {
    return await run(start);
  } catch (error) {
    const { lines, code } = exitOf(error);
    for (const line of lines) start.errors.write(`config-airlock: ${line}\n`);
    return code;
  }
}

async function run({ script, argv, env, input, output, errors }: ProgramStart): Promise<number> {
  const request = readCommandLine(argv);
  if (request.kind === 'print') {
    output.write(request.text);
    return 0;
  }
  const settings = await resolveSettings(request.flags, env);
  const exitWork: (() => Promise<void>)[] = [];
  const context = {
    ...{ settings, env, input, output, errors },
    onExit: (work: () => Promise<void>) => void exitWork.push(work),
    riskyNodeFlags: riskyNodeFlags(process.execArgv, env['NODE_OPTIONS']),
    program: ownProgram(script),
  };
  if (request.kind === 'print-config') {
    await printConfig({ ...context, name: 'print-config', args: [] });
    return 0;
  }
  await refuseDebugger();
  keepMemoryPrivate();
  const { command, args } = request;
  try {
    return await command.run({ ...context, name: command.name, args });
  } finally {
    for (const work of exitWork) await work();
  }
}

function exitOf(error: unknown): { readonly lines: readonly string[]; readonly code: number } {
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

/** Returns the first advice of a refusal, unless its message has it already. */
function firstAdvice({ message, clues: { advice = [] } }: Refusal): readonly string[] {
  return advice.slice(0, 1).filter((text) => !message.includes(text));
}
