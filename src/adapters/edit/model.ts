// Chooses the style of a typed value (quotes, brackets or lines, the form of null) after the nearest value of the same kind
// beside it.
import type { Format } from '../tree/format.ts';
import type { Json } from '../tree/json.ts';
import {
  type Collection,
  isCollection,
  isFlowCollection,
  partsOf,
  type SpanNode,
} from '../tree/span-tree.ts';

/** The number of neighbours that are enough to tell how others are written. */
const FEW = 20;

/** Returns the neighbour as a model if it shows a style. A block scalar is a model for text of several lines only. */
export function modelOf(value: Json, neighbour: SpanNode | undefined): SpanNode | undefined {
  if (neighbour?.kind !== 'scalar') return neighbour && isTooFlat(value, neighbour) ? undefined : neighbour;
  if (neighbour.style === 'single' || neighbour.style === 'double') return neighbour;
  if (value === null) return neighbour.typedValue === null ? neighbour : undefined;
  return neighbour.block !== undefined && typeof value === 'string' && value.trimEnd().includes('\n')
    ? neighbour
    : undefined;
}

/** Returns the model for the part at `index` from the parts beside it; undefined if none is alike. */
export function modelBeside(
  node: Collection,
  index: number,
  value: Json,
  format: Format,
): SpanNode | undefined {
  const alike = neighboursOf(node, index).filter((other) => isAlike(value, other));
  const [nearest] = alike;
  if (typeof value !== 'string' || node.kind === 'sequence') return modelOf(value, nearest);
  // If all the values have quotes and one of them does not need them, quotes are a habit.
  const isHabit = alike.every(isQuoted) && alike.some((other) => format.isPlainKey(sourceValue(other), true));
  return isHabit || value.includes('\n') ? modelOf(value, nearest) : undefined;
}

/** The nearest list, or mapping, with parts that stands beside the part with this index. */
export function collectionBeside(node: Collection, index: number, kind: Collection['kind']) {
  return neighboursOf(node, index).find(
    (other): other is Collection => isCollection(other) && other.kind === kind && partsOf(other).length > 0,
  );
}

/** The values around the index, those before it first. */
function neighboursOf(node: Collection, index: number): SpanNode[] {
  const parts = partsOf(node);
  const before = parts.slice(Math.max(index - FEW, 0), index).reverse();
  return [...before, ...parts.slice(index, index + FEW)].map((part) => part.value);
}

/** Whether the node is of the same kind as the value, and not an empty collection. */
export function isAlike(value: Json, other: SpanNode): boolean {
  if (value === null) return other.kind === 'scalar' && other.typedValue === null;
  if (typeof value === 'string') return other.kind === 'scalar' && typeof other.typedValue === 'string';
  if (typeof value !== 'object' || !isCollection(other) || partsOf(other).length === 0) return false;
  return Array.isArray(value) === (other.kind === 'sequence') && !isTooFlat(value, other);
}

/** Whether the node has only scalars in its brackets, while the value holds collections. */
function isTooFlat(value: Json, node: SpanNode): boolean {
  if (typeof value !== 'object' || value === null || !isFlowCollection(node)) return false;
  const isDeep = Object.values(value).some((part) => typeof part === 'object' && part !== null);
  return isDeep && partsOf(node).length > 0 && !partsOf(node).some((part) => isCollection(part.value));
}

function isQuoted(node: SpanNode): boolean {
  return node.kind === 'scalar' && (node.style === 'single' || node.style === 'double');
}

function sourceValue(node: SpanNode): string {
  return node.kind === 'scalar' ? node.value : '';
}
