// A command to copy: it works as it stands, from any folder, for it repeats the options of this call.
import { ALL_OPTIONS } from '../settings/options.ts';
import type { CommandContext } from './context.ts';

/** `words`: the command with its arguments, such as `apply ID`. */
export function nextCommand(words: string, { program, settings }: CommandContext): string {
  const flags = ALL_OPTIONS.flatMap((option) => {
    const { value, from } = settings.of(option);
    if (from !== 'flag' && from !== 'environment') return [];
    if (option.argument === undefined) return value === true ? [`--${option.name}`] : [];
    return option.write(value).flatMap((text) => [`--${option.name}`, shellWord(text)]);
  });
  return [...program.map(shellWord), words, ...flags].join(' ');
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
