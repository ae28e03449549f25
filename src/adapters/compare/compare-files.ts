// Compares the data of two files, documents or nodes, whatever their comments, layout and key order. It returns one line for
// each difference, with the values.
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { shownApart, shownAsText } from '../shown/shown.ts';
import { type DocumentSelector, documentLabels, selectDocument } from '../tree/document.ts';
import { documentNames, namesIn } from '../tree/item-names.ts';
import { locateExisting } from '../tree/locate.ts';
import { resolvePath } from '../tree/resolve-path.ts';
import { WRITTEN } from '../tree/resolved.ts';
import { type SequenceNode, type SpanNode, type Stream, sliceOf } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { differingActions, differingText, type Line } from './compare-lines.ts';
import type { Difference, Side } from './tree-difference.ts';
import { TreeDifference } from './tree-difference.ts';

/** The part of a file that is compared: all of it, one document, or one node. */
export interface Compared {
  readonly stream: Stream;
  readonly doc?: DocumentSelector | undefined;
  readonly path?: string | undefined;
}

export interface Comparison {
  /** Lines such as `+ path = value  (line 3)`, `- …` for a value of the first only, and `~ path: value → value`. */
  readonly lines: readonly string[];
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** True for plain text: the lines are those of a unified diff, and the numbers count lines. */
  readonly isText?: boolean;
}

/** Compares two parts. Throws the refusals about nodes and documents. */
export function compareFiles(a: Compared, b: Compared): Comparison {
  const isWhole = [a, b].every(({ doc, path = '' }) => doc === undefined && path === '');
  const hasSeveral = [a, b].some(({ stream }) => stream.documents.length > 1);
  if (!(isWhole && hasSeveral)) {
    const [one, other] = [nodeOf(a), nodeOf(b)];
    if (a.stream.hasStructure === false && b.stream.hasStructure === false)
      return textCompared(differingText(a.stream.text, b.stream.text));
    // Paths at two different places are relative to what is compared.
    const path = printNodePath(one.path) === printNodePath(other.path) ? other.path : [];
    const actions = differingActions(
      [a.stream, isWhole ? undefined : one.node],
      [b.stream, isWhole ? undefined : other.node],
    );
    return collected([...linesOf(one, other, path, ''), ...actions]);
  }
  return collected([
    ...pairsOf(a.stream, b.stream).flatMap(([one, other]) =>
      compareDocuments(a.stream, one, b.stream, other),
    ),
    ...differingActions([a.stream], [b.stream]),
  ]);
}

function textCompared(lines: readonly string[]): Comparison {
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { lines, added: count('+'), removed: count('-'), changed: 0, isText: true };
}

/** A node with its text and document, read as it is written. */
type Place = Side & { readonly node: SpanNode };

function collected(lines: readonly Line[]): Comparison {
  const count = (kind: Line['kind']) => lines.filter((line) => line.kind === kind).length;
  return {
    lines: lines.map(({ text }) => text),
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
  };
}

function nodeOf({ stream, doc, path = '' }: Compared): Place & { readonly path: NodePath } {
  const document = stream.documents[selectDocument(stream, doc)];
  if (document === undefined) throw new Error('the chosen document exists');
  const { node, path: found } = locateExisting(
    document,
    resolvePath({ stream, document }, path, false),
    'compare',
  );
  return { stream, document, view: WRITTEN, node, path: found };
}

/** Pairs documents by kind and name; those without either, in their order. Undefined stands for a document that only the other file has. */
function pairsOf(a: Stream, b: Stream): readonly (readonly [number | undefined, number | undefined])[] {
  const [names, others] = [named(a), named(b)];
  const pairs = names.map((name, doc) => {
    const other = others.indexOf(name);
    return [doc, other === -1 ? undefined : other] as const;
  });
  const only = others.flatMap((name, doc) => (names.includes(name) ? [] : [[undefined, doc] as const]));
  return [...pairs, ...only];
}

