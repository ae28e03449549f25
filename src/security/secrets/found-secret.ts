// Where a secret was found in a text.
import { secretParts } from './secret-values.ts';

export interface FoundSecret {
  /** Where what tells that it is a secret begins: its name, for one. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** What of a value is secret. `at`: where the value begins in the text. */
export function foundIn(from: number, at: number, value: string): readonly FoundSecret[] {
  return secretParts(value).map(({ start, end }) => ({ from, start: at + start, end: at + end }));
}
