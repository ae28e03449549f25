// Every node of a file that a path can name, with the part of its collection that it is.

import {
  type Entry,
  type Item,
  isNull,
  outerStart,
  type SpanNode,
  type Stream,
  sliceOf,
} from '../../../src/adapters/tree/span-tree.ts';
import { keySegment, type NodePath, printNodePath } from '../../../src/security/node-paths/node-path.ts';

export type { SpanNode };
export { isNull, outerStart, sliceOf };

export interface PlaceInFile {
  readonly doc: number;
  readonly path: string;
  readonly segments: NodePath;
  readonly node: SpanNode;
  /** Undefined for the root of a document. */
  readonly part: Entry | Item | undefined;
  readonly container: SpanNode | undefined;
  /** The part that holds the container. */
  readonly owner: Entry | Item | undefined;
}

/** Keys that are collections have no path. */
export function* placesIn(stream: Stream): Generator<PlaceInFile> {
  for (const [doc, { root }] of stream.documents.entries()) {
    const place = {
      doc,
      path: '',
      segments: [],
      node: root,
      part: undefined,
      container: undefined,
      owner: undefined,
    };
    yield place;
    yield* placesBelow(stream, place);
  }
}

function* placesBelow(
  stream: Stream,
  { doc, segments, node, part: owner }: PlaceInFile,
): Generator<PlaceInFile> {
  for (const [segment, part] of namedParts(node)) {
    const own = [...segments, segment];
    const { value } = part;
    const place = { doc, path: printNodePath(own), segments: own, node: value, part, container: node, owner };
    yield place;
    yield* placesBelow(stream, place);
  }
}

function namedParts(node: SpanNode): (readonly [NodePath[number], Entry | Item])[] {
  if (node.kind === 'sequence') return node.items.map((item, i) => [i, item] as const);
  if (node.kind !== 'mapping') return [];
  const counts = new Map<string, number>();
  return node.entries.flatMap((entry) => {
    const { name } = entry;
    if (name === undefined) return [];
    const occurrence = (counts.get(name) ?? 0) + 1;
    counts.set(name, occurrence);
    const isTwice = node.entries.some((other) => other !== entry && other.name === name);
    return [[keySegment(name, isTwice ? occurrence : undefined), entry] as const];
  });
}

/** The keys that name exactly one entry. */
export function keysOf(node: SpanNode): string[] {
  if (node.kind !== 'mapping') return [];
  const keys = node.entries.map(({ name }) => name);
  return keys
    .filter((key) => key !== undefined)
    .filter((key, _, all) => all.indexOf(key) === all.lastIndexOf(key));
}