function named(stream: Stream): readonly string[] {
  let unnamed = 0;
  return documentNames(stream).map((name) => name ?? `${unnamed++}`);
}

function compareDocuments(
  a: Stream,
  one: number | undefined,
  b: Stream,
  other: number | undefined,
): readonly Line[] {
  const label = (stream: Stream, doc: number) => documentLabels(stream)[doc] ?? `doc ${doc}`;
  if (one === undefined)
    return other === undefined ? [] : [{ kind: 'added', text: `+ ${label(b, other)}: the whole document` }];
  if (other === undefined) return [{ kind: 'removed', text: `- ${label(a, one)}: the whole document` }];
  const place = (stream: Stream, doc: number) => nodeOf({ stream, doc });
  return linesOf(place(a, one), place(b, other), [], `${label(b, other)}  `);
}

function linesOf(a: Place, b: Place, path: NodePath, label: string): readonly Line[] {
  const found = new TreeDifference(a, b, { nameItems }).between(a.node, b.node);
  const nameOf = (difference: Difference) =>
    `${label}${printNodePath([...path, ...difference.path]) || '(root)'}`;
  return found.flatMap((difference): readonly Line[] => {
    const { op, old, next, at } = difference;
    if (op === 'order') {
      // The order of keys is no data.
      if (old?.kind !== 'sequence' || next?.kind !== 'sequence') return [];
      const text = `~ ${nameOf(difference)}: its items are in another order  (line ${b.stream.lines.at(at)})`;
      return [{ kind: 'changed', text }];
    }
    // Quotes and other spellings of the same value are no data.
    if (old !== undefined && next !== undefined && isSameValue(a, old, b, next)) return [];
    const text = textOf(difference, nameOf(difference), { a, b });
    return [{ kind: op === 'add' ? 'added' : op === 'remove' ? 'removed' : 'changed', text }];
  });
}

/** Returns the items' names: their "name" or "id", or their texts; undefined for an item without a name of its own. */
function nameItems(list: SequenceNode): readonly (string | undefined)[] {
  const texts = list.items.map(({ value }) => (value.kind === 'scalar' ? `text ${value.value}` : undefined));
  const isOfTexts = !texts.includes(undefined) && new Set(texts).size === texts.length;
  return isOfTexts ? texts : namesIn(list);
}

function textOf(
  { op, old, next, at }: Difference,
  where: string,
  { a, b }: { readonly a: Place; readonly b: Place },
): string {
  const line = (op === 'remove' ? a : b).stream.lines.at(at);
  const [from, to] = [
    old && shownAsText(a.stream, a.document, old),
    next && shownAsText(b.stream, b.document, next),
  ];
  if (from === undefined) return `+ ${where} = ${to}  (line ${line})`;
  if (to === undefined) return `- ${where} = ${from}  (line ${line})`;
  const [one, other] = [old && sliceOf(a.stream.text, old), next && sliceOf(b.stream.text, next)];
  const isAlike = from === to || (one?.includes('\n') && other?.includes('\n'));
  if (!isAlike || one === undefined || other === undefined)
    return `~ ${where}: ${from} → ${to}  (line ${line})`;
  const apart = shownApart(one, other);
  return `~ ${where}: ${apart.from} → ${apart.to}  (line ${line + apart.below})`;
}

function isSameValue(a: Place, old: SpanNode, b: Place, next: SpanNode): boolean {
  if (old.kind === 'scalar' && next.kind === 'scalar')
    return old.value === next.value && old.typedValue === next.typedValue;
  if (old.kind !== next.kind) return false;
  return shownValueText(a, old) === shownValueText(b, next);
}

/** Returns the value as text, or a symbol that equals nothing else if it has none. */
function shownValueText({ document }: Place, node: SpanNode): string | symbol {
  try {
    return JSON.stringify(toValue(document, node));
  } catch {
    return Symbol('no value');
  }
}
