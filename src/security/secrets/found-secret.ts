// Where a secret was found in a text.
import { partsBelow } from './secret-name.ts';

/** What tells that a value is masked: a rule of the operator, what stands around it, its key, or the text itself. */
export type MaskedBy = 'operator' | 'structure' | 'key' | 'text';

export interface FoundSecret {
  /** Where what tells that it is a secret begins: its name, for one. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** 'text' where it is not said. */
  readonly by?: MaskedBy | undefined;
}

/** What of a value is secret. `at`: where the value begins in the text; `name`: that of the value, '' where it has none. */
export function foundIn(from: number, at: number, value: string, name = ''): readonly FoundSecret[] {
  const by = name === '' ? 'text' : 'key';
  return partsBelow(name, value).map(({ start, end }) => ({ from, start: at + start, end: at + end, by }));
}
