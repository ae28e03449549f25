// What stands in the place of a secret: `<secret:7k2m9xq4>`. The letters are a keyed fingerprint: equal secrets look equal
// under one key, and whoever lacks the key can test no guess. The key is never shown.
import { createHmac } from 'node:crypto';

/** Crockford's: no letter that could be taken for a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 40 bits: two secrets of one file hardly ever look equal, and where they would, nothing is carried over. */
const LENGTH = 8;

const LETTERS = `[0-9a-hj-km-np-tv-z]{${LENGTH}}`;

/** One that stands for a secret without quotes in a format that needs some has quotes of its own. */
export const PLACEHOLDERS = new RegExp(`<secret:${LETTERS}>`, 'gu');

export function placeholderFor(key: string, secret: string): string {
  const bytes = createHmac('sha256', key).update(secret).digest().subarray(0, LENGTH);
  return `<secret:${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}>`;
}

/** Whether a value of a request holds one, in whatever text or key. */
export function holdsPlaceholder(value: unknown): boolean {
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next === 'string' && next.search(PLACEHOLDERS) !== -1) return true;
    if (typeof next === 'object' && next !== null)
      for (const [key, member] of Object.entries(next)) ahead.push(key, member);
  }
  return false;
}
