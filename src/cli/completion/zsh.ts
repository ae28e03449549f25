// Writes the completions for zsh, as specifications for its function `_arguments`.
import type { CommandWord, CompletionWords, OptionWord } from './words.ts';

export function zshScript({ options, commands }: CompletionWords): string {
  return `#compdef config-airlock
# zsh completion of config-airlock: save it as _config-airlock in a folder of your fpath
_config_airlock_options=(
${options.map((option) => `  ${specOf(option)}`).join('\n')}
  '--help[print this help, or that of a command, and exit]'
  '--version[print the version, and exit]'
)

${functionOf('_config_airlock', commands, [])}
${commands.flatMap((command) => functionsBelow(command, '_config_airlock')).join('\n')}
if [[ $funcstack[1] == _config-airlock ]]; then _config_airlock "$@"; else compdef _config_airlock config-airlock; fi
`;
}

function functionsBelow(command: CommandWord, lead: string): readonly string[] {
  const name = `${lead}_${command.text.replaceAll('-', '_')}`;
  if (command.below.length > 0)
    return [
      functionOf(name, command.below, command.options),
      ...command.below.flatMap((inner) => functionsBelow(inner, name)),
    ];
  return [
    `${name}() {
  _arguments -s "\${_config_airlock_options[@]}" \\
${command.options.map((option) => `    ${specOf(option)} \\\n`).join('')}    '*:argument:${command.takesFile ? '_files' : ''}'
}
`,
  ];
}

/** Writes the function that completes options, then one of the commands, and then the arguments of that command. */
function functionOf(name: string, commands: readonly CommandWord[], options: readonly OptionWord[]): string {
  const rows = commands.map(({ text, help }) => `    ${quoted(`${text}:${help.replaceAll(':', '\\:')}`)}`);
  const cases = commands.map(({ text }) => `        ${text}) ${name}_${text.replaceAll('-', '_')} ;;`);
  return `${name}() {
  local curcontext=$curcontext state line
  local -a commands
  commands=(
${rows.join('\n')}
  )
  _arguments -s -C "\${_config_airlock_options[@]}" \\
${options.map((option) => `    ${specOf(option)} \\\n`).join('')}    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands command commands ;;
    rest)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}
`;
}

function specOf({ text, help, value, isRepeatable }: OptionWord): string {
  const lead = isRepeatable ? '*' : '';
  // The value may follow after `=`, or as the next word.
  const name = value === 'none' ? text : `${text}=`;
  const shown = help.replaceAll(/[[\]\\]/g, '\\$&');
  return quoted(`${lead}${name}[${shown}]${valueSpec(value)}`);
}

function valueSpec(value: OptionWord['value']): string {
  if (value === 'none') return '';
  if (value === 'file') return ':file:_files';
  if (value === 'folder') return ':folder:_files -/';
  return value === 'text' ? ':value: ' : `:value:(${value.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
