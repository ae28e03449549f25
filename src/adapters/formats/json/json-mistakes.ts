// Explains why a text is not JSON, or not JSON with comments, where a usual mistake stands at the first place that is wrong.
// It says nothing of what the file holds.
/** The dialect: `JSONC` has comments, and allows a comma after the last entry. */
export type Dialect = 'JSON' | 'JSONC';

type Mistake = readonly [RegExp, string];

const COMMENTS: Mistake = [/\/[/*]/y, 'this is JSON with comments, which JSON does not have'];
const MISTAKES: readonly Mistake[] = [
  [/#/y, 'JSON has no comments that begin with #'],
  [/'/y, 'JSON has double quotes, and no single ones: use "'],
  [/[“”‘’]/y, 'typographic quotes (“ ”, ‘ ’) are none for JSON: use "'],
  [
    /<{7}(?= |$)/my,
    'a merge conflict begins here: keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>',
  ],
  [/\{[{%]/y, 'a template ({{ … }} or {% … %}) stands here, which is no JSON until it is filled in'],
];

/** Describes the mistake; undefined if it is no usual one. */
export function mistakeAt(text: string, at: number, dialect: Dialect): string | undefined {
  let before = at - 1;
  while (' \t\r\n'.includes(text[before] ?? 'x')) before -= 1;
  if (dialect === 'JSON' && text[before] === ',' && (text[at] === '}' || text[at] === ']'))
    return 'a comma stands before this bracket: after the last entry JSON has none';
  const mistakes = dialect === 'JSON' ? [COMMENTS, ...MISTAKES] : MISTAKES;
  return mistakes.find(([pattern]) => {
    pattern.lastIndex = text.startsWith('{{', before) ? before : at;
    return pattern.test(text);
  })?.[1];
}
