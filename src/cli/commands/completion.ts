// `completion SHELL`: what a shell has to be told to complete what is typed. Static: it runs nothing while somebody types.
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { type Typed, typed } from '../completion/words.ts';
import { zshScript } from '../completion/zsh.ts';
import { EVERYWHERE, JSON_OUTPUT, PRINT_CONFIG } from '../settings/command-options.ts';
import { ALL_OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { CommandContext } from './context.ts';

const SHELLS: ReadonlyMap<string, (words: Typed) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);

export async function completion(
  { args, output }: CommandContext,
  commands: Parameters<typeof typed>[1],
): Promise<number> {
  const [shell = ''] = args;
  const script = SHELLS.get(shell);
  if (script === undefined) throw new UsageError(`completion is there for ${[...SHELLS.keys()].join(', ')}`);
  output.write(script(typed([...ALL_OPTIONS, ...EVERYWHERE, PRINT_CONFIG, JSON_OUTPUT], commands)));
  return 0;
}
