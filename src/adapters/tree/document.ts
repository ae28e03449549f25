// Documents: choosing one of a file by its index, its contents, or the path that it has; and parsed documents, whose aliases are
// resolved once, when that is first needed.

import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import { quoted, visibleLine } from '../../security/text/visible.ts';
import { closest } from './closest.ts';
import { locate, scalarAt } from './locate.ts';
import { type Place, resolvePath } from './resolve-path.ts';
import { type AliasTargets, type DocumentSpans, type SpanNode, type Stream, walk } from './span-tree.ts';

/**
 * Selects a document: an index, negative from the end; `Kind/name`; or node paths with the scalars that must be there. A text
 * may also be an index, a kind or a name alone.
 */
export type DocumentSelector = number | string | Readonly<Record<string, string | number | boolean | null>>;

/** Returns the index of the document. Throws DOCUMENT_AMBIGUOUS where several are possible, NODE_NOT_FOUND where none is. */
export function selectDocument(stream: Stream, selector: DocumentSelector | undefined): number {
  const count = stream.documents.length;
  if (selector === undefined) {
    if (count === 1) return 0;
    throw ambiguous(stream, `Cannot choose a document: the file has ${count}, and "doc" is not given`);
  }
  const found = matchingDocuments(stream, selector);
  const [first, second] = found;
  if (first === undefined) throw noneMatches(stream, selector);
  if (second !== undefined)
    throw ambiguous(stream, `Cannot choose a document: ${found.length} match "doc" (${found.join(', ')})`);
  return first;
}

/** Returns all documents that are possible, in order. Throws NODE_PATH_INVALID for a bad node path. */
export function matchingDocuments(stream: Stream, selector: DocumentSelector): readonly number[] {
  const wanted = readSelector(selector);
  if (typeof wanted === 'string') return documentsNamed(stream, wanted);
  if (typeof wanted !== 'number') return documentsWith(stream, wanted);
  const index = wanted < 0 ? stream.documents.length + wanted : wanted;
  return stream.documents[index] === undefined ? [] : [index];
}

function noneMatches(stream: Stream, selector: DocumentSelector): Refusal {
  const wanted = readSelector(selector);
  const count = stream.documents.length;
  if (typeof wanted === 'number')
    return missing(stream, `Cannot choose document ${wanted}: the file has ${count} (0 to ${count - 1})`);
  const what = typeof wanted === 'string' ? quoted(wanted) : 'all of "doc"';
  return missing(stream, `Cannot choose a document: none matches ${what}${hintFor(stream, wanted)}`);
}

type Scalar = string | number | boolean | null;

type Fields = Readonly<Record<string, Scalar>>;

/** Reads digits as an index, also as lists of documents show it. */
function readSelector(selector: DocumentSelector): DocumentSelector {
  const [, index] = (typeof selector === 'string' && /^\s*(?:doc )?(-?[0-9]{1,9})\s*$/.exec(selector)) || [];
  return index === undefined ? selector : Number(index);
}

/**
 * Finds documents by `Kind/name`, or by either alone; `*` stands for any. It then tries another case, and then the labels of a
 * search, which cut long names.
 */
function documentsNamed(stream: Stream, text: string): readonly number[] {
  const names = stream.documents.map(({ root }) => namesOf(root));
  const find = (wanted: string, fold: (name: string) => string): number[] =>
    names.flatMap(({ kind, name }, index) => {
      const slash = wanted.indexOf('/');
      const isOne = (part: string, own: string) => part === '*' || part === fold(own);
      const isMeant =
        slash === -1
          ? isOne(wanted, kind) || isOne(wanted, name)
          : isOne(wanted.slice(0, slash), kind) && isOne(wanted.slice(slash + 1), name);
      return isMeant ? [index] : [];
    });
  const exact = find(text, (name) => name);
  const found = exact.length > 0 ? exact : find(text.toLowerCase(), (name) => name.toLowerCase());
  return found.length > 0
    ? found
    : documentLabels(stream).flatMap((label, index) => (label === text ? [index] : []));
}

function namesOf(root: SpanNode): { readonly kind: string; readonly name: string } {
  const name = scalarAt(root, ['metadata', 'name']) ?? scalarAt(root, ['name']) ?? '';
  return { kind: scalarAt(root, ['kind']) ?? '', name };
}

function documentsWith(stream: Stream, fields: Fields): readonly number[] {
  return stream.documents.flatMap((document, index) =>
    Object.entries(fields).every(([path, value]) => fieldAt({ stream, document }, path) === String(value))
      ? [index]
      : [],
  );
}

/** Reads a field; `name` is short for `metadata.name` where the document has no name of its own. */
function fieldAt(place: Place, text: string): string | undefined {
  const path = unlessRefused(() => resolvePath(place, text, false), LEADS_NOWHERE);
  if (path === undefined) return undefined;
  const { root } = place.document;
  return scalarAt(root, path) ?? (path.length === 1 ? scalarAt(root, ['metadata', ...path]) : undefined);
}

const LEADS_NOWHERE = [
  'NODE_NOT_FOUND',
  'NODE_AMBIGUOUS',
  'DUPLICATE_KEY',
  'ALIAS_CROSSED',
  'TYPE_MISMATCH',
] as const;

function hintFor(stream: Stream, wanted: string | Fields): string {
  if (typeof wanted === 'string') {
    const titles = stream.documents.map(({ root }) => titleOf(root));
    const near = closest(wanted, titles)[0];
    return near === undefined ? '' : `. Nearest: ${visibleLine(near)}`;
  }
  const absent = Object.keys(wanted).find((path) =>
    stream.documents.every((document) => fieldAt({ stream, document }, path) === undefined),
  );
  return absent === undefined
    ? ''
    : `: no document has a value at ${visibleLine(absent.slice(0, MAX_TITLE))}`;
}

