// The span tree: where each node of a file is in its source text, and nothing else. Planners see only this tree and the text,
// never a parser's objects, so that any parser can build it.
//
// All offsets are UTF-16 units of the source text; `end` is exclusive.
import type { Action, Branch, Surroundings } from './actions.ts';
import { isBlank, type LineIndex, lineStart } from './lines.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The anchor and tag of a node. `start`…`end` covers both with what is between them. */
export interface Properties extends Span {
  readonly anchor: (Span & { readonly name: string }) | undefined;
  readonly tag: Span | undefined;
}

interface NodeBase extends Span {
  /** For a value on lines of a template: its span with the lines of actions that belong to it. */
  readonly around?: Surroundings | undefined;
  /** The properties, which are before the node, and not within `start`…`end`. */
  readonly properties: Properties | undefined;
}

export type ScalarStyle = 'empty' | 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** An `empty` scalar (an implicit null) is zero wide and stands right after its indicator or properties. */
export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  /** The text, decoded and unfolded, before any schema: `1.10` is '1.10'. Empty scalars give ''. */
  readonly value: string;
  /** The value under the schema of the format; a number that JavaScript cannot hold exactly comes as its source text. */
  readonly typedValue: string | number | boolean | null;
  /** In a template: true if actions write all of it, false if they write a part. */
  readonly isWritten?: boolean;
  /** Set for block scalars only. `end` is then the end of its content: see `BlockHeader`. */
  readonly block: BlockHeader | undefined;
}

/**
 * The header of a block scalar: `|`, `>` and their indicators. The body starts after the header's line break. A scalar that
 * strips or clips ends before the line break of its last line; one that keeps ends after it.
 */
export interface BlockHeader {
  readonly header: Span;
  readonly chomp: 'strip' | 'clip' | 'keep';
  readonly bodyStart: number;
  /** The end of the body for the parser: after the last line break that could belong to the scalar. */
  readonly bodyEnd: number;
  /** The column of the parent, beyond which the body must be indented. */
  readonly parentColumn: number;
  /** The column at which the content stands, where actions stand to the left of it. */
  readonly column?: number;
}

export interface AliasNode extends NodeBase {
  readonly kind: 'alias';
  readonly name: string;
}

/** One pair. `start` is the key's properties or the key; `end` is the end of the content. */
export interface Entry extends Span {
  readonly key: SpanNode;
  readonly value: SpanNode;
  /** The key as node paths name it: see `keyText`. */
  readonly name: string | undefined;
  /** The `:`; undefined for a bare key. */
  readonly colon: number | undefined;
  /** In a template: the branch around it. */
  readonly branch?: Branch | undefined;
}

/** The parts of a node of style `sections`, which is in several places of the text, between parts of others. */
interface InSections {
  /** The text that is its own, in order: runs of whole statements. */
  readonly pieces?: readonly Span[];
  /** The line in brackets that names it, where it has one. */
  readonly header?: Span | undefined;
}

/** `block`: `start` is the first entry. `flow`: from `{` to `}`. `pair`: a lone `a: b` within `[ ]`. */
export interface MappingNode extends NodeBase, InSections {
  readonly kind: 'mapping';
  readonly style: 'block' | 'flow' | 'pair' | 'sections';
  readonly entries: readonly Entry[];
  /** The offset of the comma after the last entry of a flow collection, if there is one. */
  readonly trailingComma: number | undefined;
}

/** One item. `start` is the dash in a block sequence, and else that of the node. */
export interface Item extends Span {
  readonly value: SpanNode;
}

export interface SequenceNode extends NodeBase, InSections {
  readonly kind: 'sequence';
  readonly style: 'block' | 'flow' | 'sections';
  readonly items: readonly Item[];
  readonly trailingComma: number | undefined;
}

export type SpanNode = ScalarNode | AliasNode | Collection;

export interface DocumentSpans extends Span {
  /** The offset after the `---` marker, or where the document's content may begin. */
  readonly contentStart: number;
  /** The last possible end of the content: before `...`, the next `---` or the end of the text. */
  readonly contentEnd: number;
  readonly root: SpanNode;
  readonly aliasTargets: AliasTargets;
}

/** For each alias, the last node before it that has its anchor; an alias without one has no target. */
export type AliasTargets = ReadonlyMap<SpanNode, SpanNode>;

/** A whole file: its text, its documents (at least one, which may be empty) and its comments in order. */
export interface Stream {
  readonly text: string;
  readonly lines: LineIndex;
  readonly documents: readonly DocumentSpans[];
  readonly comments: readonly Span[];
  /** The actions of a template, in order. */
  readonly actions?: readonly Action[];
  /** In a template: literal text in no node and no comment, such as a block with its text on one line. */
  readonly unseen?: readonly Span[];
  /** In YAML: the starts of lines within quotes that are not indented, although the standard asks for indentation; most readers accept them. */
  readonly unindented?: readonly number[];
  /** False for plain text, whose one node is all of it. */
  readonly hasStructure?: boolean;
  /** True if there is no file at all. */
  readonly isAbsent?: boolean;
}

