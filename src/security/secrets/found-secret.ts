// The place of a secret in a text.
import { partsBelow, shownBelow } from './secret-name.ts';

/** The reason why a value is masked: a rule of the operator, its context, its key, or the text itself. */
export type MaskedBy = 'operator' | 'structure' | 'key' | 'text';

export interface FoundSecret {
  /** The start of what shows that it is a secret, such as its name. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** The reason; 'text' where it is left out. */
  readonly by?: MaskedBy | undefined;
  /** The kinds of values that its rule would show in this place. */
  readonly shows: readonly string[];
}

/** What rules for texts show, beside others: what they find depends on all that stands around it. */
export const OF_TEXT = 'what only a text tells';

/** Answers the secret parts of a value. `at` is the start of the value in the text; `name` is its key, or '' where it has none. */
export function foundIn(from: number, at: number, value: string, name = ''): readonly FoundSecret[] {
  const by = name === '' ? 'text' : 'key';
  const shows = [...shownBelow(name), OF_TEXT];
  return partsBelow(name, value).map(({ start, end }) => ({
    ...{ from, by, shows },
    start: at + start,
    end: at + end,
  }));
}
