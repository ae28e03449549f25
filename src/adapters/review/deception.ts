// Characters in new text that make a reader see something else than what is there.

/** Hidden, reordering or odd-space characters, by what they do. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u, 'reorders the text around it (bidirectional control)'],
  [
    /[\u00ad\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|\u034f|\p{Variation_Selector}/u,
    'is invisible',
  ],
  [
    /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/u,
    'looks like a space or line break and is none',
  ],
  [/[^\P{Cc}\t\n\r]/u, 'is a control character'],
];

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
] as const;

/** One clause for each character (as U+XXXX) and each word that mixes alphabets. */
export function findDeceptions(text: string): string[] {
  const characters = new Set<string>();
  for (const character of text.match(/[^\x20-\x7e\n\t]/gu) ?? []) characters.add(character);
  const hidden = [...characters].flatMap((character) => {
    const kind = KINDS.find(([pattern]) => pattern.test(character));
    return kind === undefined ? [] : [`${codePoint(character)} ${kind[1]}`];
  });
  return [...hidden, ...mixedWords(text)];
}

function mixedWords(text: string): string[] {
  const words = new Set(
    (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter(
      (word) => SCRIPTS.filter((script) => script.test(word)).length > 1,
    ),
  );
  return [...words].slice(0, 5).map((word) => {
    const odd = [...word].filter((character) => !/[\p{Script=Latin}\p{M}]/u.test(character)).map(codePoint);
    return `a word mixes alphabets: ${[...new Set(odd)].slice(0, 5).join(', ')} only looks Latin`;
  });
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