/** True if the document begins with a marker of its own (`---`). */
export function isMarked(text: string, { contentStart }: Pick<DocumentSpans, 'contentStart'>): boolean {
  return text.endsWith('---', contentStart);
}

/** Returns the start of the node with its properties. */
export function outerStart(node: SpanNode): number {
  return node.properties?.start ?? node.start;
}

export function isEmpty(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.style === 'empty';
}

/** True if only actions of a template write it, so that its value is unknown. */
export function isWritten(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.isWritten === true;
}

/** True for an empty value, or the word for null. */
export function isNull(node: SpanNode): boolean {
  return isEmpty(node) || (node.kind === 'scalar' && node.style === 'plain' && node.typedValue === null);
}

/** True if a collection can replace it: for null, or for what actions write, to which parts can be added. */
export function canGrow(node: SpanNode): boolean {
  return isNull(node) || isWritten(node);
}

export type Collection = MappingNode | SequenceNode;

export function isCollection(node: SpanNode): node is Collection {
  return node.kind === 'mapping' || node.kind === 'sequence';
}

export function isBlockCollection(node: SpanNode): node is Collection & { readonly style: 'block' } {
  return isCollection(node) && node.style === 'block';
}

/** True for a collection in brackets or braces. */
export function isFlowCollection(node: SpanNode): node is Collection & { readonly style: 'flow' } {
  return isCollection(node) && node.style === 'flow';
}

/** True for a collection whose parts are on lines of their own, and not in brackets. */
export function standsOnLines(node: SpanNode): node is Collection {
  return isCollection(node) && (node.style === 'block' || node.style === 'sections');
}

/** True for a collection in several places of the text; no slice from its start to its end belongs to it alone. */
export function isSectional(node: SpanNode): node is Collection & { readonly style: 'sections' } {
  return isCollection(node) && node.style === 'sections';
}

export function partsOf(node: Collection): readonly (Entry | Item)[] {
  return node.kind === 'mapping' ? node.entries : node.items;
}

/** Yields the node and all below it, in source order. */
export function* walk(root: SpanNode): Generator<SpanNode> {
  // There is no recursion, because each level of generators would pass on every node of the levels below it.
  const ahead = [root];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    yield node;
    const first = ahead.length;
    if (node.kind === 'mapping') for (const { key, value } of node.entries) ahead.push(key, value);
    else if (node.kind === 'sequence') for (const { value } of node.items) ahead.push(value);
    else continue;
    reverseFrom(ahead, first);
  }
}

function reverseFrom(nodes: SpanNode[], first: number): void {
  for (let low = first, high = nodes.length - 1; low < high; low++, high--) {
    const [a, b] = [nodes[low], nodes[high]];
    if (a === undefined || b === undefined) return;
    nodes[low] = b;
    nodes[high] = a;
  }
}

/**
 * Returns the source of a node; that of a block collection begins at the line start of its first entry, so that its indentation
 * is even. Pieces in several places come one below the other.
 */
export function sliceOf(text: string, node: SpanNode): string {
  if (isCollection(node) && node.pieces !== undefined)
    return node.pieces.map(({ start, end }) => text.slice(start, end)).join('\n\n');
  const { start, end } = sliceSpan(text, node);
  return text.slice(start, end);
}

/** Returns the span of a node that is in one place only. */
export function sliceSpan(text: string, node: SpanNode): Span {
  return { start: sliceStart(text, node), end: Math.max(node.end, node.around?.end ?? 0) };
}

/** Returns the anchor and the tag of a node as they are written; '' where it has none. */
export function propertiesText(text: string, { properties }: SpanNode): string {
  return properties === undefined ? '' : text.slice(properties.start, properties.end);
}

function sliceStart(text: string, node: SpanNode): number {
  if (node.properties !== undefined) return node.properties.start;
  if (!isBlockCollection(node)) return node.start;
  const first = Math.min(node.start, node.around?.start ?? node.start);
  const start = lineStart(text, first);
  return isBlank(text, start, first) ? start : first;
}

/** Returns the column at which the content stands; undefined if no line has any. */
export function contentIndent(text: string, block: BlockHeader): number | undefined {
  if (block.column !== undefined) return block.column;
  const digit = /[1-9]/.exec(text.slice(block.header.start, block.header.end));
  if (digit !== null) return block.parentColumn + Number(digit[0]);
  const firstContent = /^( *)[^ \r\n]/m.exec(text.slice(block.bodyStart, block.bodyEnd));
  return firstContent?.[1]?.length;
}
