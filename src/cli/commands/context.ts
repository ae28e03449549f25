// The context of a command: its arguments, the settings, the environment at the start, and the standard streams.
import type { Readable, Writable } from 'node:stream';
import { ReadStream, WriteStream } from 'node:tty';
import { JSON_OUTPUT, NO_COLOR, QUIET } from '../settings/command-options.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import { Progress } from '../terminal/progress.ts';
import { Terminal } from '../terminal/terminal.ts';

export interface CommandContext {
  /** The name of the command. */
  readonly name: string;
  readonly args: readonly string[];
  /** The options of the server, and those of this command. */
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags of Node that let in foreign code, or write out a copy of the memory. */
  readonly riskyNodeFlags: readonly string[];
  /** The words of the command line that started this program. */
  readonly program: readonly string[];
  /** A `ReadStream` of node:tty where it is a terminal. */
  readonly input: Readable;
  /** A `WriteStream` of node:tty where it is a terminal. */
  readonly output: Writable;
  /** The stream for messages that are no result; a `WriteStream` where it is a terminal. */
  readonly errors: Writable;
  /** Registers work that is done after the command has succeeded or failed. */
  readonly onExit: (work: () => Promise<void>) => void;
}

/** Makes the progress display of long work. It shows nothing where stderr is no terminal, or with --quiet. */
export function progressFor({ errors, env, settings }: CommandContext): Progress {
  const isShown = errors instanceof WriteStream && env['TERM'] !== 'dumb' && !settings.of(QUIET).value;
  return new Progress(isShown ? errors : undefined);
}

/** True if output may have colours. Any non-empty text in the variable NO_COLOR switches them off (https://no-color.org). */
export function hasColour({ settings, env, output }: CommandContext): boolean {
  const { NO_COLOR: refused = '', TERM: kind } = env;
  return output instanceof WriteStream && !settings.of(NO_COLOR).value && refused === '' && kind !== 'dumb';
}

export function wantsJson({ settings }: CommandContext): boolean {
  return settings.of(JSON_OUTPUT).value;
}

/**
 * Runs `work` with the terminal, and restores the terminal afterwards. Throws UsageError if stdin or stdout is no terminal; no
 * flag and no variable replaces it. This proves that there is a terminal, and not that a person sits at it.
 */
export async function atTerminal<Result>(
  context: CommandContext,
  work: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const { input, output, name } = context;
  if (!(input instanceof ReadStream && output instanceof WriteStream))
    throw new UsageError(
      `${name} needs a person at a terminal: stdin and stdout must both be one, and nothing stands in for it`,
    );
  const terminal = new Terminal(input, output, hasColour(context));
  try {
    return await work(terminal);
  } finally {
    terminal.close();
  }
}
