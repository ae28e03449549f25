// A key for signing what clients carry back; all servers that share a state have it. It is derived from the key of the
// fingerprints. Fingerprints are shown to agents, but no text can be masked to learn a part of this key.
import { hkdfSync } from 'node:crypto';
import type { StateStore } from '../../state/index.ts';

const PURPOSE = 'config-airlock: questions at clients';
const LENGTH = 32;

export function signingKeyOf({ maskingKey }: Pick<StateStore, 'maskingKey'>): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', maskingKey, '', PURPOSE, LENGTH));
}