/** Returns one line for each document: its index and what tells it apart. */
export function describeDocuments(stream: Stream): string[] {
  return stream.documents.map(({ root }, index) => {
    return `doc ${index}: ${visibleLine(titleOf(root).slice(0, MAX_TITLE))}`;
  });
}

const MAX_TITLE = 80;

/** Returns `Kind/name`, which "doc" accepts; without a kind, the document's first keys. */
function titleOf(root: SpanNode): string {
  const { kind, name } = namesOf(root);
  if (kind !== '') return name === '' ? kind : `${kind}/${name}`;
  const keys =
    root.kind === 'mapping'
      ? root.entries.slice(0, 4).flatMap(({ key }) => (key.kind === 'scalar' ? [key.value] : []))
      : [];
  return keys.length > 0 ? `keys ${keys.join(', ')}` : root.kind;
}

/** Returns the label of each document in a search: `Kind/name`, or `doc 1` where there are several. */
export function documentLabels({ documents }: Stream): readonly (string | undefined)[] {
  const labels = documents.map(({ root }) => {
    const { kind, name } = namesOf(root);
    return kind === '' || name === '' ? undefined : visibleLine(titleOf(root).slice(0, MAX_TITLE));
  });
  return labels.map((label, doc) => {
    const isClear = label !== undefined && labels.indexOf(label) === labels.lastIndexOf(label);
    return isClear ? label : documents.length > 1 ? `doc ${doc}` : undefined;
  });
}

function ambiguous(stream: Stream, message: string): Refusal {
  return new Refusal('DOCUMENT_AMBIGUOUS', message, {}, { documents: describeDocuments(stream) });
}

function missing(stream: Stream, message: string): Refusal {
  return new Refusal('NODE_NOT_FOUND', message, {}, { documents: describeDocuments(stream) });
}

type Spans = Omit<DocumentSpans, 'aliasTargets'>;

export class ParsedDocument implements DocumentSpans {
  readonly start: number;
  readonly end: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly root: SpanNode;
  readonly #text: string;
  #aliasTargets: AliasTargets | undefined;

  constructor(text: string, { start, end, contentStart, contentEnd, root }: Spans) {
    this.#text = text;
    this.start = start;
    this.end = end;
    this.contentStart = contentStart;
    this.contentEnd = contentEnd;
    this.root = root;
  }

  get aliasTargets(): AliasTargets {
    // Most texts have no alias, and need no walk.
    this.#aliasTargets ??= this.#text.includes('*') ? findTargets(this.root) : new Map();
    return this.#aliasTargets;
  }
}

function findTargets(root: SpanNode): AliasTargets {
  const anchors = new Map<string, SpanNode>();
  const targets = new Map<SpanNode, SpanNode>();
  for (const node of walk(root)) {
    const target = node.kind === 'alias' ? anchors.get(node.name) : undefined;
    if (target !== undefined) targets.set(node, target);
    if (node.properties?.anchor !== undefined) anchors.set(node.properties.anchor.name, node);
  }
  return targets;
}

/** Returns the index; without a selector, that of the one document which has the path. Throws as `selectDocument` does. */
export function chooseDocument(stream: Stream, selector: DocumentSelector | undefined, path: string): number {
  try {
    return selectDocument(stream, selector);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'DOCUMENT_AMBIGUOUS' || path === '') throw error;
    const possible =
      selector === undefined ? [...stream.documents.keys()] : matchingDocuments(stream, selector);
    const holding = possible.filter((doc) => mayHold(stream, doc, path));
    const [only, second] = holding;
    if (only !== undefined && second === undefined) return only;
    // New nodes go into the document that has the most of the path.
    const inDocuments = named(stream, holding.length > 0 ? holding : deepest(stream, possible, path));
    throw error.hinting({ inDocuments });
  }
}

const MOST_NAMED = 4;

/** True if the path exists there, or if it is unclear whether it does, as through an alias or a repeated key. */
function mayHold(stream: Stream, doc: number, path: string): boolean {
  try {
    return missingIn(stream, doc, path)?.missing === 0;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** Returns the documents that hold the most keys of the path, and at least one. */
function deepest(stream: Stream, possible: readonly number[], path: string): readonly number[] {
  const reached = possible.map((doc) => unlessRefused(() => missingIn(stream, doc, path))?.found ?? 0);
  const most = Math.max(1, ...reached);
  return possible.filter((_, at) => reached[at] === most);
}

/** Returns the documents as "doc" takes them; none if there are too many to choose from. */
function named(stream: Stream, documents: readonly number[]): readonly (string | number)[] {
  if (documents.length > MOST_NAMED) return [];
  const labels = documentLabels(stream);
  return documents.map((doc) => {
    const label = labels[doc];
    const isClear =
      label !== undefined &&
      label !== `doc ${doc}` &&
      String(matchingDocuments(stream, label)) === String(doc);
    return isClear ? label : doc;
  });
}

const IS_NOT_THERE = ['NODE_NOT_FOUND', 'TYPE_MISMATCH'] as const;

/** Returns how many steps of the path exist, and how many do not; undefined if it certainly leads nowhere. Throws what is unclear. */
function missingIn(stream: Stream, doc: number, path: string) {
  const document = stream.documents[doc];
  if (document === undefined) return undefined;
  return unlessRefused(() => {
    const { path: found, missing } = locate(document, resolvePath({ stream, document }, path, false));
    return { found: found.length, missing: missing.length };
  }, IS_NOT_THERE);
}
