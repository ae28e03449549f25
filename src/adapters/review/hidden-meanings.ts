// Finds what the data of a file means beyond its values, by paths: which node each alias names, and which block scalar the end
// of the file cuts off. Only some readers see the last line break of such a scalar.

import { type NodePath, printNodePath } from '../../security/index.ts';
import { visitNodes } from '../tree/keys.ts';
import type { DocumentSpans, ScalarNode, SpanNode, Stream } from '../tree/span-tree.ts';

/** Returns what means something in one version only, in an order that has no meaning. */
export function meaningsThatDiffer(before: Stream, after: Stream): readonly string[] {
  const [old, next] = [meaningsIn(before), meaningsIn(after)];
  return [
    ...[...old].filter((line) => !next.has(line)).map((line) => `- ${line}`),
    ...[...next].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ].sort();
}

/** Returns one line for each of them. */
function meaningsIn({ text, documents }: Stream): ReadonlySet<string> {
  const meanings = new Set<string>();
  if (!text.includes('*') && text.endsWith('\n')) return meanings;
  for (const [doc, document] of documents.entries()) {
    for (const meaning of meaningsOf(text, document)) {
      // Repeated keys have the same path, so their lines are numbered.
      let line = `${doc} ${meaning}`;
      for (let count = 2; meanings.has(line); count++) line = `${doc} ${meaning} ${count}`;
      meanings.add(line);
    }
  }
  return meanings;
}

function meaningsOf(text: string, { root, aliasTargets }: DocumentSpans): readonly string[] {
  const found: string[] = [];
  const pathOf = new Map<SpanNode, string>();
  read(root, []);
  return found;

  /** A key has the path of its value. */
  function read(top: SpanNode, above: NodePath): void {
    visitNodes(text, top, (node, below, key) => {
      const path = [...above, ...below];
      if (key !== undefined) read(key, path);
      const at = printNodePath(path);
      if (node.properties?.anchor !== undefined) pathOf.set(node, at);
      if (node.kind === 'scalar' && isCutOff(node, text)) found.push(`${at} is cut off`);
      if (node.kind !== 'alias') return;
      const target = aliasTargets.get(node);
      found.push(`${at} *${node.name} ${(target && pathOf.get(target)) ?? '*'}`);
    });
  }
}

function isCutOff({ block }: ScalarNode, text: string): boolean {
  return (
    block !== undefined && block.chomp !== 'strip' && block.bodyEnd >= text.length && !text.endsWith('\n')
  );
}
