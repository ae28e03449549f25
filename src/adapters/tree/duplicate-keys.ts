// Keys that stand twice in one mapping, and aliases without an anchor: valid syntax that readers disagree on.
import type { Problem } from '../../security/index.ts';
import { keyText } from './key-index.ts';
import { lineAndColumns } from './lines.ts';
import { indexSegment, keySegment, type NodePath, printNodePath } from './node-path.ts';
import type { SpanNode, Stream } from './span-tree.ts';

interface Finding {
  readonly offset: number;
  readonly problem: Omit<Problem, 'line' | 'column'>;
}

/** In source order. Linear in the number of nodes. */
export function findDuplicateKeys(stream: Stream): Problem[] {
  const { text } = stream;
  const findings: Finding[] = [];
  for (const [doc, document] of stream.documents.entries()) {
    const anchors = new Set<string>();
    visit(document.root, [], doc, anchors);
  }
  findings.sort((a, b) => a.offset - b.offset);
  const places = lineAndColumns(
    text,
    findings.map(({ offset }) => offset),
  );
  return findings.map(({ problem }, i) => ({ ...problem, line: 1, column: 1, ...places[i] }));

  function visit(node: SpanNode, path: NodePath, doc: number, anchors: Set<string>): void {
    if (node.properties?.anchor !== undefined) anchors.add(node.properties.anchor.name);
    if (node.kind === 'alias' && !anchors.has(node.name)) {
      note(node.start, 'ANCHOR_IN_USE', 'this alias has no anchor before it', path, doc);
    }
    if (node.kind === 'sequence')
      for (const [i, { value }] of node.items.entries())
        visit(value, [...path, indexSegment(i)], doc, anchors);
    if (node.kind !== 'mapping') return;
    const seen = new Set<string>();
    for (const { key, value } of node.entries) {
      visit(key, path, doc, anchors);
      const name = keyText(text, key);
      const below = [...path, keySegment(name ?? text.slice(key.start, key.end))];
      if (name !== undefined) {
        if (seen.has(name))
          note(key.start, 'DUPLICATE_KEY', 'this key stands earlier in the same mapping', below, doc);
        seen.add(name);
      }
      visit(value, below, doc, anchors);
    }
  }

  function note(offset: number, code: Problem['code'], message: string, path: NodePath, doc: number): void {
    findings.push({ offset, problem: { code, message, path: printNodePath(path), doc } });
  }
}
