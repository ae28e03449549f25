// Plain values of a whole file that readers of YAML 1.1 take differently: not wrong, but worth a look.

import { shownSpan } from '../shown/shown-source.ts';
import { lineAndColumns } from '../tree/lines.ts';
import { printNodePath } from '../tree/node-path.ts';
import type { Stream } from '../tree/span-tree.ts';
import { visitNodes } from '../tree/visit-nodes.ts';
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
  const found: { offset: number; doc: number; path: string; message: string }[] = [];
  for (const [index, { root }] of stream.documents.entries()) {
    if (doc !== undefined && doc !== index) continue;
    visitNodes(text, root, (node, path) => {
      if (found.length >= MAX_HAZARDS || node.kind !== 'scalar') return;
      if (node.style !== 'plain' || node.properties?.tag !== undefined) return;
      const message = describeYaml11Reading(shownSpan(stream, node));
      if (message !== undefined)
        found.push({ offset: node.start, doc: index, path: printNodePath(path), message });
    });
  }
  const places = lineAndColumns(
    text,
    found.map(({ offset }) => offset),
  );
  return found.map(({ offset: _, ...hazard }, i) => ({ ...hazard, line: 1, column: 1, ...places[i] }));
}
