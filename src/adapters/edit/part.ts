// Defines a new part of a collection as a call asks for it.
import type { Copied } from './copied-part.ts';
import type { NewValue } from './read-value.ts';

/** The keys of the part from the outside in, and the value of the last key. For `isItem` see `PartText`. */
export interface NewPart {
  readonly keys: readonly string[];
  readonly isItem: boolean;
  readonly value: PartValue;
}

/** A new value, or a part that stands elsewhere. */
export type PartValue = NewValue | { readonly copied: Copied };
