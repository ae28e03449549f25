// The data of a node as it is written: aliases by their names, entries in their order, and repeated keys. Two readers that share no
// code are compared by it.
import type { SpanNode } from '../tree/span-tree.ts';

export type WrittenData =
  | string
  | number
  | boolean
  | null
  | readonly WrittenData[]
  | { readonly alias: string }
  | { readonly entries: readonly (readonly [WrittenData, WrittenData])[] };

export function writtenData(node: SpanNode): WrittenData {
  switch (node.kind) {
    case 'alias':
      return { alias: node.name };
    case 'scalar':
      return node.typedValue;
    case 'sequence':
      return node.items.map(({ value }) => writtenData(value));
    case 'mapping':
      return { entries: node.entries.map(({ key, value }) => [writtenData(key), writtenData(value)]) };
  }
}
