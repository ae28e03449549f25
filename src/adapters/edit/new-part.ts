// A new part of a collection, with the missing keys that lead down to its value.
import type { Located } from '../tree/locate.ts';
import { isBlockCollection, isCollection } from '../tree/span-tree.ts';
import { keyQuotes } from './neighbours.ts';
import { belowOwnHeader, nestedTable } from './sections.ts';
import { parseSource, shifted, type Target } from './source.ts';
import type { Insert, Value } from './step.ts';
import { pathOf } from './toml-lines.ts';

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

export function newPart(
  target: Target,
  at: Located,
  { keys, isItem, value, index, isClose = false }: NewPart,
): Insert {
  const [key] = keys;
  const nested = key === undefined ? value : around(target, at, keys, isItem, value);
  return { do: 'insert', path: at.path, key, value: nested, index, isClose };
}

/** Wraps the value in collections of one part each, for all keys but the first. */
function around(
  target: Target,
  { node, steps }: Located,
  [outer = '', ...keys]: readonly string[],
  isItem: boolean,
  value: Value,
): Value {
  if (keys.length === 0 && !isItem) return value;
  if ('json' in value)
    return {
      json: keys
        .toReversed()
        .reduce<typeof value.json>((inner, key) => ({ [key]: inner }), isItem ? [value.json] : value.json),
    };
  const { format } = target;
  if (format.layout === 'sections') {
    const path = [...pathOf(steps), outer, ...keys, ...(isItem ? [0] : [])];
    const source = 'taken' in value ? value.taken : belowOwnHeader(parseSource(value.text, target), path);
    const written = keys.map((key) => format.writeKey(key, false, { style: 'double', isAlways: false }));
    return { taken: nestedTable(target, source, written, isItem) };
  }
  const isFlow = format.layout === 'flow' || (isCollection(node) && node.style !== 'block');
  const quotes = keyQuotes(target.stream.text, node, (key) => format.isPlainKey(key, true));
  const name = (key: string) =>
    key === format.mergeKey
      ? key
      : format.writeKey(key, isFlow, isFlow ? quotes : { ...quotes, isAlways: false });
  const text = 'taken' in value ? value.taken.text : value.text;
  if (format.layout !== 'block') {
    const item = isItem ? `[${text.trim()}]` : text.trim();
    return {
      text: keys.toReversed().reduce((inner, key) => `{${name(key)}: ${inner}}`, item),
    };
  }
  const source = parseSource(text, target);
  const isBlock = isBlockCollection(source.node);
  const lines = source.text.replace(/\n$/, '').split('\n');
  const [first = '', ...rest] = lines;
  if (!isItem && !isBlock) {
    const [last, ...others] = keys.toReversed();
    const innermost = last === undefined ? lines : [`${name(last)}: ${first}`, ...shifted(rest, 0, 2)];
    return { text: below(others.map(name), innermost).join('\n') };
  }
  const item = isItem ? [`- ${first}`, ...(isBlock ? shifted(rest, 0, 2) : rest)] : lines;
  return { text: below(keys.toReversed().map(name), item).join('\n') };
}

/** Nests the lines below keys, the innermost first. */
function below(keys: readonly string[], lines: readonly string[]): readonly string[] {
  return keys.reduce<readonly string[]>((inner, key) => [`${key}:`, ...shifted(inner, 0, 2)], lines);
}
