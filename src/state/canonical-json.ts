// Writes a value as canonical JSON for hashes and signatures: sorted keys, no spaces, and numbers and strings as JSON writes them. A
// text of this program has the same bytes after it was parsed and written again. This module also makes hashes and random texts.
import { hash, randomBytes } from 'node:crypto';

/** Writes a value; undefined properties are left out. Throws a plain Error for what JSON cannot express. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new Error(`JSON has no ${typeof value}`);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
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
  try {
    const value: unknown = JSON.parse(text);
    return canonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

export function sha256Hex(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

export function randomHex(byteCount: number): string {
  return randomBytes(byteCount).toString('hex');
}

/** Returns 128 random bits in 22 characters of A-Z a-z 0-9 - _. */
export function randomNonce(): string {
  return randomBytes(16).toString('base64url');
}
