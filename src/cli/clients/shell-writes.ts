// Finds the files that a shell command plainly writes: targets of redirections, and arguments of programs that change files in
// place. What a script computes (variables, substitutions, other programs) cannot be told from its text.
import { basename, isAbsolute, resolve } from 'node:path';

/** Programs whose arguments, but for options, are all written or removed. */
const WRITES_ALL = new Set('tee rm truncate touch unlink shred sponge patch ed ex vi vim'.split(' '));
/** Programs that write their last argument; `mv` removes the others as well. */
const WRITES_LAST = new Set(['cp', 'mv', 'install', 'ln', 'rsync']);
/** Programs that change files in place with one of these options. */
const IN_PLACE: ReadonlyMap<string, RegExp> = new Map([
  ['sed', /^(?:-[A-Za-z]*i|--in-place)/u],
  ['perl', /^-[A-Za-z]*i/u],
  ['ruby', /^-[A-Za-z]*i/u],
  ['yq', /^(?:-[A-Za-z]*i|--inplace$)/u],
  ['gawk', /^inplace$/u],
  ['curl', /^(?:-[A-Za-z]*o|--output)/u],
  ['wget', /^(?:-[A-Za-z]*O|--output-document)/u],
  ['git', /^(?:checkout|restore|rm|mv)$/u],
]);
/** Programs and words of the shell that run the words after them, or after options and numbers of their own. */
const PREFIXES = new Set(
  'sudo doas env nohup time timeout stdbuf xargs command builtin coproc exec nice { } ! if then elif else while until do'.split(
    ' ',
  ),
);

/** A host goes on if this takes too long, and each folder of a `cd` doubles the paths after it. */
const MOST_PATHS = 10_000;

/** Returns the absolute paths that the command writes, as far as its text tells. `cd` moves what comes after it. */
export function shellWrites(command: string, cwd: string): readonly string[] {
  const folders = new Set([cwd]);
  const written = new Set<string>();
  let added = 0;
  const add = (to: Set<string>, path: string) => {
    added += 1;
    if (added > MOST_PATHS) throw new Error('the command names too many files');
    to.add(path);
  };
  for (const { program, args, targets } of commandsIn(command)) {
    for (const path of [...targets, ...argumentsWritten(program, args)])
      for (const folder of isAbsolute(path) ? ['/'] : folders) add(written, resolve(folder, path));
    const [to] = args;
    // Whether `cd` succeeds is unknown, so paths after it are taken from both folders.
    if (program === 'cd' && to !== undefined)
      for (const folder of [...folders]) add(folders, resolve(folder, to));
  }
  return [...written];
}

function argumentsWritten(program: string, args: readonly string[]): readonly string[] {
  const operands = args.filter((arg) => !arg.startsWith('-') && !arg.includes('://'));
  if (program === 'find') return writtenByFind(args);
  const inPlace = IN_PLACE.get(program);
  if (inPlace !== undefined) return args.some((arg) => inPlace.test(arg)) ? operands : [];
  if (WRITES_ALL.has(program)) return operands;
  if (program === 'dd') return operands.flatMap((arg) => (arg.startsWith('of=') ? [arg.slice(3)] : []));
  const named = args.findIndex((arg) => /^(?:-[A-Za-z]*t|--target-directory)$/u.test(arg)) + 1;
  const last = named > 0 ? args[named] : operands.at(-1);
  if (!WRITES_LAST.has(program) || last === undefined) return [];
  const sources = operands.filter((operand) => operand !== last);
  // The last one may be a folder, into which the others go.
  const inside = sources.map((source) => `${last}/${basename(source)}`);
  return [last, ...inside, ...(program === 'mv' ? sources : [])];
}

/** `find FOLDER -name PATTERN -exec sed -i … {} +` writes what the pattern matches; so does `-delete`. */
function writtenByFind(args: readonly string[]): readonly string[] {
  const exec = args.findIndex((arg) => /^-(?:exec|execdir|ok)$/u.test(arg));
  const [program = '', ...rest] = exec === -1 ? [] : args.slice(exec + 1);
  const writes = args.includes('-delete') || argumentsWritten(basename(program), rest).includes('{}');
  const [folder = '.'] = args;
  return args.flatMap((arg, index) =>
    writes && /^-i?name$/u.test(args[index - 1] ?? '') ? [`${folder}/${oneMeantBy(arg)}`] : [],
  );
}

