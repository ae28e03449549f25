// Compares spellings that some reader or person takes for one key or value: `0x50`, `0120` and `80` may be one number, `on` and
// `true` one boolean. This is used only to make an answer stricter.
import { foldText } from '../text/fold.ts';

export function isAlike(a: string, b: string): boolean {
  const [one, other] = [foldText(a).trim(), foldText(b).trim()];
  if (one === other) return true;
  const numbers = numbersIn(one);
  if (numbers.length > 0 && numbersIn(other).some((number) => numbers.includes(number))) return true;
  return WORDS.some((words) => words.includes(one) && words.includes(other));
}

const WORDS: readonly (readonly string[])[] = [
  ['true', 'yes', 'on', 'y'],
  ['false', 'no', 'off', 'n'],
  ['null', '~', ''],
];

const BASE_60 = /^\d+(?::[0-5]?\d)+$/u;

/** Returns the numbers that different readers see in a text: some read digits after a zero as octal. */
function numbersIn(text: string): readonly number[] {
  if (!/^[-+]?\.?\d/u.test(text)) return [];
  const [, sign, digits = ''] = /^([-+]?)(.*)$/su.exec(text.replaceAll('_', '')) ?? [];
  const found = [
    Number(digits),
    /^0[0-7]+$/u.test(digits) ? Number.parseInt(digits, 8) : Number.NaN,
    BASE_60.test(digits) ? digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) : Number.NaN,
  ].filter((number) => !Number.isNaN(number));
  return sign === '-' ? found.map((number) => 0 - number) : found;
}
