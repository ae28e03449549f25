// What a command finds around it: what was asked, the settings, the environment as it was, the terminal's ends.
import type { Task } from '../command-line.ts';
import type { Settings } from '../settings/settings.ts';
import { wantsColour } from '../terminal/ansi-style.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

export interface CommandContext {
  readonly task: Task;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

export function hasColour({ task, env, output }: CommandContext): boolean {
  return wantsColour(env, output.isTTY, task.own.has('no-color'));
}

/** Opens the terminal for the work, and leaves it as it was, however that ends. Throws UsageError without one. */
export async function atTerminal<Result>(
  context: CommandContext,
  work: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const { input, output, task } = context;
  const terminal = openTerminal({ input, output, hasColour: hasColour(context) }, task.name);
  try {
    return await work(terminal);
  } finally {
    terminal.close();
  }
}
