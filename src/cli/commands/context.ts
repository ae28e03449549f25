// What a command is given: its arguments, the settings, the environment as it was, both ends of the terminal.
import { JSON_OUTPUT, NO_COLOR } from '../settings/command-options.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import { Terminal } from '../terminal/terminal.ts';

export interface CommandContext {
  /** The name of the command. */
  readonly name: string;
  readonly args: readonly string[];
  /** The options of the server, and those of this command. */
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags of Node by which foreign code, or a copy of the memory, gets past the airlock. */
  readonly riskyNodeFlags: readonly string[];
  /** The words by which this program was started. */
  readonly program: readonly string[];
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** https://no-color.org: any text in the variable but the empty one says no. */
export function hasColour({ settings, env, output }: CommandContext): boolean {
  const { NO_COLOR: refused = '', TERM: kind } = env;
  return output.isTTY && !settings.of(NO_COLOR).value && refused === '' && kind !== 'dumb';
}

export function wantsJson({ settings }: CommandContext): boolean {
  return settings.of(JSON_OUTPUT).value;
}

/**
 * Opens the terminal for the work, and leaves it as it was, however that ends. Throws UsageError where stdin or stdout is no
 * terminal: there is no flag and no variable in its place. It proves that there IS a terminal, not that a person sits at it.
 */
export async function atTerminal<Result>(
  context: CommandContext,
  work: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const { input, output, name } = context;
  if (!input.isTTY || !output.isTTY)
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
