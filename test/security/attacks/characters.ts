// The characters that attacks are made of, taken from Unicode itself instead of from memory.

/** Every character of a class. */
function codePoints(pattern: RegExp): readonly string[] {
  const global = new RegExp(pattern, 'gu');
  return BLOCKS.flatMap((block) => block.match(global) ?? []);
}

/** All of Unicode but the halves of surrogate pairs, 4,096 characters at a time. */
const BLOCKS: readonly string[] = Array.from({ length: 0x110 }, (_, block) =>
  String.fromCodePoint(
    ...Array.from({ length: 0x1000 }, (_, i) => block * 0x1000 + i).filter(
      (code) => code < 0xd800 || code > 0xdfff,
    ),
  ),
);

export const CONTROLS = codePoints(/\p{Cc}/u);
export const FORMATS = codePoints(/\p{Cf}/u);

const PLANE_14 = ['\u{e0000}', '\u{e0002}', '\u{e0100}', '\u{e01ef}', '\u{e0fff}'];

/** Ignorable and not already Cf: fillers, selectors, joiners. Of the 4,096 of plane 14, the ends of its ranges. */
export const IGNORABLES = codePoints(/(?!\p{Cf})\p{DI}/u).filter(
  (character) => (character.codePointAt(0) ?? 0) < 0xe0000 || PLANE_14.includes(character),
);
