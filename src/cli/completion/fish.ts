// Writes the completions for fish: one line for each command and option.
import type { CommandWord, CompletionWords, OptionWord } from './words.ts';

export function fishScript({ options, commands }: CompletionWords): string {
  const lines = [
    '# fish completion of config-airlock: save it as ~/.config/fish/completions/config-airlock.fish',
    'complete -c config-airlock -f',
    ...options.map((option) => optionLine(option, '')),
    optionLine(
      { text: '--help', help: 'print this help, or that of a command, and exit', value: 'none' },
      '',
    ),
    optionLine({ text: '--version', help: 'print the version, and exit', value: 'none' }, ''),
    ...levelLines(commands, []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes the lines for the commands that may follow these words. */
function levelLines(commands: readonly CommandWord[], above: readonly string[]): readonly string[] {
  if (commands.length === 0) return [];
  const names = commands.map(({ text }) => text).join(' ');
  const isHere = [...above.map(isTyped), `not ${isTyped(names)}`].join('; and ');
  return commands.flatMap((command) => {
    const { text, help, options, below, takesFile } = command;
    const isUnder = [...above, text].map(isTyped).join('; and ');
    return [
      `complete -c config-airlock -n ${quoted(isHere)} -a ${text} -d ${quoted(help)}`,
      ...(takesFile ? [`complete -c config-airlock -n ${quoted(isUnder)} -F`] : []),
      ...options.map((option) => optionLine(option, isUnder)),
      ...levelLines(below, [...above, text]),
    ];
  });
}

function isTyped(names: string): string {
  return `__fish_seen_subcommand_from ${names}`;
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
