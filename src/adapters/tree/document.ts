// Documents: which one of a file is meant, by index or by what it holds; and one that was parsed, whose aliases are
// resolved when somebody asks, and once.
import { Refusal, visibleLine } from '../../security/index.ts';
import { scalarAt } from './locate.ts';
import { parseNodePath } from './node-path.ts';
import { type AliasTargets, type DocumentSpans, type SpanNode, type Stream, walk } from './span-tree.ts';

/** An index, negative from the end, or node paths with the scalars that must stand there. */
export type DocumentSelector = number | Readonly<Record<string, string | number | boolean | null>>;

/** Throws DOCUMENT_AMBIGUOUS where several documents are possible, NODE_NOT_FOUND where none is. */
export function selectDocument(stream: Stream, selector: DocumentSelector | undefined): number {
  const count = stream.documents.length;
  if (selector === undefined) {
    if (count === 1) return 0;
    throw ambiguous(stream, `Cannot choose a document: the file has ${count}, and "doc" is not given`);
  }
  if (typeof selector === 'number') {
    const index = selector < 0 ? count + selector : selector;
    if (stream.documents[index] !== undefined) return index;
    throw missing(stream, `Cannot choose document ${selector}: the file has ${count} (0 to ${count - 1})`);
  }
  const wanted = Object.entries(selector).map(([path, value]) => ({
    path: parseNodePath(path),
    value: String(value),
  }));
  const found = stream.documents.flatMap(({ root }, index) =>
    wanted.every(({ path, value }) => scalarAt(root, path) === value) ? [index] : [],
  );
  const [first, second] = found;
  if (first === undefined) throw missing(stream, 'Cannot choose a document: none matches all of "doc"');
  if (second !== undefined)
    throw ambiguous(stream, `Cannot choose a document: ${found.length} match "doc" (${found.join(', ')})`);
  return first;
}

/** One line for each document: its index and what tells it apart. */
export function describeDocuments(stream: Stream): string[] {
  return stream.documents.map(({ root }, index) => {
    const kind = scalarAt(root, parseNodePath('kind'));
    const name = scalarAt(root, parseNodePath('metadata.name'));
    const keys =
      root.kind === 'mapping'
        ? root.entries.slice(0, 4).flatMap(({ key }) => (key.kind === 'scalar' ? [key.value] : []))
        : [];
    const title =
      kind !== undefined
        ? [kind, name].filter((part) => part !== undefined).join(' ')
        : keys.length > 0
          ? `keys ${keys.join(', ')}`
          : root.kind;
    return `doc ${index}: ${visibleLine(title.slice(0, 80))}`;
  });
}

/** What a search calls each document: `Kind/name`, else `doc 1` where there are several. */
export function documentLabels({ documents }: Stream): readonly (string | undefined)[] {
  const labels = documents.map(({ root }) => {
    const kind = scalarAt(root, parseNodePath('kind'));
    const name = scalarAt(root, parseNodePath('metadata.name'));
    return kind === undefined || name === undefined ? undefined : visibleLine(`${kind}/${name}`.slice(0, 80));
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
  readonly tagHandles: ReadonlyMap<string, string>;
  readonly root: SpanNode;
  readonly #text: string;
  #aliasTargets: AliasTargets | undefined;

  constructor(text: string, { start, end, contentStart, contentEnd, tagHandles, root }: Spans) {
    this.#text = text;
    this.start = start;
    this.end = end;
    this.contentStart = contentStart;
    this.contentEnd = contentEnd;
    this.tagHandles = tagHandles;
    this.root = root;
  }

  get aliasTargets(): AliasTargets {
    // Most texts have no alias, and are not worth a walk.
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
