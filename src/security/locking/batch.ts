// What the lock of several files says beside its owner: which change they belong to, and where its record is kept. A
// repository may contain a forged lock, so this is only compared with what this server keeps.
import { Fields } from '../records/fields.ts';

export interface Batch {
  /** The change, by its id. */
  readonly change: string;
  /** The state directory, by its id. */
  readonly state: string;
}

export const STATE_ID = /^[0-9a-f]{32}$/u;

/** Throws Malformed. */
export function readBatch(value: unknown): Batch {
  const fields = new Fields(value);
  return { change: fields.text('change', /^[\w-]{43}$/u), state: fields.text('state', STATE_ID) };
}
