// Finds where a key is missing: the documents, or the items of a list, that do not have it.

import { unlessRefused } from '../../security/errors/refusal.ts';
import type { NodePath, PathWord } from '../../security/node-paths/node-path.ts';
import { parsePath } from '../../security/node-paths/parse-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { shownSpan } from '../shown/shown.ts';
import { actionsIn, writersIn } from '../tree/actions.ts';
import { isMerge } from '../tree/keys.ts';
import { compilePattern, type FindPaths } from '../tree/match-paths.ts';
import { type DocumentSpans, isWritten, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { compileWildcard } from '../tree/wildcard.ts';
import { cutText } from '../tree/wording.ts';
import { isFromRoot, withoutRoot } from './key-pattern.ts';

export interface Gap {
  /** The existing node that lacks the rest. */
  readonly node: SpanNode;
  readonly path: NodePath;
}

/** Says what may bring the missing part: the values of the template, an alias or a merge. Undefined if nothing may. */
export function bringerOf(stream: Stream, node: SpanNode): string | undefined {
  const { text, actions = [] } = stream;
  const [writes] = isWritten(node)
    ? actionsIn(actions, node).filter(({ kind }) => kind === 'output')
    : writersIn(text, actions, node);
  if (writes !== undefined)
    return `the template may write it there: ${visibleLine(cutText(shownSpan(stream, writes), MAX_ACTION))}`;
  if (node.kind === 'alias') return `the alias *${visibleLine(node.name)} may bring it`;
  return node.kind === 'mapping' && node.entries.some(isMerge) ? 'a merge (<<) may bring it' : undefined;
}

const MAX_ACTION = 80;

/** A word of a path, with the `**` before it. */
interface PathPart {
  readonly words: readonly PathWord[];
  readonly find: FindPaths;
}

/**
 * The deepest nodes that should lead to `key` and do not. A path begins at the root, or else wherever its first key
 * stands; a document that has nothing of a path without wildcards lacks it as a whole.
 */
export function findMissing(text: string, { root }: DocumentSpans, key: string): readonly Gap[] {
  const parts = partsOf(key);
  const [first, ...rest] = parts;
  if (first === undefined) return [];
  const atRoot = namedBy(first.find, text, root);
  const isAnywhere = atRoot.length === 0 && !isMany(first) && !isFromRoot(key);
  const starts = isAnywhere ? namedBy(partOf([{ kind: 'deep' }, ...first.words]).find, text, root) : atRoot;
  if (starts.length > 0) return starts.flatMap((start) => gapsBelow(text, start, rest));
  const isPlain = parts.every(({ words: [word] }) => word?.kind === 'key' && !/[*?]/.test(word.key));
  return isPlain && root.kind === 'mapping' ? [{ node: root, path: [] }] : [];
}

/** True if the document has the first key of a path at some depth, but not at its root. */
export function hasOnlyDeeper(text: string, { root }: DocumentSpans, key: string): boolean {
  const [first] = partsOf(key);
  if (first === undefined || isMany(first) || isFromRoot(key)) return false;
  const deep = partOf([{ kind: 'deep' }, ...first.words]);
  return namedBy(first.find, text, root).length === 0 && namedBy(deep.find, text, root).length > 0;
}

function gapsBelow(text: string, { node, path }: Gap, wanted: readonly PathPart[]): readonly Gap[] {
  const [next, ...rest] = wanted;
  if (next === undefined) return [];
  const found = namedBy(next.find, text, node);
  // Where there are no items, none lacks anything; nor does a part of those that a later wildcard names.
  const isOfMany = isEveryItem(next) || wanted.slice(0, -1).some(isMany);
  if (found.length === 0) return isOfMany ? [] : [{ node, path }];
  return found.flatMap((part) => gapsBelow(text, { ...part, path: [...path, ...part.path] }, rest));
}

function isEveryItem({ words: [word] }: PathPart): boolean {
  return word?.kind === 'every' && word.isItem;
}

function isMany({ words }: PathPart): boolean {
  return words.some(({ kind }) => kind === 'every' || kind === 'deep' || kind === 'items');
}

function namedBy(find: FindPaths, text: string, node: SpanNode): readonly Gap[] {
  const found: Gap[] = [];
  find(text, node, (one, path) => found.push({ node: one, path: [...path] }) > 0);
  return found;
}

/** Splits a path into its parts; a `**` at its beginning adds nothing. A text that is no path is one key. */
function partsOf(key: string): readonly PathPart[] {
  const text = withoutRoot(key).replace(/^\*\*\.(?=.)/, '');
  const words = unlessRefused(() => parsePath(text)) ?? [{ kind: 'key', key: text, isBare: false } as const];
  return words.flatMap((word, at) => {
    const above = words[at - 1];
    return word.kind === 'deep' && at < words.length - 1
      ? []
      : [partOf(above?.kind === 'deep' ? [above, word] : [word])];
  });
}

function partOf(words: readonly PathWord[]): PathPart {
  return { words, find: compilePattern(words, compileWildcard) };
}
