// Checks that a part means the same in another place, with each of its aliases, anchors and tags; and whether it is there already.

import { splice } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import type { TakenPart, Target } from '../edit/source.ts';
import { inUse } from '../prove/meanings.ts';
import { lineEnd, skipBlanks, skipBlanksBack } from '../tree/lines.ts';
import { type Located, locate, locateExisting, type PathStep } from '../tree/locate.ts';
import {
  type DocumentSpans,
  type Entry,
  type Item,
  partsOf,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import type { Given } from './operation.ts';

/** Returns the anchors in a node that no alias within it uses: a copy in the same document is made without them. */
function anchorsToDrop({ aliasTargets }: DocumentSpans, root: SpanNode): readonly string[] {
  const used = new Set([...walk(root)].map((node) => aliasTargets.get(node)));
  return [...walk(root)].flatMap((node) => {
    const anchor = node.properties?.anchor;
    return anchor === undefined || used.has(node) ? [] : [anchor.name];
  });
}

/** Notes the anchors that a copy in the same document is made without. */
export function droppedNotes(
  { document }: Target,
  path: NodePath,
  { to_file: file, to_doc: doc, cut }: Given,
) {
  if (file !== undefined || doc !== undefined || cut !== undefined || path.length === 0) return [];
  return anchorsToDrop(document, locateExisting(document, path, 'copy').node).map(
    (name) => `The copy goes without &${name}: each *${name} still means the original.`,
  );
}

/** Returns the part without those anchors, with the text that it is then in. */
export function withoutAnchors(
  target: Target,
  path: NodePath,
  step: PathStep,
): { readonly source: Target; readonly part: PathStep } {
  const { stream, document, doc, format, limits } = target;
  const { text } = stream;
  const names = anchorsToDrop(document, step.part.value);
  const edits = [...walk(step.part.value)].flatMap(({ properties: { anchor } = NO_PROPERTIES }) => {
    if (anchor === undefined || !names.includes(anchor.name)) return [];
    const end = skipBlanks(text, anchor.end);
    const start = end === lineEnd(text, end) ? skipBlanksBack(text, anchor.start) : anchor.start;
    return [{ start, end, insert: '' }];
  });
  if (edits.length === 0) return { source: target, part: step };
  const without = format.parse(splice(text, edits), limits);
  const copied = without.documents[doc];
  const part = copied && locate(copied, path).steps.at(-1);
  if (copied === undefined || part === undefined) throw new Error('the part is still there');
  return { source: { ...target, stream: without, document: copied }, part };
}

const NO_PROPERTIES = { anchor: undefined };

/** Throws unless each alias in it means the same node in the new place, and each anchor stays unique. */
export function requireSameMeaning(
  document: DocumentSpans,
  root: SpanNode,
  isSameDocument: boolean,
  action: string,
): void {
  const own = new Set(walk(root));
  const dropped = anchorsToDrop(document, root);
  const anchors = [...walk(document.root)].flatMap((node) => node.properties?.anchor?.name ?? []);
  for (const node of own) {
    const anchor = node.properties?.anchor?.name;
    const isTwice = anchor !== undefined && isSameDocument && action === 'copy';
    if (isTwice && !dropped.includes(anchor))
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
export function requireMovableKey(from: Located, { part }: PathStep): void {
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

/** True if a part stays where it is in its own collection. `beside` is its index next to the named neighbour, once it is removed. */
export function staysInPlace(
  { container, index: now }: PathStep,
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

/** Returns the path after the part at `gone` was removed, and the items after it have moved up. */
export function withoutPart(to: Located, gone: Located): NodePath {
  const depth = gone.steps.length - 1;
  const [last, passed] = [gone.steps[depth], to.steps[depth]];
  const isBehind = last?.kind === 'item' && passed?.container === last.container && passed.index > last.index;
  return isBehind ? to.path.with(depth, passed.index - 1) : to.path;
}
