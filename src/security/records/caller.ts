// Who calls: the client in its own words and, where a transport has verified one, the principal behind it. Recorded
// as one object. The name proves nothing and decides nothing.
import { readFields } from './fields.ts';

export interface Caller {
  readonly name: string;
  readonly version: string;
  readonly principal?: string;
  readonly scopes?: readonly string[];
}

/** Throws Malformed. */
export function readCaller(value: unknown): Caller {
  return readFields(value, (fields) => ({
    name: fields.text('name'),
    version: fields.text('version'),
    ...fields.optionalTexts('principal'),
    ...(fields.has('scopes') ? { scopes: fields.texts('scopes') } : {}),
  }));
}
