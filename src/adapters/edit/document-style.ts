// Reads how a document is written, once for each document, for values that have no neighbour to follow: its indentation, quotes,
// blanks, commas and nulls.
import type { Format, KeyQuotes } from '../tree/format.ts';
import type { Json } from '../tree/json.ts';
import {
  type Collection,
  type DocumentSpans,
  isBlockCollection,
  isCollection,
  isFlowCollection,
  partsOf,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import { type IndentStyle, indentStyleOf } from './indent-style.ts';
import { blanksBeforeColon, isMultiline, isTight, padWithin, tabsAt } from './neighbour-style.ts';

export interface DocumentStyle extends IndentStyle {
  /** The quotes that most quoted texts have. */
  readonly quotes: KeyQuotes['style'];
  /** Whether most nulls are left empty. */
  readonly areNullsEmpty: boolean;
  /** Whether short lists of scalars usually stand on one line. */
  readonly areListsOnOneLine: boolean;
  /** Whether each collection with parts on lines of their own has a comma after its last one, and there is one. */
  readonly areLastCommasUsual: boolean;
  /** Whether YAML is written as JSON: in brackets, each text and each key in double quotes. */
  readonly isLikeJson: boolean;
  /** Whether the lines of its brackets are indented by tabs. */
  readonly isTabbed: boolean;
  /** The blanks behind commas and colons in brackets, and before colons. */
  readonly gap: string;
  readonly beforeColon: string;
  /** The blanks within the brackets of the first collection of a kind that stands on one line. */
  readonly pads: { readonly [Kind in Collection['kind']]?: string };
}

/** The style of a document that shows none. */
export const USUAL_STYLE: DocumentStyle = {
  unit: 2,
  indentSequences: true,
  quotes: 'double',
  areNullsEmpty: false,
  areListsOnOneLine: false,
  areLastCommasUsual: false,
  isLikeJson: false,
  isTabbed: false,
  gap: ' ',
  beforeColon: '',
  pads: {},
};

/** The number of nodes that are enough to tell how a document is written. */
const ENOUGH = 1_000;
const known = new WeakMap<DocumentSpans, DocumentStyle>();

export function styleOf(text: string, document: DocumentSpans): DocumentStyle {
  const style = known.get(document) ?? {
    ...indentStyleOf(text, document),
    ...readStyle(text, document.root),
  };
  known.set(document, style);
  return style;
}

/** The blanks within new one-line brackets. */
export function padFor({ pads }: DocumentStyle, kind: Collection['kind'], { layout }: Format): string {
  return pads[kind] ?? (layout === 'sections' && kind === 'mapping' ? ' ' : '');
}

function readStyle(text: string, root: SpanNode): Omit<DocumentStyle, keyof IndentStyle> {
  const nodes: SpanNode[] = [];
  for (const node of walk(root)) if (nodes.push(node) > ENOUGH) break;
  const scalars = nodes.filter((node) => node.kind === 'scalar');
  const full = nodes.filter((node): node is Collection => isCollection(node) && partsOf(node).length > 0);
  const quoted = scalars.filter(({ style }) => style === 'single' || style === 'double');
  const nulls = scalars.filter(({ typedValue }) => typedValue === null);
  const spread = full.filter((node) => isMultiline(text, node) === true);
  const short = full
    .filter(isOfWords)
    .map((node) => text.slice(node.start, node.end))
    .filter(isShort);
  const first = isCollection(root) ? partsOf(root)[0] : undefined;
  const mapping = full.find((node) => node.kind === 'mapping');
  return {
    quotes: isMost(quoted, ({ style }) => style === 'single') ? 'single' : 'double',
    areNullsEmpty: isMost(nulls, ({ style }) => style === 'empty'),
    areListsOnOneLine: isMost(short, (source) => !source.includes('\n')),
    areLastCommasUsual: spread.length > 0 && spread.every(({ trailingComma }) => trailingComma !== undefined),
    isLikeJson:
      isFlowCollection(root) &&
      first !== undefined &&
      scalars.every(({ style, typedValue }) => style === 'double' || typeof typedValue !== 'string'),
    isTabbed: first !== undefined && tabsAt(text, first.start) !== '',
    gap: isBlockCollection(root) ? ' ' : gapIn(text, full),
    beforeColon:
      mapping === undefined || mapping.style === 'sections' ? '' : blanksBeforeColon(text, mapping, 0, 0),
    pads: Object.fromEntries(
      full
        .filter((node) => isMultiline(text, node) === false)
        .reverse()
        .map((node) => [node.kind, padWithin(text, node)]),
    ),
  };
}

function isMost<T>(all: readonly T[], is: (one: T) => boolean): boolean {
  return all.filter(is).length * 2 > all.length;
}

/** The greatest length of a list that fits on a line with its key. */
const SHORT_CHARS = 60;

/** Whether the value is a list of scalars that is short enough for one line. */
export function isShortList(value: Json): boolean {
  if (!Array.isArray(value) || JSON.stringify(value).length > SHORT_CHARS) return false;
  return value.every((item) => typeof item !== 'object' || item === null);
}

function isOfWords(node: SpanNode): boolean {
  return node.kind === 'sequence' && node.items.every(({ value }) => value.kind === 'scalar');
}

function isShort(source: string): boolean {
  return !source.includes('\n') || source.replaceAll(/\s+/g, ' ').length <= SHORT_CHARS;
}

/** The blanks behind commas and colons, as the first of them in brackets has them. */
function gapIn(text: string, collections: readonly Collection[]): string {
  for (const node of collections) {
    const entry = node.kind === 'mapping' ? node.entries[0] : undefined;
    if (entry !== undefined) return isTight(entry) ? '' : ' ';
    const [first, second] = node.kind === 'sequence' ? node.items.slice(0, 2) : [];
    const gap = first && second && /^,( *)\S/.exec(text.slice(first.end, second.start + 1))?.[1];
    if (gap !== undefined) return gap;
  }
  return ' ';
}
