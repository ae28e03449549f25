// Where keys and values stand in one file. Says where, never what: a value is read with config_get.

import { visitNodes } from '../tree/keys.ts';
import { type NodePath, printNodePath } from '../tree/node-path.ts';
import { outerStart, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { compileWildcard } from './wildcard.ts';

export interface Match {
  readonly doc: number;
  readonly path: string;
  readonly line: number;
}

export interface SearchTerms {
  /** Matches a key, or a whole node path where it holds `.` or `[`. */
  readonly key?: string | undefined;
  /** Matches a scalar's decoded value. */
  readonly value?: string | undefined;
}

/** All matches in source order; with both terms, nodes that match both. */
export function searchFile(stream: Stream, terms: SearchTerms): Match[] {
  const { text, lines } = stream;
  const isKey = terms.key === undefined ? undefined : compileWildcard(terms.key);
  const isValue = terms.value === undefined ? undefined : compileWildcard(terms.value);
  const isPathPattern = terms.key !== undefined && /[.[]/.test(terms.key);
  const found: Match[] = [];
  for (const [doc, { root }] of stream.documents.entries())
    visitNodes(text, root, (node, path, key) => {
      if (matchesKey(path) && matchesValue(node))
        found.push({
          doc,
          path: printNodePath(path),
          line: lines.at(outerStart(key ?? node)),
        });
    });
  return found;

  function matchesKey(path: NodePath): boolean {
    if (isKey === undefined) return true;
    const last = path.at(-1);
    return (last?.kind === 'key' && isKey(last.key)) || (isPathPattern && isKey(printNodePath(path)));
  }

  function matchesValue(node: SpanNode): boolean {
    if (isValue === undefined) return true;
    return node.kind === 'scalar' && isValue(node.value);
  }
}
