// Where keys and values stand in one file. Says where, never what: a value is read with config_get.

import { scalarValue } from '../formats/yaml/scalar-value.ts';
import { keyText } from '../tree/key-index.ts';
import { indexSegment, keySegment, printNodePath, type Segment } from '../tree/node-path.ts';
import type { Stream } from '../tree/span-tree.ts';
import { outerStart, type SpanNode } from '../tree/span-tree.ts';
import { compileWildcard } from './wildcard.ts';

export interface Match {
  readonly doc: number;
  readonly path: string;
  readonly line: number;
  readonly kind: SpanNode['kind'];
}

export interface SearchTerms {
  /** Matches a key, or a whole node path where it holds `.` or `[`. */
  readonly key?: string | undefined;
  /** Matches a scalar's decoded value. */
  readonly value?: string | undefined;
}

/** All matches in source order; with both terms, nodes that match both. */
export function searchFile(stream: Stream, terms: SearchTerms): Match[] {
  const { text } = stream;
  const isKey = terms.key === undefined ? undefined : compileWildcard(terms.key);
  const isValue = terms.value === undefined ? undefined : compileWildcard(terms.value);
  const isPathPattern = terms.key !== undefined && /[.[]/.test(terms.key);
  const { lines } = stream;
  const found: Match[] = [];
  /** Of the node that is visited: a copy for each would cost as much as it is deep. */
  const path: Segment[] = [];
  for (const [doc, document] of stream.documents.entries())
    visit(document.root, undefined, document.root, doc);
  return found;

  function visit(node: SpanNode, name: string | undefined, at: SpanNode, doc: number): void {
    if (matchesKey(name) && matchesValue(node)) {
      found.push({ doc, path: printNodePath(path), line: lines.at(outerStart(at)), kind: node.kind });
    }
    if (node.kind === 'mapping') {
      for (const { key, value } of node.entries.all()) {
        const below = keyText(text, key) ?? text.slice(key.start, key.end);
        path.push(keySegment(below));
        visit(value, below, key, doc);
        path.pop();
      }
    }
    if (node.kind === 'sequence') {
      for (const [i, { value }] of node.items.all().entries()) {
        path.push(indexSegment(i));
        visit(value, undefined, value, doc);
        path.pop();
      }
    }
  }

  function matchesKey(name: string | undefined): boolean {
    if (isKey === undefined) return true;
    return (name !== undefined && isKey(name)) || (isPathPattern && isKey(printNodePath(path)));
  }

  function matchesValue(node: SpanNode): boolean {
    if (isValue === undefined) return true;
    return node.kind === 'scalar' && isValue(scalarValue(text, node));
  }
}
