// How wide a character is where each letter has the same width: what is longer than a row is broken by whoever shows it.

const NO_COLUMN = /^\p{M}$/u;

/** As most terminals have it: two for East Asian scripts and pictures, none for what sits on another letter. */
export function stringWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (NO_COLUMN.test(character)) return 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];
