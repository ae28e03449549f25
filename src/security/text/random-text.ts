// Random texts that nobody can guess, for names and nonces.
import { randomBytes } from 'node:crypto';

export function randomHex(byteCount: number): string {
  return randomBytes(byteCount).toString('hex');
}

/** 128 bits in 22 characters of A-Z a-z 0-9 - _. */
export function randomNonce(): string {
  return randomBytes(16).toString('base64url');
}
