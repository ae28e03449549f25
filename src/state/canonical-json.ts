// One text for one value: what is hashed and signed. Keys sorted, no spaces, numbers and strings as JSON
// writes them, so that reading a text and writing it again gives the same bytes or it was not ours. Also the random texts
// that names and nonces are made of.
import { hash, randomBytes } from 'node:crypto';

/** Properties that are undefined are left out. Throws a plain Error for what JSON cannot say. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new Error(`JSON has no ${typeof value}`);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a text that is canonical to the byte; undefined for anything else, such as a key that stands twice. */
export function parseCanonical(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return canonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

export function randomHex(byteCount: number): string {
  return randomBytes(byteCount).toString('hex');
}

/** 128 bits in 22 characters of A-Z a-z 0-9 - _. */
export function randomNonce(): string {
  return randomBytes(16).toString('base64url');
}
