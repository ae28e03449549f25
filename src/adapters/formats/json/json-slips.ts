// Why a text is no JSON, or no JSON with comments, where one of the usual slips stands at the place where it ends to be one. Says nothing of what the
// file holds.
/** `JSONC` has comments, and a comma may stand after the last entry. */
export type Dialect = 'JSON' | 'JSONC';

type Slip = readonly [RegExp, string];

const COMMENTS: Slip = [/\/[/*]/y, 'this is JSON with comments, which JSON does not have'];
const SLIPS: readonly Slip[] = [
  [/#/y, 'JSON has no comments that begin with #'],
  [/'/y, 'JSON has double quotes, and no single ones: use "'],
  [/[“”‘’]/y, 'typographic quotes (“ ”, ‘ ’) are none for JSON: use "'],
  [
    /<{7}(?= |$)/my,
    'a merge conflict begins here: keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>',
  ],
  [/\{[{%]/y, 'a template ({{ … }} or {% … %}) stands here, which is no JSON until it is filled in'],
];

/** Undefined where it is none of them. */
export function slipAt(text: string, at: number, dialect: Dialect): string | undefined {
  let before = at - 1;
  while (' \t\r\n'.includes(text[before] ?? 'x')) before -= 1;
  if (dialect === 'JSON' && text[before] === ',' && (text[at] === '}' || text[at] === ']'))
    return 'a comma stands before this bracket: after the last entry JSON has none';
  const slips = dialect === 'JSON' ? [COMMENTS, ...SLIPS] : SLIPS;
  return slips.find(([pattern]) => {
    pattern.lastIndex = text.startsWith('{{', before) ? before : at;
    return pattern.test(text);
  })?.[1];
}
