// Finds the lines of a value or a comment, which may assign something as lines of a file do.

/** A text in which lines can be looked for, as long as it is written; undefined where it says nothing of the kind. */
export function linesIn(source: string): string | undefined {
  const isComment = /^(?:#|\/[/*]|\{\{-?\s*\/\*)/u.test(source);
  if (isComment || source.includes('\n')) return source;
  if (source.startsWith('"') && source.includes('\\'))
    return source.replaceAll(/\\(.)/gsu, (all, letter: string) => ESCAPED[letter] ?? all);
  return /:\s/u.test(source) ? source : undefined;
}

/** Escaped breaks become real ones at the same place. */
const ESCAPED: Readonly<Record<string, string>> = { n: ' \n', r: '  ', t: '  ', '"': ' "' };
