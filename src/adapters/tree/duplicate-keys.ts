// Keys that stand twice in one mapping, and aliases without an anchor: valid syntax that readers disagree on.

import type { Problem } from '../../security/index.ts';
import { keyText } from './keys.ts';
import { lineAndColumns } from './lines.ts';
import { indexSegment, keySegment, printNodePath, type Segment } from './node-path.ts';
import type { SpanNode, Stream } from './span-tree.ts';

interface Finding {
  readonly offset: number;
  readonly problem: Omit<Problem, 'line' | 'column'>;
}

/** As many as syntax errors: nobody mends more at a time, and in a file of 2 MB there may be 180,000. */
const MAX_PROBLEMS = 1_000;

/** Of all documents, or of `chosen` alone, in source order, at most 1,000. Linear in the number of nodes. */
export function findDuplicateKeys(stream: Stream, chosen?: number): Problem[] {
  return found(stream, MAX_PROBLEMS, true, chosen);
}

/** The one whose problem comes first; aliases are left to whatever will stand around them. */
export function findDuplicateKey(stream: Stream): Problem | undefined {
  return found(stream, 1, false)[0];
}

function found(stream: Stream, most: number, withAliases: boolean, chosen?: number): Problem[] {
  const { text } = stream;
  const findings: Finding[] = [];
  /** Of the node that is visited: a copy for each would cost as much as it is deep. */
  const path: Segment[] = [];
  for (const [doc, document] of stream.documents.entries()) {
    if (chosen !== undefined && doc !== chosen) continue;
    const anchors = new Set<string>();
    visit(document.root, doc, anchors);
  }
  findings.sort((a, b) => a.offset - b.offset);
  const places = lineAndColumns(
    text,
    findings.map(({ offset }) => offset),
  );
  return findings.map(({ problem }, i) => ({ ...problem, line: 1, column: 1, ...places[i] }));

  function visit(node: SpanNode, doc: number, anchors: Set<string>): void {
    if (node.properties?.anchor !== undefined) anchors.add(node.properties.anchor.name);
    if (withAliases && node.kind === 'alias' && !anchors.has(node.name)) {
      note(node.start, 'ANCHOR_IN_USE', 'this alias has no anchor before it', doc);
    }
    if (node.kind === 'sequence')
      for (const [i, { value }] of node.items.entries()) {
        path.push(indexSegment(i));
        visit(value, doc, anchors);
        path.pop();
      }
    if (node.kind !== 'mapping') return;
    const seen = new Set<string>();
    for (const { key, value } of node.entries) {
      visit(key, doc, anchors);
      const name = keyText(key);
      path.push(keySegment(name ?? text.slice(key.start, key.end)));
      if (name !== undefined) {
        if (seen.has(name))
          note(key.start, 'DUPLICATE_KEY', 'this key stands earlier in the same mapping', doc);
        seen.add(name);
      }
      visit(value, doc, anchors);
      path.pop();
    }
  }

  function note(offset: number, code: Problem['code'], message: string, doc: number): void {
    if (findings.length >= most) return;
    findings.push({ offset, problem: { code, message, path: printNodePath(path), doc } });
  }
}
