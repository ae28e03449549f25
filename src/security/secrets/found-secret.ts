// Defines the place of a secret in a text, and why it is masked.
import { kindsShownFor, secretPartsOf } from './secret-name.ts';

/** The reason why a value is masked: a rule of the operator, its context, its key, or the text itself. */
export type MaskedBy = 'operator' | 'structure' | 'key' | 'text';

export interface FoundSecret {
  /** The start of what shows that it is a secret, such as its name. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** The reason; 'text' where it is left out. */
  readonly by?: MaskedBy | undefined;
  /** The kinds of values that its rule would not mask in this place; see `kindsShownFor`. */
  readonly shows: readonly string[];
}

/** A kind of its own for the rules that search texts, because what they mask depends on the text around it. */
export const TEXT_RULE = 'what only a text tells';

/** Returns the secret parts of a value. `at` is the start of the value in the text; `name` is its key, or '' where it has none. */
export function secretsInValue(from: number, at: number, value: string, name = ''): readonly FoundSecret[] {
  const by = name === '' ? 'text' : 'key';
  const shows = [...kindsShownFor(name), TEXT_RULE];
  return secretPartsOf(name, value).map(({ start, end }) => ({
    ...{ from, by, shows },
    start: at + start,
    end: at + end,
  }));
}
