// A new part of a collection, with the missing keys that lead down to its value.
import type { Located } from '../tree/locate.ts';
import type { Insert, Value } from './step.ts';

export interface NewPart {
  /** The keys from the outside in; the value is that of the last one. */
  readonly keys: readonly string[];
  /** True if the value is an item: of the collection itself if there are no keys, else of a new list below the last key. */
  readonly isItem: boolean;
  readonly value: Value;
  /** The index in the collection; undefined for the usual place. */
  readonly index?: number | undefined;
  readonly isClose?: boolean;
}

/** Returns the steps that write a new part. What is no plain data goes into a collection that is made by itself before. */
export function newPart(
  { path }: Pick<Located, 'path'>,
  { keys, isItem, value, index, isClose = false }: NewPart,
): readonly Insert[] {
  const [key, ...inner] = keys;
  if (key === undefined || (inner.length === 0 && !isItem))
    return [{ do: 'insert', path, key, value, index, isClose }];
  if ('json' in value) {
    const innermost = isItem ? [value.json] : value.json;
    const json = inner.reduceRight((below, one) => ({ [one]: below }), innermost);
    return [{ do: 'insert', path, key, value: { json }, index, isClose }];
  }
  const above = isItem ? keys : keys.slice(0, -1);
  const empty = { json: isItem ? [] : {} };
  return [
    ...newPart({ path }, { keys: above, isItem: false, value: empty, index, isClose }),
    { do: 'insert', path: [...path, ...above], key: isItem ? undefined : inner.at(-1), value },
  ];
}
