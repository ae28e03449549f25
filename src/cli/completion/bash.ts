// Writes the completions for bash: one function that examines the typed words. It needs bash 4.
import type { CommandWord, CompletionWords, OptionWord } from './words.ts';

export function bashScript({ options, commands }: CompletionWords): string {
  const everyOption = [...options, ...commands.flatMap(optionsIn)];
  return `# bash completion of config-airlock: source it, or save it as
# ~/.local/share/bash-completion/completions/config-airlock
_config_airlock() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= words= word at=1
  # bash takes --name=value for three words.
  if [[ $cur == '=' ]]; then cur=; elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  COMPREPLY=()
  case $prev in
${valueCases(everyOption)}
  esac
  while ((at < COMP_CWORD)); do
    word=\${COMP_WORDS[at]}
    case $word in
      ${wordsWithValue(everyOption).join(' | ')}) at=$((at + 1)); [[ \${COMP_WORDS[at]} != '=' ]] || at=$((at + 1)) ;;
      *) case "$command $word" in
        ${commands.flatMap((command) => namesIn(command, ' ')).join(' | ')}) command="\${command:+$command }$word" ;;
      esac ;;
    esac
    at=$((at + 1))
  done
  case $command in
    '') words="${[...commands, ...options].map(({ text }) => text).join(' ')} --help --version" ;;
${commands.flatMap((command) => commandCases(command, '', options)).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  if ((\${#COMPREPLY[@]} == 0)) && [[ $cur != -* ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$cur"); fi
}
complete -o filenames -F _config_airlock config-airlock
`;
}

/** Writes the cases that complete the value of the option that was typed last. */
function valueCases(options: readonly OptionWord[]): string {
  const names = new Map<string, Set<string>>();
  for (const { text, value } of options) {
    const action = actionFor(value);
    if (action !== undefined) names.set(action, (names.get(action) ?? new Set()).add(text));
  }
  return [...names].map(([action, texts]) => `    ${[...texts].join(' | ')}) ${action} ;;`).join('\n');
}

function actionFor(value: OptionWord['value']): string | undefined {
  if (value === 'none') return undefined;
  if (value === 'text') return 'return';
  const kind = value === 'folder' ? '-d' : value === 'file' ? '-f' : `-W "${value.join(' ')}"`;
  return `mapfile -t COMPREPLY < <(compgen ${kind} -- "$cur"); return`;
}

function wordsWithValue(options: readonly OptionWord[]): readonly string[] {
  return [...new Set(options.flatMap(({ text, value }) => (value === 'none' ? [] : [text])))];
}

function namesIn({ text, below }: CommandWord, lead: string): readonly string[] {
  return [`'${lead}${text}'`, ...below.flatMap((inner) => namesIn(inner, `${lead.trimStart()}${text} `))];
}

function commandCases(command: CommandWord, lead: string, shared: readonly OptionWord[]): readonly string[] {
  const { text, options, below } = command;
  const words = [...below, ...options, ...shared].map((word) => word.text);
  const own = `    '${lead}${text}') words="${words.join(' ')} --help" ;;`;
  return [own, ...below.flatMap((inner) => commandCases(inner, `${lead}${text} `, shared))];
}

function optionsIn({ options, below }: CommandWord): readonly OptionWord[] {
  return [...options, ...below.flatMap(optionsIn)];
}
