// Finds where a key is missing: the documents, or the items of a list, that do not have it.
import { unlessRefused, visibleLine } from '../../security/index.ts';
import { shownSpan } from '../shown/shown.ts';
import { actionsIn, writersIn } from '../tree/actions.ts';
import { isMerge, visitNodes } from '../tree/keys.ts';
import { keyOf, type NodePath } from '../tree/node-path.ts';
import { type PathWord, parsePath } from '../tree/path-syntax.ts';
import { selectedItems } from '../tree/select-item.ts';
import { type DocumentSpans, isWritten, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { compileWildcard } from '../tree/wildcard.ts';
import { cutText } from '../tree/wording.ts';
import { withoutRoot } from './key-pattern.ts';

export interface Gap {
  /** The existing node that lacks the rest. */
  readonly node: SpanNode;
  readonly path: NodePath;
}

/** Says in words what may bring the missing part: whoever fills in the template, an alias or a merge. Undefined where nothing may. */
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

/**
 * The deepest nodes that should lead to `key` and do not. A path begins at the root, or else wherever its first key
 * stands; a document that has nothing of a path without wildcards lacks it as a whole.
 */
export function findMissing(text: string, document: DocumentSpans, key: string): readonly Gap[] {
  const wanted = wordsOf(key);
  const [first, ...rest] = wanted;
  if (first === undefined) return [];
  const atRoot = followed(document.root, first, []);
  if (atRoot.length > 0) return atRoot.flatMap(({ node, path }) => gapsBelow(node, rest, path));
  const anywhere: Gap[] = [];
  const isFirst = keysOf(first);
  visitNodes(text, document.root, (node, path) => {
    const key = keyOf(path.at(-1));
    if (key !== undefined && isFirst(key)) anywhere.push({ node, path: [...path] });
  });
  if (anywhere.length > 0) return anywhere.flatMap(({ node, path }) => gapsBelow(node, rest, path));
  const isPlain = wanted.every((word) => word.kind === 'key' && !/[*?]/.test(word.key));
  return isPlain && document.root.kind === 'mapping' ? [{ node: document.root, path: [] }] : [];
}

function gapsBelow(node: SpanNode, wanted: readonly PathWord[], path: NodePath): Gap[] {
  const [next, ...rest] = wanted;
  if (next === undefined) return [];
  const found = followed(node, next, path);
  // Where there are no items, none lacks anything; nor does a part of those that a later wildcard names.
  const isOfMany = (next.kind === 'every' && next.isItem) || wanted.slice(0, -1).some(isMany);
  if (found.length === 0) return isOfMany ? [] : [{ node, path }];
  return found.flatMap((part) => gapsBelow(part.node, rest, part.path));
}

function isMany(word: PathWord): boolean {
  return word.kind === 'every' || word.kind === 'deep' || word.kind === 'items';
}

function followed(node: SpanNode, word: PathWord, path: NodePath): Gap[] {
  if (node.kind === 'sequence') {
    const selected = word.kind === 'items' ? selectedItems(node.items, word) : undefined;
    return node.items.flatMap(({ value }, index) =>
      (selected?.includes(index) ?? isItem(word, index)) ? [{ node: value, path: [...path, index] }] : [],
    );
  }
  if (node.kind !== 'mapping') return [];
  const isKey = keysOf(word);
  return node.entries.flatMap(({ name, value }) =>
    name !== undefined && isKey(name) ? [{ node: value, path: [...path, name] }] : [],
  );
}

function isItem(word: PathWord, index: number): boolean {
  return word.kind === 'every' || ('index' in word && word.index === index);
}

/** Answers which keys a word names; a key may hold wildcards. */
function keysOf(word: PathWord): (name: string) => boolean {
  if (word.kind === 'key' || word.kind === 'either') return compileWildcard(word.key);
  return () => word.kind === 'deep' || (word.kind === 'every' && !word.isItem);
}

/** Answers the words of a path; a text that is no path is one key. */
function wordsOf(key: string): readonly PathWord[] {
  return (
    unlessRefused(() => parsePath(withoutRoot(key))) ?? [
      { kind: 'key', key: withoutRoot(key), isBare: false, end: key.length },
    ]
  );
}
