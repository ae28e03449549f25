// Checks that what goes to another place means the same there: each alias, each anchor and each tag of it; and whether it stands
// there already.
import { type NodePath, printNodePath, Refusal } from '../../security/index.ts';
import type { TakenPart } from '../edit/source.ts';
import { inUse } from '../prove/meanings.ts';
import type { Located, Step } from '../tree/locate.ts';
import {
  type DocumentSpans,
  type Entry,
  type Item,
  partsOf,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import type { Given } from './operation.ts';

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
    const isTwice = anchor !== undefined && isSameDocument && action === 'copy';
    if (isTwice)
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

/** Throws KEY_IS_SHARED for a key that other places depend on. */
export function requireMovableKey(from: Located, { part }: Step): void {
  if (!('key' in part) || (part.key.properties === undefined && part.key.kind !== 'alias')) return;
  const path = printNodePath(from.path);
  const reason = part.key.kind === 'alias' ? `is the alias *${part.key.name}` : 'carries an anchor or a tag';
  throw new Refusal(
    'KEY_IS_SHARED',
    `Cannot move or copy ${path}: its key ${reason}`,
    {},
    { existingPath: path },
  );
}

/** True within its own collection. `beside` is the index that a named neighbour gives it in a list, once it is removed. */
export function staysInPlace(
  { container, index: now }: Step,
  { key, index, before, after }: Given,
  { name, isItem }: TakenPart,
  beside: number | undefined,
): boolean {
  const parts = partsOf(container);
  if (isItem) return key === undefined && now === (beside ?? index ?? parts.length - 1);
  if ((key ?? name) !== name) return false;
  if (index !== undefined) return now === (index < 0 ? parts.length - 1 + index : index);
  if (before !== undefined) return isNamed(parts[now + 1], before);
  return after === undefined || isNamed(parts[now - 1], after);
}

function isNamed(part: Entry | Item | undefined, name: string): boolean {
  return part !== undefined && 'key' in part && part.name === name;
}

/** The path once the part at `gone` is away: the items behind it have moved up. */
export function withoutPart(to: Located, gone: Located): NodePath {
  const depth = gone.steps.length - 1;
  const [last, passed] = [gone.steps[depth], to.steps[depth]];
  const isBehind = last?.kind === 'item' && passed?.container === last.container && passed.index > last.index;
  return isBehind ? to.path.with(depth, passed.index - 1) : to.path;
}
