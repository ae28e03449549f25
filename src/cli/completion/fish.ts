// The completions for fish: one line each.
import type { CommandWord, OptionWord, Typed } from './words.ts';

export function fishScript({ options, commands }: Typed): string {
  const lines = [
    '# fish completion of config-airlock: save it as ~/.config/fish/completions/config-airlock.fish',
    'complete -c config-airlock -f',
    ...options.map((option) => optionLine(option, '')),
    optionLine(
      { text: '--help', help: 'print this help, or that of a command, and exit', value: 'none' },
      '',
    ),
    optionLine({ text: '--version', help: 'print the version, and exit', value: 'none' }, ''),
    ...commands.flatMap((command) => commandLines(command, [])),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(command: CommandWord, above: readonly string[]): readonly string[] {
  const { text, help, options, below, takesFile } = command;
  const isHere = [
    ...above.map((word) => `__fish_seen_subcommand_from ${word}`),
    ...(above.length === 0 ? ['__fish_use_subcommand'] : [`not __fish_seen_subcommand_from ${text}`]),
  ].join('; and ');
  const isUnder = [...above, text].map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  return [
    `complete -c config-airlock -n ${quoted(isHere)} -a ${text} -d ${quoted(help)}`,
    ...(takesFile ? [`complete -c config-airlock -n ${quoted(isUnder)} -F`] : []),
    ...options.map((option) => optionLine(option, isUnder)),
    ...below.flatMap((inner) => commandLines(inner, [...above, text])),
  ];
}

function optionLine({ text, help, value }: Omit<OptionWord, 'isRepeatable'>, condition: string): string {
  const when = condition === '' ? '' : ` -n ${quoted(condition)}`;
  const rest = value === 'none' ? '' : ` -r${kindOf(value)}`;
  return `complete -c config-airlock${when} -l ${text.slice(2)} -d ${quoted(help)}${rest}`;
}

function kindOf(value: OptionWord['value']): string {
  if (value === 'file') return ' -F';
  if (value === 'folder') return " -a '(__fish_complete_directories)'";
  return typeof value === 'string' ? '' : ` -a ${quoted(value.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
