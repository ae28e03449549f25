// Lists the words that can be typed, for the completions of every shell. It takes them from the lists of options and commands.
import type { Option } from '../settings/option.ts';

export interface Word {
  readonly text: string;
  readonly help: string;
}

export interface OptionWord extends Word {
  /** The value that follows it: none, one of a list of texts, a path, or free text. */
  readonly value: 'none' | 'file' | 'folder' | 'text' | readonly string[];
  readonly isRepeatable: boolean;
}

export interface CommandWord extends Word {
  readonly options: readonly OptionWord[];
  /** The words that may follow: `lint` below `policy`. */
  readonly below: readonly CommandWord[];
  /** True where its arguments are files. */
  readonly takesFile: boolean;
}

export interface CompletionWords {
  readonly options: readonly OptionWord[];
  readonly commands: readonly CommandWord[];
}

interface ListedCommand {
  readonly name: string;
  readonly args: string;
  readonly summary: string;
  readonly options: readonly Option<unknown>[];
}

export function completionWords(
  options: readonly Option<unknown>[],
  commands: readonly ListedCommand[],
): CompletionWords {
  return { options: options.map(optionWord), commands: commandWords(commands, '') };
}

/** Answers the next words of the commands whose names begin with `lead`. */
function commandWords(commands: readonly ListedCommand[], lead: string): readonly CommandWord[] {
  const here = commands.filter(({ name }) => name.startsWith(lead));
  const words = [...new Set(here.map(({ name }) => name.slice(lead.length).split(' ')[0] ?? ''))];
  return words.map((text) => {
    const own = here.find(({ name }) => name === lead + text);
    // A word without brackets in the arguments is typed as it is.
    const fixed = (own?.args ?? '').split(' ').filter((word) => /^[a-z]/.test(word));
    return {
      text,
      help:
        own?.summary ??
        `the commands ${here.map(({ name }) => name.slice(lead.length + text.length + 1)).join(', ')}`,
      options: own?.options.map(optionWord) ?? [],
      below: [
        ...commandWords(here, `${lead}${text} `),
        ...fixed.map((word) => ({ text: word, help: '', options: [], below: [], takesFile: false })),
      ],
      takesFile: /<(?:file|cases)>/.test(own?.args ?? ''),
    };
  });
}

function optionWord({ name, argument, help, schema, isRepeatable }: Option<unknown>): OptionWord {
  const value = argument === undefined ? 'none' : (choicesOf(argument, schema.enum) ?? pathOf(argument));
  return { text: `--${name}`, help, value, isRepeatable };
}

function choicesOf(argument: string, values: readonly string[] | undefined): readonly string[] | undefined {
  if (values !== undefined) return values;
  return /^[\w-]+(?:\|[\w-]+)+$/.test(argument) ? argument.split('|') : undefined;
}

function pathOf(argument: string): 'file' | 'folder' | 'text' {
  if (argument === 'DIR') return 'folder';
  return argument === 'FILE' ? 'file' : 'text';
}
