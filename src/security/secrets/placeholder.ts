// Placeholders for secrets, such as `<secret:7k2m9xq4>`. The letters are a keyed fingerprint: equal secrets look equal under
// one key, and whoever lacks the key cannot test a guess. The key is never shown.
import { createHmac } from 'node:crypto';
import { PLACEHOLDER_LETTERS as LENGTH } from '../text/placeholders.ts';

/** Crockford's alphabet has no letter that could be taken for a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the placeholder of a secret. */
export type PlaceholderOf = (secret: string) => string;

/** Makes placeholders under this key. The last answers are remembered, because the secrets of a file are asked again after each edit. */
export function placeholdersBy(key: string): PlaceholderOf {
  const known = new Map<string, string>();
  return (secret) => {
    const before = known.get(secret);
    if (before !== undefined) return before;
    const bytes = createHmac('sha256', key).update(secret).digest().subarray(0, LENGTH);
    const placeholder = `<secret:${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}>`;
    if (known.size >= MAX_REMEMBERED) known.clear();
    if (secret.length <= MAX_REMEMBERED_LENGTH) known.set(secret, placeholder);
    return placeholder;
  };
}

const MAX_REMEMBERED = 5_000;
const MAX_REMEMBERED_LENGTH = 200;
