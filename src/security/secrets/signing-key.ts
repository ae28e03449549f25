// A key for signing what clients carry, which all servers that share a state have. It is made of the key of the fingerprints,
// which are shown: no text can be masked to learn a part of this one.
import { hkdfSync } from 'node:crypto';
import type { StateStore } from '../../state/index.ts';

const PURPOSE = 'config-airlock: questions at clients';
const LENGTH = 32;

export function signingKeyOf({ maskingKey }: Pick<StateStore, 'maskingKey'>): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', maskingKey, '', PURPOSE, LENGTH));
}
