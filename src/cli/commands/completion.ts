// `completion SHELL` prints the completion script for a shell. The script is static, so that nothing of this program runs while
// somebody types.
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { type CompletionWords, completionWords } from '../completion/words.ts';
import { zshScript } from '../completion/zsh.ts';
import { EVERYWHERE, JSON_OUTPUT, PRINT_CONFIG } from '../settings/command-options.ts';
import { ALL_OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { CommandContext } from './context.ts';

const SHELLS: ReadonlyMap<string, (words: CompletionWords) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);

export async function completion(
  { args, output }: CommandContext,
  commands: Parameters<typeof completionWords>[1],
): Promise<number> {
  const [shell = ''] = args;
  const script = SHELLS.get(shell);
  if (script === undefined) throw new UsageError(`completion is there for ${[...SHELLS.keys()].join(', ')}`);
  output.write(script(completionWords([...ALL_OPTIONS, ...EVERYWHERE, PRINT_CONFIG, JSON_OUTPUT], commands)));
  return 0;
}
