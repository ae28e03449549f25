// The characters of a text as numbers in a row: twice as quick to look at as those of a string, and the same
// whatever the string is made of.

/** UTF-16 units; behind the last of them stands `END`. */
export type Codes = Uint16Array;

/**
 * No character that the scan takes: a text that holds one is left to `yaml`. So it is never taken for more text, and what
 * goes on over characters of one kind stops there by itself.
 */
export const END = 0;

const BYTES_PER_UNIT = 2;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

export function codesOf(text: string): Codes {
  const codes = new Uint16Array(text.length + 1);
  if (IS_LITTLE_ENDIAN) Buffer.from(codes.buffer).write(text, 0, text.length * BYTES_PER_UNIT, 'utf16le');
  else for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  codes[text.length] = END;
  return codes;
}
