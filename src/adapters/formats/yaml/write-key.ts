// How a key of YAML is written: plain where every reader takes it for the same string, quoted otherwise, or where its
// neighbours are.
import { Refusal } from '../../../security/index.ts';
import type { KeyQuotes } from '../../tree/format.ts';
import { isPlainSafe } from './plain-safety.ts';
import { doubleQuoted, singleQuoted } from './write-scalar.ts';

/** No reader of YAML takes more for a key, unless a '?' stands before it. */
const MAX_KEY_CHARS = 1_024;

/** Throws VALUE_INVALID for a key that is too long to be one. */
export function writeKey(key: string, isFlow: boolean, quotes: KeyQuotes): string {
  const text = keyText(key, isFlow, quotes);
  if (text.length <= MAX_KEY_CHARS) return text;
  throw new Refusal(
    'VALUE_INVALID',
    `Cannot write this key: it takes ${text.length} characters, and a key of YAML has at most ${MAX_KEY_CHARS}`,
    {},
    { advice: ['Choose a shorter key'] },
  );
}

function keyText(key: string, isFlow: boolean, { style, isAlways }: KeyQuotes): string {
  if (!isAlways && isPlainSafe(key, isFlow)) return key;
  return (style === 'single' ? singleQuoted(key) : undefined) ?? doubleQuoted(key);
}
