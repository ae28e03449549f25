// What a command is: its words, its options, and what it does, which is loaded only when it is run.
import type { CommandContext } from '../actions/context.ts';
import type { Option } from '../settings/option.ts';

export interface Command {
  readonly name: string;
  /** `<required>` and `[optional]`; a word without brackets is typed as it is. */
  readonly args: string;
  /** One line, in the list of commands. */
  readonly summary: string;
  /** Below it in the command's own help: what it needs, and how it ends. */
  readonly details: string;
  /** Its own, on top of those of the server. */
  readonly options: readonly Option<unknown>[];
  /** Answers the exit code. Throws UsageError, StartError, Refusal or PromptAborted. */
  run(context: CommandContext): Promise<number>;
}
