// Compares which node each alias of a file names, by paths: an alias may mean another node although nothing of it is written anew.
import { printNodePath } from '../../security/index.ts';
import { visitNodes } from '../tree/keys.ts';
import type { SpanNode, Stream } from '../tree/span-tree.ts';
import { unmatched } from '../tree/unmatched.ts';

/** Returns a line for each alias of one version only, or with another meaning there, in an order that has no meaning. */
export function meaningsThatDiffer(before: Stream, after: Stream): readonly string[] {
  const [old, next] = [meaningsIn(before), meaningsIn(after)];
  const only = (mark: string, some: readonly string[], others: readonly string[]) =>
    unmatched(some, others, (line) => line).map((line) => `${mark} ${line}`);
  return [...only('-', old, next), ...only('+', next, old)];
}

function meaningsIn({ text, documents }: Stream): readonly string[] {
  if (!text.includes('*')) return [];
  return documents.flatMap(({ root, aliasTargets }, doc) => {
    const found: string[] = [];
    const pathOf = new Map<SpanNode, string>();
    const read = (node: SpanNode, at: string): void => {
      if (node.properties?.anchor !== undefined) pathOf.set(node, at);
      if (node.kind !== 'alias') return;
      // An alias may have no anchor before it.
      const target = aliasTargets.get(node);
      found.push(`${doc} ${at} *${node.name} ${(target && pathOf.get(target)) ?? '*'}`);
    };
    visitNodes(text, root, (node, path, key) => {
      const at = printNodePath(path);
      // A key has the path of its value.
      if (key !== undefined) read(key, at);
      read(node, at);
    });
    return found;
  });
}
