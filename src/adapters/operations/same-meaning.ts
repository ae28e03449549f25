// Checks that what goes to another place means the same there: each alias, each anchor and each tag of it.
import { Refusal } from '../../security/index.ts';
import type { Copied } from '../edit/copied-part.ts';
import { type DocumentSpans, type SpanNode, walk } from '../tree/span-tree.ts';

/** A tag means the same where no document declares what its handle stands for. */
export function requireSameTags(from: DocumentSpans, to: DocumentSpans, { source }: Copied): void {
  if (from.tagHandles.size + to.tagHandles.size === 0 || !source.includes('!')) return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot move or copy this: its tags depend on a %TAG directive of one of the documents',
  );
}

/** Throws unless each alias in it means the same node there, and each anchor in it is there once. */
export function requireSameMeaning(
  document: DocumentSpans,
  root: SpanNode,
  isSameDocument: boolean,
  action: string,
): void {
  const own = new Set(walk(root));
  const anchors = [...walk(document.root)].flatMap((node) => node.properties?.anchor?.name ?? []);
  for (const node of own) {
    const anchor = node.properties?.anchor?.name;
    if (anchor !== undefined && isSameDocument && action === 'copy')
      throw inUse(
        `Cannot copy this: the anchor &${anchor} would stand twice`,
        `Set a copy of the value without &${anchor}, or an alias *${anchor}`,
      );
    if (node.kind !== 'alias') continue;
    const target = document.aliasTargets.get(node);
    const isOwn = target !== undefined && own.has(target);
    const isOnly = anchors.filter((name) => name === node.name).length === 1;
    if (isOwn || (isSameDocument && isOnly)) continue;
    throw inUse(
      `Cannot ${action} this: the alias *${node.name} would mean another node there, or none`,
      `Set a copy of the value in place of *${node.name} first`,
    );
  }
}

function inUse(message: string, advice: string): Refusal {
  return new Refusal('ANCHOR_IN_USE', message, {}, { advice: [advice] });
}
