// The characters that attacks are made of, taken from Unicode itself instead of from memory.

/** Every character of a class, without the surrogates' halves. */
export function codePoints(pattern: RegExp, upTo = 0x10ffff): readonly string[] {
  const found: string[] = [];
  for (let code = 0; code <= upTo; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (pattern.test(character)) found.push(character);
  }
  return found;
}

/** Ignorable and not already Cf: fillers, selectors, joiners. Of the 4,096 of plane 14, the ends of its ranges. */
export const DEFAULT_IGNORABLE = codePoints(/(?!\p{Cf})\p{DI}/u).filter(
  (character) => character < '\u{e0000}' || /[\u{e0000}\u{e0002}\u{e00ff}-\u{e0101}\u{e01ef}\u{e0fff}]/u.test(character),
);
