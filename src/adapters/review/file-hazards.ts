// Plain values of a whole file that readers of YAML 1.1 take differently: not wrong, but worth a look.

import { keyText } from '../tree/key-index.ts';
import { lineAndColumns } from '../tree/lines.ts';
import { indexSegment, keySegment, printNodePath, type Segment } from '../tree/node-path.ts';
import type { SpanNode, Stream } from '../tree/span-tree.ts';
import { describeYaml11Reading } from './yaml11-readings.ts';

export interface Hazard {
  readonly doc: number;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const MAX_HAZARDS = 100;

/** In source order, at most 100. */
export function findHazards(stream: Stream, doc?: number): Hazard[] {
  const { text } = stream;
  /** Of the node that is visited: a copy for each would cost as much as it is deep. */
  const path: Segment[] = [];
  const found: { offset: number; doc: number; path: string; message: string }[] = [];
  for (const [index, document] of stream.documents.entries()) {
    if (doc === undefined || doc === index) visit(document.root, index);
  }
  const places = lineAndColumns(
    text,
    found.map(({ offset }) => offset),
  );
  return found.map(({ offset: _, ...hazard }, i) => ({ ...hazard, line: 1, column: 1, ...places[i] }));

  function visit(node: SpanNode, index: number): void {
    if (found.length >= MAX_HAZARDS) return;
    if (node.kind === 'scalar' && node.style === 'plain' && node.properties?.tag === undefined) {
      const message = describeYaml11Reading(text.slice(node.start, node.end));
      if (message !== undefined)
        found.push({ offset: node.start, doc: index, path: printNodePath(path), message });
    }
    if (node.kind === 'sequence')
      for (const [i, { value }] of node.items.all().entries()) {
        path.push(indexSegment(i));
        visit(value, index);
        path.pop();
      }
    if (node.kind !== 'mapping') return;
    for (const { key, value } of node.entries.all()) {
      path.push(keySegment(keyText(text, key) ?? text.slice(key.start, key.end)));
      visit(value, index);
      path.pop();
    }
  }
}
