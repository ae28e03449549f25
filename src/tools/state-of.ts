// The state directory of a server that can write. One that cannot has none, and says so in the usual words.
import { requireWritable, type State } from '../security/index.ts';
import type { CallContext } from './tool.ts';

/** Throws READ_ONLY. */
export function stateOf({ policy, state }: CallContext): State {
  requireWritable(policy);
  if (state === undefined) throw new Error('a server that can write has a state directory');
  return state;
}
