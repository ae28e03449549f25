// What every node has beside its content: its anchor, and its tag as readers resolve it.

import type { DocumentSpans, ScalarNode, SpanNode } from '../tree/span-tree.ts';

/** The text that nodes are of, and the tag prefixes that hold there. */
export interface TreeText {
  readonly text: string;
  readonly tagHandles: DocumentSpans['tagHandles'];
}

export interface NodeHeader {
  /** Resolved against the document's %TAG directives. */
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

export const NO_HEADER: NodeHeader = { tag: undefined, anchor: undefined };

export function nodeHeader({ text, tagHandles }: TreeText, { properties }: SpanNode): NodeHeader {
  if (properties === undefined) return NO_HEADER;
  const { tag, anchor } = properties;
  return {
    tag: tag === undefined ? undefined : resolveTag(text.slice(tag.start, tag.end), tagHandles),
    anchor: anchor?.name,
  };
}

function resolveTag(source: string, tagHandles: TreeText['tagHandles']): string {
  if (source.startsWith('!<')) return source.slice(2, -1);
  const handle = /^!(?:[^!]*!)?/.exec(source)?.[0] ?? '!';
  const prefix = tagHandles.get(handle) ?? (handle === '!!' ? 'tag:yaml.org,2002:' : undefined);
  return prefix === undefined ? source : prefix + source.slice(handle.length);
}

/** Plain scalars are typed by their spelling; all others are strings. */
export function isPlainScalar({ style }: ScalarNode): boolean {
  return style === 'plain' || style === 'empty';
}

/**
 * The data of a node as a text of its own, for keys to be found by: two nodes have the same exactly when they read
 * the same. An alias is known by its name.
 */
export function dataText(tree: TreeText, node: SpanNode): string {
  // Most keys.
  if (node.kind === 'scalar' && node.style === 'plain' && node.properties === undefined)
    return `=${node.value}`;
  return JSON.stringify(dataOf(tree, node));
}

function dataOf(tree: TreeText, node: SpanNode): unknown {
  const { tag, anchor } = nodeHeader(tree, node);
  return [node.kind, tag, anchor, contentOf(tree, node)];
}

function contentOf(tree: TreeText, node: SpanNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return [isPlainScalar(node), node.value];
    case 'alias':
      return node.name;
    case 'mapping':
      return node.entries.map(({ key, value }) => [dataOf(tree, key), dataOf(tree, value)]);
    case 'sequence':
      return node.items.map(({ value }) => dataOf(tree, value));
  }
}
