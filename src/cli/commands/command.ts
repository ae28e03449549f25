// Defines a command: its name and arguments, its options, and the function that runs.
import type { Option } from '../settings/option.ts';
import type { CommandContext } from './context.ts';

export interface Command {
  readonly name: string;
  /** The arguments: `<required>` and `[optional]`; a word without brackets is typed as it is. */
  readonly args: string;
  /** One line, in the list of commands. */
  readonly summary: string;
  /** The rest of the command's own help: what it needs, and how it ends. */
  readonly details: string;
  /** The command's own options, beside those of the server. */
  readonly options: readonly Option<unknown>[];
  /** Returns the exit code. Throws UsageError, StartError, Refusal or PromptAborted. */
  run(context: CommandContext): Promise<number>;
}
