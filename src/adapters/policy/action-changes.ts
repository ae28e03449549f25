// Finds the differences in template actions outside of the data, or in comments, where they are executed as well. Which branch is taken,
// and what they write, is unknown here, so a change of one may be a change of any data.
import type { LeafChange } from '../../security/policy/facts.ts';
import type { DocumentDifferences } from '../compare/find-changes.ts';
import { lexActions } from '../formats/template/lex-actions.ts';
import { type Action, depthOf, saidDepth } from '../tree/actions.ts';
import { namesIn } from '../tree/item-names.ts';
import { segmentOf } from '../tree/keys.ts';
import { columnOf, firstFrom, lineStart } from '../tree/lines.ts';
import {
  type DocumentSpans,
  isCollection,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
  walk,
} from '../tree/span-tree.ts';
import { lastFrom, partsDown } from './parts-down.ts';
import { bringsUnconfined } from './unconfined-actions.ts';

const OF_ANY_DATA: LeafChange = { op: 'replace', doc: undefined, path: [], isVague: true };
const OF_COMMENT: LeafChange = { op: 'comment', doc: undefined, path: [] };

export function actionChanges(
  before: Stream,
  after: Stream,
  documents: readonly DocumentDifferences[],
): readonly LeafChange[] {
  if (bringsUnconfined(before, after)) return [{ ...OF_ANY_DATA, isOfAnyDocument: true }];
  const [old, next] = [actionsBeside(before), actionsBeside(after)];
  if (old.length === 0 && next.length === 0) return [];
  // A document has the index of its new version; undefined if it is gone.
  const indexes = new Map(
    documents.map((pair) => [pair.old, pair.next && after.documents.indexOf(pair.next)]),
  );
  const sameAs = (doc: number) => (doc === -1 ? undefined : indexes.get(before.documents[doc]));
  if (
    !isSame(
      meanings(before, old, sameAs),
      meanings(after, next, (doc) => doc),
    )
  )
    return [bringsDocument(before, after, next) ? { ...OF_ANY_DATA, isOfAnyDocument: true } : OF_ANY_DATA];
  if (hasMoved(before, after)) return [OF_ANY_DATA];
  return isSame(texts(before, old), texts(after, next)) ? [] : [OF_COMMENT];
}

/** Adds the actions within values of a file that YAML can read as it is. */
export function withActions(stream: Stream): Stream {
  if (stream.actions !== undefined || !BRACES.test(stream.text)) return stream;
  const lexed = lexActions(stream.text);
  if ('message' in lexed) return stream;
  return { ...stream, actions: lexed.lexemes.map((action) => ({ ...action, isHidden: false })) };
}