interface SimpleCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The files to which its output goes. */
  readonly targets: readonly string[];
}

type Token =
  | { readonly kind: 'word'; readonly text: string; readonly isLiteral: boolean }
  | { readonly kind: 'write' | 'read' | 'end' };

function commandsIn(command: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let targets: string[] = [];
  let before: Token['kind'] = 'end';
  for (const token of [...tokensOf(withoutHereDocuments(command)), { kind: 'end' } as const]) {
    if (token.kind === 'word' && token.isLiteral && before !== 'read')
      (before === 'write' ? targets : words).push(token.text);
    if (token.kind === 'end') {
      const first = words.findIndex((word) => !PREFIXES.has(basename(word)) && !/^(?:\w+=|-|\d)/u.test(word));
      const [program = '', ...args] = first === -1 ? [] : words.slice(first);
      commands.push({ program: basename(program), args, targets });
      if (/^(?:(?:ba|da|z|k)?sh|eval)$/u.test(basename(program))) commands.push(...args.flatMap(commandsIn));
      [words, targets] = [[], []];
    }
    before = token.kind;
  }
  return commands;
}

const LEXEME =
  /'(?<single>[^']*)'?|"(?<double>(?:[^"\\]|\\.)*)"?|\\(?<escaped>.)|(?<descriptor>\d*>&(?:\d+|-))|(?<write>\d*&?>[>|&]?)|(?<read>\d*<+)|(?<end>[\n;|&()`])|(?<blank>[ \t\r]+|#[^\n]*)|(?<plain>[^\s'"\\;|&()<>#`][^\s'"\\;|&()<>`]*)/gsu;

function tokensOf(command: string): readonly Token[] {
  const tokens: Token[] = [];
  let word: string | undefined;
  let isLiteral = true;
  for (const { groups = {} } of command.matchAll(LEXEME)) {
    const { single, double, escaped, plain } = groups;
    const text = single ?? double ?? (escaped === '\n' ? '' : escaped) ?? (plain && oneMeantBy(plain));
    if (text !== undefined) {
      word = (word ?? '') + text;
      isLiteral &&= single !== undefined || escaped !== undefined || !/[$`]|^~/u.test(text);
      continue;
    }
    if (word !== undefined) tokens.push({ kind: 'word', text: word, isLiteral });
    [word, isLiteral] = [undefined, true];
    if (groups['write'] !== undefined) tokens.push({ kind: 'write' });
    if (groups['read'] !== undefined) tokens.push({ kind: 'read' });
    if (groups['end'] !== undefined) tokens.push({ kind: 'end' });
  }
  if (word !== undefined) tokens.push({ kind: 'word', text: word, isLiteral });
  return tokens;
}

/** Returns one name that a shell pattern matches: `*.yaml` is judged as `x.yaml`, `{a,b}.yaml` as `a.yaml`. */
function oneMeantBy(word: string): string {
  return word.replaceAll(/\{([^{},]*),[^{}]*\}/gu, '$1').replaceAll(/\*+|\?|\[[^[\]]+\]/gu, 'x');
}

/** Matches the end of a here-document in its first group, and passes over here-strings and what is in quotes. */
const HERE_DOCUMENT = /<<<|<<-?[ \t]*['"\\]?(\w+)|'[^']*'|"(?:[^"\\]|\\.)*"|\\./gu;

/** Drops the lines that a command gets as its input, which are not commands. */
function withoutHereDocuments(command: string): string {
  const kept: string[] = [];
  let ends: string[] = [];
  for (const line of command.split('\n')) {
    const [end] = ends;
    if (end !== undefined) {
      if (line.trim() === end) ends.shift();
      continue;
    }
    kept.push(line);
    ends = [...line.matchAll(HERE_DOCUMENT)].flatMap(([, word]) => word ?? []);
  }
  // What only looks like one and has no end, as `1<<n`, takes no line away.
  return ends.length > 0 ? command : kept.join('\n');
}
