// What a command is given: its arguments, the settings, the environment as it was, both ends of the terminal.
import { JSON_OUTPUT, NO_COLOR } from '../settings/command-options.ts';
import type { Settings } from '../settings/settings.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

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

/** Opens the terminal for the work, and leaves it as it was, however that ends. Throws UsageError without one. */
export async function atTerminal<Result>(
  context: CommandContext,
  work: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const { input, output, name } = context;
  const terminal = openTerminal({ input, output, hasColour: hasColour(context) }, name);
  try {
    return await work(terminal);
  } finally {
    terminal.close();
  }
}
