// Makes the ids of records: the hash of a record in letters and digits that nobody confuses. The beginning of an id is the short id that
// agents and people use: `pv_7k2m9xq4c1`. The full id is stored, recorded and signed. A short id only finds it in one store.
import { hash } from 'node:crypto';

/** Crockford's base 32 has no letter that could be taken for a digit, and no upper case. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGITS = '0123456789abcdefghijklmnopqrstuv';
/** The characters for 256 bits. */
const LENGTH = 52;
export const SHORT_LENGTH = 10;

type IdKind = 'pv' | 'ch';

/** Returns 52 characters of the alphabet above, which fit a file name and an argument. */
export function contentId(text: string): string {
  const digits = BigInt(`0x${hash('sha256', text, 'hex')}`).toString(32);
  return [...digits.padStart(LENGTH, '0')].map((digit) => ALPHABET[DIGITS.indexOf(digit)]).join('');
}

export function isContentId(text: string): boolean {
  return text.length === LENGTH && isOfAlphabet(text);
}

/** Returns the characters of an id by which a store finds it. */
export function shortOf(id: string): string {
  return id.slice(0, SHORT_LENGTH);
}

export function shortId(kind: IdKind, id: string): string {
  return `${kind}_${shortOf(id)}`;
}

export function isShortId(kind: IdKind, text: string): boolean {
  return (
    text.length === kind.length + 1 + SHORT_LENGTH &&
    text.startsWith(`${kind}_`) &&
    isOfAlphabet(text.slice(kind.length + 1))
  );
}

/** Returns the beginning of the ids that a name can mean: a full id, or the characters of a short one. Undefined for any other text. */
export function idPrefix(name: string): string | undefined {
  if (isContentId(name)) return name;
  return isShortId('pv', name) || isShortId('ch', name) ? name.slice('pv_'.length) : undefined;
}

function isOfAlphabet(text: string): boolean {
  return /^[0-9a-hj-km-np-tv-z]+$/u.test(text);
}
