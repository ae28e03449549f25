// The style of a document, for values without neighbours to follow: every property is a vote among samples.
import { columnOf, lineStart } from '../tree/lines.ts';
import {
  type Collection,
  type DocumentSpans,
  isBlockCollection,
  isCollection,
  isEmpty,
  isFlowCollection,
  partsOf,
  type ScalarNode,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import { colonGap, gapOf, isSpread, padOf } from './neighbours.ts';

export interface Style {
  /** The columns of one level. */
  readonly unit: number;
  /** True if lists are not indented below their key. */
  readonly areListsBeside: boolean;
  readonly quotes: 'single' | 'double';
  readonly isNullEmpty: boolean;
  readonly isTabbed: boolean;
  /** The blanks after commas and colons in brackets, and the padding of brackets on one line. */
  readonly gap: string;
  readonly pads: Readonly<Partial<Record<Collection['kind'], string>>>;
  readonly hasLastComma: boolean;
  readonly areListsShort: boolean;
  readonly isLikeJson: boolean;
  readonly beforeColon: string;
}

/** The number of nodes that are sampled. */
const ENOUGH = 1_000;
/** The maximum length of a list on one line with its key. */
export const SHORT = 60;
const known = new WeakMap<DocumentSpans, Style>();

/** Returns the value with the most votes, the first of equals. */
export function vote<T>(votes: Iterable<T | undefined>): T | undefined {
  const counts = new Map<T, number>();
  for (const one of votes) if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  let best: T | undefined;
  for (const [one, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = one;
  return best;
}

function isMost(votes: readonly boolean[]): boolean {
  return votes.filter((one) => one).length * 2 > votes.length;
}

export function styleOf(text: string, document: DocumentSpans): Style {
  const found = known.get(document) ?? new DocumentStyle(text, document.root);
  known.set(document, found);
  return found;
}

/** Computes each property on first use: most edits need none, because neighbours show what they need. */
class DocumentStyle implements Style {
  readonly #text: string;
  readonly #root: SpanNode;
  #read: Samples | undefined;
  #unit: number | undefined;
  #areListsBeside: boolean | undefined;
  #quotes: 'single' | 'double' | undefined;
  #isNullEmpty: boolean | undefined;
  #gap: string | undefined;
  #pads: Style['pads'] | undefined;
  #hasLastComma: boolean | undefined;
  #areListsShort: boolean | undefined;
  #isLikeJson: boolean | undefined;
  #beforeColon: string | undefined;

  constructor(text: string, root: SpanNode) {
    this.#text = text;
    this.#root = root;
  }

  get #samples(): Samples {
    this.#read ??= samplesOf(this.#text, this.#root);
    return this.#read;
  }

  get isTabbed(): boolean {
    const { start = 0 } = (isCollection(this.#root) ? partsOf(this.#root)[0] : undefined) ?? {};
    return /^[ \t]*\t/.test(this.#text.slice(lineStart(this.#text, start), start));
  }

  get unit(): number {
    this.#unit ??= unitOf(this.#samples.below);
    return this.#unit;
  }

  get areListsBeside(): boolean {
    this.#areListsBeside ??= this.#readLists();
    return this.#areListsBeside;
  }

  get quotes(): 'single' | 'double' {
    this.#quotes ??= this.#readQuotes();
    return this.#quotes;
  }

  get isNullEmpty(): boolean {
    this.#isNullEmpty ??= isMost(
      this.#samples.scalars.filter((node) => node.typedValue === null).map(isEmpty),
    );
    return this.#isNullEmpty;
  }

  get gap(): string {
    this.#gap ??= this.#readGap();
    return this.#gap;
  }

  get pads(): Style['pads'] {
    this.#pads ??= this.#readPads();
    return this.#pads;
  }

  get hasLastComma(): boolean {
    this.#hasLastComma ??= this.#readLastComma();
    return this.#hasLastComma;
  }

  get areListsShort(): boolean {
    this.#areListsShort ??= this.#readShortLists();
    return this.#areListsShort;
  }

  get isLikeJson(): boolean {
    this.#isLikeJson ??= this.#readJson();
    return this.#isLikeJson;
  }

  get beforeColon(): string {
    this.#beforeColon ??= this.#readColon();
    return this.#beforeColon;
  }

  #readLists(): boolean {
    const lists = this.#samples.below.filter(({ kind }) => kind === 'sequence');
    return isMost(lists.length === 0 ? otherLists(this.#text) : lists.map(({ columns }) => columns <= 0));
  }

  #readQuotes(): 'single' | 'double' {
    const quoted = this.#samples.scalars.filter(({ style }) => style === 'single' || style === 'double');
    return isMost(quoted.map(({ style }) => style === 'single')) ? 'single' : 'double';
  }

  #readGap(): string {
    const { full } = this.#samples;
    const gaps = isBlockCollection(this.#root) ? [] : full.map((node) => gapOf(this.#text, node));
    return gaps.find((gap) => gap !== undefined) ?? ' ';
  }

  #readPads(): Style['pads'] {
    const { full } = this.#samples;
    const onLine = full.filter((node) => isFlowCollection(node) && !isSpread(this.#text, node));
    return Object.fromEntries(onLine.reverse().map((node) => [node.kind, padOf(this.#text, node)]));
  }

  #readLastComma(): boolean {
    const spread = this.#samples.full.filter((node) => isSpread(this.#text, node));
    return spread.length > 0 && spread.every(({ trailingComma }) => trailingComma !== undefined);
  }

  #readShortLists(): boolean {
    const isOfScalars = (node: Collection) =>
      node.kind === 'sequence' && node.items.every(({ value }) => value.kind === 'scalar');
    const short = this.#samples.full
      .filter(isOfScalars)
      .map(({ start, end }) => this.#text.slice(start, end))
      .filter((source) => !source.includes('\n') || source.replaceAll(/\s+/g, ' ').length <= SHORT);
    return isMost(short.map((source) => !source.includes('\n')));
  }

  #readJson(): boolean {
    if (!isFlowCollection(this.#root) || partsOf(this.#root).length === 0) return false;
    return this.#samples.scalars.every(
      ({ style, typedValue }) => style === 'double' || typeof typedValue !== 'string',
    );
  }

  #readColon(): string {
    const mapping = this.#samples.full.find((node) => node.kind === 'mapping' && node.style !== 'sections');
    return mapping === undefined ? '' : colonGap(this.#text, mapping, 0, 0);
  }
}

interface Indent {
  readonly kind: Collection['kind'];
  /** The columns by which a collection is to the right of its key. */
  readonly columns: number;
}

interface Samples {
  readonly scalars: readonly ScalarNode[];
  /** Collections with parts. */
  readonly full: readonly Collection[];
  readonly below: readonly Indent[];
}

function samplesOf(text: string, root: SpanNode): Samples {
  const nodes: SpanNode[] = [];
  for (const node of walk(root)) if (nodes.push(node) > ENOUGH) break;
  const full = nodes.filter((node): node is Collection => isCollection(node) && partsOf(node).length > 0);
  const below = full
    .flatMap((node) => (node.kind === 'mapping' && node.style === 'block' ? node.entries : []))
    .filter(({ start, value }) => isBlockCollection(value) && text.slice(start, value.start).includes('\n'))
    .map(({ start, value }): Indent[] =>
      isCollection(value)
        ? [{ kind: value.kind, columns: columnOf(text, value.start) - columnOf(text, start) }]
        : [],
    );
  return { scalars: nodes.filter((node) => node.kind === 'scalar'), full, below: below.flat() };
}

function unitOf(below: readonly Indent[]): number {
  const votes = below.flatMap(({ kind, columns }) =>
    kind === 'mapping' ? [columns, columns] : columns > 1 ? [columns] : [],
  );
  return vote(votes.sort((a, b) => a - b)) ?? 2;
}

/** Returns for each list below a key near the start of the file whether it is unindented; for a document without such lists. */
function otherLists(text: string): boolean[] {
  const lists = text.slice(0, 20_000).matchAll(/^( *)[^\s#-].*:\r?\n( *)- /gm);
  return [...lists].flatMap(([, key = '', dash = '']) => (dash.length < key.length ? [] : [dash === key]));
}
