// Characters in new text that make a reader see something else than what is there.
import { disguisedLetters, replaceLookAlikes } from '../../security/index.ts';

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

const MAX_LETTERS = 5;

/** One clause for each hidden character (as U+XXXX), and one for letters that look like others. */
export function findHiddenCharacters(text: string): string[] {
  const characters = new Set<string>();
  for (const character of text.match(/[^\x20-\x7e\n\t]/gu) ?? []) characters.add(character);
  const hidden = [...characters].flatMap((character) => {
    const kind = KINDS.find(([pattern]) => pattern.test(character));
    return kind === undefined ? [] : [`${codePoint(character)} ${kind[1]}`];
  });
  return [...hidden, ...lookAlikes(text)];
}

function lookAlikes(text: string): string[] {
  const found = new Set<string>();
  replaceLookAlikes(text, (letter) => {
    found.add(codePoint(letter));
    return letter;
  });
  if (found.size > 0) {
    const some = [...found].slice(0, MAX_LETTERS).join(', ');
    return [`a word mixes alphabets: ${some} only ${found.size === 1 ? 'looks' : 'look'} Latin`];
  }
  const letters = disguisedLetters(text).slice(0, MAX_LETTERS).map(codePoint);
  if (letters.length === 0) return [];
  return [`letters of another alphabet could be taken for Latin ones: ${letters.join(', ')}`];
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
