// JSON's double-quoted strings, which are YAML's as well, with everything escaped that would deceive a reader.

const DECEPTIVE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{NChar}]/gu;

/** `escapeAstral`: how the format writes a character beyond U+FFFF; as a surrogate pair unless said otherwise. */
export function quotedText(text: string, escapeAstral = escapeUnits): string {
  return JSON.stringify(text).replaceAll(DECEPTIVE, (character) =>
    character.length > 1 ? escapeAstral(character) : escapeUnits(character),
  );
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }).join('');
}