/** It also matches `${{ … }}`, which is an action after a dollar to Helm. */
const BRACES = /\{[{%#]/;

type Beside = Span & Partial<Pick<Action, 'kind'>>;

/** Returns the actions outside of the data, and comments with actions: a file that is valid YAML has no other list of its actions. */
function actionsBeside({ text, actions = [], comments, documents }: Stream): readonly Beside[] {
  const inData = new Set<Action>();
  for (const { root } of documents)
    for (const node of actions.length === 0 ? [] : walk(root))
      if (node.kind === 'scalar')
        for (let at = firstFrom(actions, node.start); (actions[at]?.start ?? node.end) < node.end; at++) {
          const action = actions[at];
          if (action !== undefined && !action.isHidden) inData.add(action);
        }
  return [
    ...actions.filter((action) => !inData.has(action)),
    ...comments.filter(({ start, end }) => BRACES.test(text.slice(start, end))),
  ];
}

/** Returns the meaning of each action. A comment means nothing, except for the blanks that it removes. */
function meanings(
  { text, documents }: Stream,
  beside: readonly Beside[],
  nameOf: (doc: number) => number | undefined,
): readonly string[] {
  const known: KnownNames = new Map();
  return beside.flatMap(({ start, end, kind = 'output' }) => {
    const source = text.slice(start, end);
    const comment = COMMENT.exec(source);
    if (comment !== null) return isSilent(source) ? [] : [`${comment[1]} ${comment[2]}`];
    if (kind !== 'output') return [source];
    // The lines that an action writes get their meaning from their indentation, and from what is above them.
    const doc = documents.findIndex((document) => start < document.end);
    const root = documents.at(doc)?.root;
    const place =
      root === undefined ? '' : placeAt(text, root, start, depthOfLines(text, { start, end }), known).path;
    return [`${nameOf(doc)} ${columnOf(text, start)} ${source}${place}`];
  });
}

/** A new action at the beginning of a line writes whole documents where it pleases. */
function bringsDocument({ text: before }: Stream, { text }: Stream, beside: readonly Beside[]): boolean {
  return beside.some(({ start, end, kind }) => {
    const isNew = !before.includes(text.slice(start, end));
    return isNew && (kind === undefined || kind === 'output') && depthOf(text, { start, end }) === 0;
  });
}

const COMMENT = /^\{\{(- )?\/\*.*\*\/( -)?\}\}$/su;

function isSilent(source: string): boolean {
  return /^\{\{\/\*.*\*\/\}\}$/su.test(source);
}

function texts({ text }: Stream, beside: readonly Span[]): readonly string[] {
  return beside.map(({ start, end }) => text.slice(start, end));
}

/** True if a node in both versions follows another number of actions, so that it is in another branch. */
function hasMoved(before: Stream, after: Stream): boolean {
  const [old, next] = [actionsAbove(before), actionsAbove(after)];
  return [...next].some(([path, counts]) => old.has(path) && old.get(path) !== counts);
}

function actionsAbove({ text, documents, actions = [] }: Stream): ReadonlyMap<string, string> {
  const beside = actions.filter(({ isHidden, start, end }) => isHidden && !isSilent(text.slice(start, end)));
  const found = new Map<string, string>();
  const visit = (node: SpanNode, path: string): void => {
    if (!isCollection(node)) return;
    for (const [index, part] of partsOf(node).entries()) {
      const place = `${path}\n${segmentOf(text, part, index)}`;
      found.set(place, `${found.get(place) ?? ''} ${firstFrom(beside, part.start)}`);
      visit(part.value, place);
    }
  };
  if (beside.length > 0) for (const [doc, { root }] of documents.entries()) visit(root, String(doc));
  return found;
}

function isSame(old: readonly string[], next: readonly string[]): boolean {
  return old.length === next.length && old.every((text, at) => text === next[at]);
}

/** Where an action outside of the data writes. Keys that are added or removed above it move what it writes. */
interface Place {
  /** An item by its name, where it has one. */
  readonly path: string;
  /** The nodes from the root down; it writes into the last one, or into any of them where the depth of its lines is unknown. */
  readonly nodes: readonly SpanNode[];
}

/** The names of items that were computed already, by their list. */
type KnownNames = Map<SpanNode, ReturnType<typeof namesIn>>;

/** Returns the place of an action at `offset` whose lines have this depth. */
function placeAt(
  text: string,
  root: SpanNode,
  offset: number,
  depth: number | undefined,
  known: KnownNames,
): Place {
  const nodes = [root];
  let path = '';
  for (const { node, index, part } of partsDown(root, (collection) => lastFrom(collection, offset))) {
    if (depth === undefined ? !isCollection(part.value) : columnOf(text, part.start) >= depth) break;
    const names = known.get(node) ?? namesIn(node);
    known.set(node, names);
    path += `\n${names[index] ?? segmentOf(text, part, index)}`;
    nodes.push(part.value);
  }
  return { path, nodes };
}

/** Returns the depth that its `indent` gives, or its column where it is alone on its line; undefined if its lines may have any depth. */
function depthOfLines(text: string, { start, end }: Pick<Action, 'start' | 'end'>): number | undefined {
  const said = saidDepth(text, { start, end });
  const indent = text.slice(lineStart(text, start), start);
  if (said !== undefined || indent === '' || /[^ \t]/.test(indent) || text[start + 2] === '-') return said;
  return indent.length;
}

/** Returns all nodes of a document below which an action writes that the tree does not see. */
export function nodesWrittenInto(
  { text, documents, actions = [] }: Stream,
  document: DocumentSpans,
): ReadonlySet<SpanNode> {
  const found = new Set<SpanNode>();
  const known: KnownNames = new Map();
  if (actions.length === 0) return found;
  const { root, end } = document;
  const start = documents[documents.indexOf(document) - 1]?.end ?? 0;
  for (let at = firstFrom(actions, start); at < actions.length; at++) {
    const action = actions[at];
    if (action === undefined || action.start >= end) break;
    if (!action.isHidden || action.kind !== 'output') continue;
    const depth = depthOfLines(text, action);
    const { nodes } = placeAt(text, root, action.start, depth, known);
    for (const node of depth === undefined ? nodes : nodes.slice(-1)) found.add(node);
  }
  return found;
}
