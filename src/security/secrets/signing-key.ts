// Derives the key that signs the state of questions, which clients send back. All servers with the same state have it. It is derived
// from the key of the fingerprints. Agents see fingerprints, but cannot learn a part of this key from them.
import { hkdfSync } from 'node:crypto';
import type { Identity } from '../../state/tables.ts';

const PURPOSE = 'config-airlock: questions at clients';
const LENGTH = 32;

export function signingKeyOf({ maskingKey }: Pick<Identity, 'maskingKey'>): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', maskingKey, '', PURPOSE, LENGTH));
}
