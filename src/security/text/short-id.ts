// Short names of previews and changes, for whoever has to repeat one: `pv_7k2m9xq4c1`. What is stored, recorded and signed
// is the full hash; a short id only finds it in one store. It promises no secrecy.
import { isContentId, sha256Hex } from './canonical-json.ts';

/** Crockford's: no letter that could be taken for a digit, and no upper case. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 10;

export type IdKind = 'pv' | 'ch';

export function shortId(kind: IdKind, id: string): string {
  const bytes = Buffer.from(sha256Hex(id), 'hex').subarray(0, LENGTH);
  return `${kind}_${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

export function isShortId(kind: IdKind, text: string): boolean {
  return (
    text.length === kind.length + 1 + LENGTH &&
    text.startsWith(`${kind}_`) &&
    /^[0-9a-hj-km-np-tv-z]+$/u.test(text.slice(kind.length + 1))
  );
}

/**
 * The full id that is meant, short or full; `known` are those that exist. Undefined for what names none of them, or, with
 * a chance of one in 10^12, several.
 */
export function fullId(kind: IdKind, name: string, known: () => Iterable<string>): string | undefined {
  if (isContentId(name)) return name;
  if (!isShortId(kind, name)) return undefined;
  const [found, ...others] = new Set([...known()].filter((id) => shortId(kind, id) === name));
  return others.length === 0 ? found : undefined;
}
