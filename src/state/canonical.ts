// Canonical JSON for hashes and signatures (sorted keys, no spaces), and the ids that are made of it. The id of a record is the hash of
// its text, in letters and digits that nobody confuses. Its beginning is the short id that agents and people use: `pv_7k2m9xq4c1`. The
// full id is stored, recorded and signed. A short id only finds it in one store.
import { hash, randomBytes } from 'node:crypto';

/** Writes a value; undefined properties are left out. Throws a plain Error for what JSON cannot express. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new Error(`JSON has no ${typeof value}`);
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** Parses JSON; undefined for a malformed text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a text that is canonical to the byte; undefined for any other, such as one with a repeated key. */
export function parseCanonical(text: string): unknown {
  const value = parsedJson(text);
  return value !== undefined && canonicalJson(value) === text ? value : undefined;
}

export function sha256Hex(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

export function randomHex(byteCount: number): string {
  return randomBytes(byteCount).toString('hex');
}

/** Crockford's base 32 has no letter that could be taken for a digit, and no upper case. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGITS = '0123456789abcdefghijklmnopqrstuv';
/** The characters for 256 bits. */
const LENGTH = 52;
export const SHORT_LENGTH = 10;

type IdKind = 'pv' | 'ch';

/** Returns 52 characters of the alphabet above, which fit a file name and an argument. */
export function contentId(text: string): string {
  const digits = BigInt(`0x${sha256Hex(text)}`).toString(32);
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
  const id = text.slice(kind.length + 1);
  return text.startsWith(`${kind}_`) && id.length === SHORT_LENGTH && isOfAlphabet(id);
}

/** Returns the beginning of the ids that a name can mean: a full id, or the characters of a short one. Undefined for any other text. */
export function idPrefix(name: string): string | undefined {
  if (isContentId(name)) return name;
  return isShortId('pv', name) || isShortId('ch', name) ? name.slice('pv_'.length) : undefined;
}

function isOfAlphabet(text: string): boolean {
  return /^[0-9a-hj-km-np-tv-z]+$/u.test(text);
}
