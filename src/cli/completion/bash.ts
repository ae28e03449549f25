// The completions for bash: one function, which looks at the words that were typed. Needs nothing but bash 4.
import type { CommandWord, OptionWord, Typed } from './words.ts';

export function bashScript({ options, commands }: Typed): string {
  const everyOption = [...options, ...commands.flatMap(optionsIn)];
  return `# bash completion of config-airlock: source it, or save it as
# ~/.local/share/bash-completion/completions/config-airlock
_config_airlock() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= word at=1
  COMPREPLY=()
  case $prev in
${valueCases(everyOption)}
  esac
  while ((at < COMP_CWORD)); do
    word=\${COMP_WORDS[at]}
    case $word in
      ${wordsWithValue(everyOption).join(' | ')}) at=$((at + 1)) ;;
      -*) ;;
      *) command="\${command:+$command }$word" ;;
    esac
    at=$((at + 1))
  done
  case $command in
    '') words="${[...commands, ...options].map(({ text }) => text).join(' ')} --help --version" ;;
${commands.flatMap((command) => commandCases(command, '', options)).join('\n')}
    *) words="${options.map(({ text }) => text).join(' ')} --help" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if ((\${#COMPREPLY[@]} == 0)) && [[ $cur != -* ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _config_airlock config-airlock
`.replace('command= word', 'command= word words=');
}

function valueCases(options: readonly OptionWord[]): string {
  const lines = new Map<string, string[]>();
  for (const { text, value } of options) {
    const line =
      value === 'folder'
        ? 'COMPREPLY=($(compgen -d -- "$cur")); return'
        : value === 'file'
          ? 'COMPREPLY=($(compgen -f -- "$cur")); return'
          : value === 'text'
            ? 'return'
            : value === 'none'
              ? ''
              : `COMPREPLY=($(compgen -W "${value.join(' ')}" -- "$cur")); return`;
    if (line !== '') lines.set(line, [...new Set([...(lines.get(line) ?? []), text])]);
  }
  return [...lines].map(([line, names]) => `    ${names.join(' | ')}) ${line} ;;`).join('\n');
}

function wordsWithValue(options: readonly OptionWord[]): readonly string[] {
  return [...new Set(options.flatMap(({ text, value }) => (value === 'none' ? [] : [text])))];
}

function commandCases(command: CommandWord, lead: string, shared: readonly OptionWord[]): readonly string[] {
  const { text, options, below } = command;
  const next = below.length > 0 && options.length === 0 ? [] : [...options, ...shared];
  const words = [...below, ...next].map((word) => word.text);
  const own = `    '${lead}${text}') words="${words.join(' ')} --help" ;;`;
  return [own, ...below.flatMap((inner) => commandCases(inner, `${lead}${text} `, shared))];
}

export function optionsIn({ options, below }: CommandWord): readonly OptionWord[] {
  return [...options, ...below.flatMap(optionsIn)];
}
