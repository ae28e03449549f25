// `node scripts/look-alikes.mjs`: writes src/security/text/look-alike-letters.ts, the characters that a reader takes for
// Latin letters, and those that a reader takes for a dot, a colon or a slash, out of Unicode's confusables (UTS 39, as the package `unhomoglyph` has them) and compatibility forms.
import { writeFileSync } from 'node:fs';
import confusables from 'unhomoglyph/data.json' with { type: 'json' };

const OUT = new URL('../src/security/text/look-alike-letters.ts', import.meta.url);
const WIDTH = 110;

/** What the confusables lack: small capitals that they compare with other scripts only, and some capitals and a kappa. */
const ADDED = 'ɢɪɴʀʏʙʜʟᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱꞯҺԚԼκ';
/** Circled, squared, in brackets, and those that make flags. */
const ENCLOSED = /[\u249c-\u24e9\u{1f110}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/u;
/** Of alphabets that nobody mixes with Latin, the confusables have some letters only, and not 𐌀. */
const ANCIENT =
  /(?=\p{L})[\p{Script=Carian}\p{Script=Coptic}\p{Script=Deseret}\p{Script=Gothic}\p{Script=Lycian}\p{Script=Lydian}\p{Script=Old_Italic}]/u;
/** Turkish writes ı, and Spanish 1º. */
const ORDINARY = 'ıªº';

/** A mark over or under the letter hides nothing; a bar through it makes another letter, such as θ. */
const LETTER = /^(?:[A-Za-z]|rn)$/;
const LETTER_WITH_MARK = /^[A-Za-z](?:(?![\u0334-\u0338])\p{M})+$/u;

function looksLatin(character) {
  if (ORDINARY.includes(character) || /\p{M}/u.test(character)) return false;
  // Its small letters are the capitals in small.
  const capital = character.toUpperCase();
  if (/\p{Script=Cherokee}/u.test(character) && capital !== character && looksLatin(capital)) return true;
  if (ADDED.includes(character) || ENCLOSED.test(character) || ANCIENT.test(character)) return true;
  const plain = (confusables[character] ?? parts(character)).normalize('NFD');
  if (LETTER.test(plain)) return true;
  const isLatin = /\p{Script=Latin}/u.test(character);
  if (!isLatin && /[\p{L}\p{N}]/u.test(character) && LETTER_WITH_MARK.test(plain)) return true;
  const compatible = character.normalize('NFKC');
  // One letter in another shape, or a ligature such as ﬁ; not the squares of units, nor ™.
  return (
    compatible !== character &&
    (/^\p{Script=Latin}$/u.test(compatible) ||
      (/[\p{L}\p{Nl}]/u.test(character) && character > '\u024f' && /^[A-Za-z]{2,}$/.test(compatible)))
  );
}

function parts(character) {
  return Array.from(character.normalize('NFKD'), (part) =>
    part < '\u0080' ? part : (confusables[part] ?? part),
  ).join('');
}

/** Domains are parted by these, too. */
const DOTS = '\u3002\uff61';
/** In texts of their own, which they belong to: only among ASCII they are meant to be taken for another. */
const OF_SCRIPTS = /[\u3000-\u30ff]|[\ufe00-\uffef]|(?!\p{Script=Common}|\p{Script=Inherited})./u;

function looksLikeSign(character) {
  if (/[\p{M}\p{Lo}\p{Nd}]/u.test(character)) return false;
  return DOTS.includes(character) || /^[./:]$/.test(confusables[character] ?? character.normalize('NFKC'));
}

function linesOf(isMeant) {
  const ranges = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    if (!isMeant(String.fromCodePoint(code))) continue;
    const last = ranges.at(-1);
    if (last?.end === code - 1) last.end = code;
    else ranges.push({ start: code, end: code });
  }
  const lines = [''];
  for (const { start, end } of ranges) {
    const range = start === end ? start.toString(16) : `${start.toString(16)}-${end.toString(16)}`;
    const line = lines.at(-1);
    if (line.length + 1 + range.length > WIDTH) lines.push(range);
    else lines[lines.length - 1] = line === '' ? range : `${line} ${range}`;
  }
  return lines.join('\n');
}

writeFileSync(
  OUT,
  `// Written by scripts/look-alikes.mjs: code points beyond ASCII that a reader takes for others, in hexadecimal.

/** For Latin letters. Letters that ordinary Latin orthographies have, such as ı and é, are NOT among them. */
export const LOOK_ALIKE_LETTERS = \`
${linesOf(looksLatin)}
\`;

/** For a dot, a colon or a slash, wherever they stand. */
export const LOOK_ALIKE_SIGNS = \`
${linesOf((character) => looksLikeSign(character) && !OF_SCRIPTS.test(character))}
\`;

/** The same of those that belong to other scripts. */
export const LOOK_ALIKE_SIGNS_OF_SCRIPTS = \`
${linesOf((character) => looksLikeSign(character) && OF_SCRIPTS.test(character))}
\`;
`,
);
