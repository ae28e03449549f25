// Every node of a tree in source order, with the path that leads to it.
import { keyName } from './keys.ts';
import { indexSegment, keySegment, type NodePath, type Segment } from './node-path.ts';
import type { SpanNode } from './span-tree.ts';

/** `path` is only good during the call: a copy for each node would cost as much as the node is deep. */
export type Visitor = (node: SpanNode, path: NodePath, key: SpanNode | undefined) => void;

/** Keys are not visited as nodes of their own; `key` is that of the node's entry. */
export function visitNodes(text: string, root: SpanNode, visitor: Visitor): void {
  const path: Segment[] = [];
  visit(root, undefined);

  function visit(node: SpanNode, key: SpanNode | undefined): void {
    visitor(node, path, key);
    if (node.kind === 'mapping') {
      for (const entry of node.entries) {
        path.push(keySegment(keyName(text, entry.key)));
        visit(entry.value, entry.key);
        path.pop();
      }
    } else if (node.kind === 'sequence') {
      for (const [index, { value }] of node.items.entries()) {
        path.push(indexSegment(index));
        visit(value, undefined);
        path.pop();
      }
    }
  }
}
