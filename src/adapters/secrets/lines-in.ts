// Finds the lines of a value or a comment, which may assign something as lines of a file do.

/** Returns a text of the same length in which lines can be looked for; undefined if none of them can assign anything. */
export function linesIn(source: string): string | undefined {
  const isComment = /^(?:#|\/[/*]|\{\{-?\s*\/\*)/u.test(source);
  if (isComment || source.includes('\n')) return source;
  if (source.startsWith('"') && source.includes('\\'))
    return source.replaceAll(/\\(.)/gsu, (all, letter: string) => ESCAPED[letter] ?? all);
  return /:\s/u.test(source) ? source : undefined;
}

/** Each escape becomes as many characters, so that all offsets stay the same; only an escaped line feed ends a line. */
const ESCAPED: Readonly<Record<string, string>> = { n: ' \n', r: '  ', t: '  ', '"': ' "' };
