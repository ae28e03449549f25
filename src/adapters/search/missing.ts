// Finds where a key is missing: the documents, or the items of a list, that do not have it.
import { visibleLine } from '../../security/index.ts';
import { shownSpan } from '../shown/shown.ts';
import { actionsIn, writersIn } from '../tree/actions.ts';
import { indexesOf, isMerge, visitNodes } from '../tree/keys.ts';
import { indexSegment, keySegment, type NodePath, type Segment } from '../tree/node-path.ts';
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

type Wanted = { readonly name: string; readonly isKey: (name: string) => boolean } | 'every item' | number;

/**
 * The deepest nodes that should lead to `key` and do not. A path begins at the root, or else wherever its first key
 * stands; a document that has nothing of a path without wildcards lacks it as a whole.
 */
export function findMissing(text: string, document: DocumentSpans, key: string): readonly Gap[] {
  const wanted = wantedSteps(withoutRoot(key));
  const [first, ...rest] = wanted;
  if (first === undefined) return [];
  const atRoot = followed(document.root, first, []);
  if (atRoot.length > 0) return atRoot.flatMap(({ node, path }) => gapsBelow(node, rest, path));
  const anywhere: Gap[] = [];
  if (typeof first === 'object')
    visitNodes(text, document.root, (node, path) => {
      const last = path.at(-1);
      if (last?.kind === 'key' && first.isKey(last.key)) anywhere.push({ node, path: [...path] });
    });
  if (anywhere.length > 0) return anywhere.flatMap(({ node, path }) => gapsBelow(node, rest, path));
  const isPlain = wanted.every((step) => typeof step === 'object' && !/[*?]/.test(step.name));
  return isPlain && document.root.kind === 'mapping' ? [{ node: document.root, path: [] }] : [];
}

function gapsBelow(node: SpanNode, wanted: readonly Wanted[], path: NodePath): Gap[] {
  const [next, ...rest] = wanted;
  if (next === undefined) return [];
  const found = followed(node, next, path);
  // Where there are no items, none lacks anything.
  if (found.length === 0) return next === 'every item' ? [] : [{ node, path }];
  return found.flatMap((part) => gapsBelow(part.node, rest, part.path));
}

function followed(node: SpanNode, wanted: Wanted, path: NodePath): Gap[] {
  if (node.kind === 'sequence') {
    const isEvery = wanted === 'every item' || (typeof wanted === 'object' && wanted.name === '*');
    return node.items.flatMap(({ value }, index) =>
      isEvery || index === wanted ? [{ node: value, path: [...path, indexSegment(index)] }] : [],
    );
  }
  if (node.kind !== 'mapping' || typeof wanted !== 'object') return [];
  const entries = /[*?]/.test(wanted.name)
    ? node.entries.filter(({ name }) => name !== undefined && wanted.isKey(name))
    : indexesOf(node, wanted.name).flatMap((index) => node.entries[index] ?? []);
  return entries.map(({ name = '', value }): Gap => {
    const segment: Segment = keySegment(name);
    return { node: value, path: [...path, segment] };
  });
}

/** Splits `a.b[*]["c.d"][0]` into steps; a text that is no path is one key. */
function wantedSteps(key: string): readonly Wanted[] {
  const steps: Wanted[] = [];
  const step = /\[\*\]|\[(\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.[\]]+)/gu;
  let end = 0;
  for (const match of key.matchAll(step)) {
    if (match.index !== end) break;
    end += match[0].length;
    const [, index, quotedKey, bare] = match;
    const name = quotedKey === undefined ? bare : quotedKey.replaceAll(/\\(.)/gsu, '$1');
    if (index !== undefined) steps.push(Number(index));
    else steps.push(name === undefined ? 'every item' : { name, isKey: compileWildcard(name) });
  }
  return end === key.length ? steps : [{ name: key, isKey: compileWildcard(key) }];
}
