// The span tree: where each node of a file stands in its source text, and nothing else. Planners see
// only this tree and the text, never a parser's objects, so that any parser can build it.
//
// All offsets are UTF-16 units of the source text; `end` is exclusive.
import type { Action, Branch, Surroundings } from './actions.ts';
import { isBlank, type LineIndex, lineStart } from './lines.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Anchor and tag of a node. `start`…`end` covers both with what stands between them. */
export interface Properties extends Span {
  readonly anchor: (Span & { readonly name: string }) | undefined;
  readonly tag: Span | undefined;
}

interface NodeBase extends Span {
  /** Of a block collection of a template: with the lines of actions that belong to it. */
  readonly around?: Surroundings | undefined;
  /** Before the node, not within `start`…`end`. */
  readonly properties: Properties | undefined;
}

export type ScalarStyle = 'empty' | 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** An `empty` scalar (an implicit null) is zero wide and stands right after its indicator or properties. */
export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  /** Decoded and unfolded, before any schema: `1.10` is '1.10'. Empty scalars give ''. */
  readonly value: string;
  /** The value under the schema of the format; a number that JSON cannot hold comes as its source text. */
  readonly typedValue: string | number | boolean | null;
  /** Of a template: whether actions write all of it. */
  readonly isWritten?: boolean;
  /** Of block scalars only. `end` is then the last content byte: see `BlockHeader`. */
  readonly block: BlockHeader | undefined;
}

/**
 * `header` is `|`, `>` and their indicators. The body starts after the header's line break.
 * A scalar that strips or clips ends before the line break of its last line; one that keeps ends after it.
 */
export interface BlockHeader {
  readonly header: Span;
  readonly chomp: 'strip' | 'clip' | 'keep';
  readonly bodyStart: number;
  /** Where the parser's body ends: after the last line break that could belong to the scalar. */
  readonly bodyEnd: number;
  /** The columns that the body must be indented beyond: those of its parent. */
  readonly parentColumn: number;
  /** The column at which the content stands, where actions stand to the left of it. */
  readonly column?: number;
}

export interface AliasNode extends NodeBase {
  readonly kind: 'alias';
  readonly name: string;
}

/** One pair. `start` is the `?`, the key's properties or the key; `end` the last content byte. */
export interface Entry extends Span {
  readonly key: SpanNode;
  readonly value: SpanNode;
  /** The key as node paths name it: see `keyText`. */
  readonly name: string | undefined;
  readonly explicitKey: number | undefined;
  /** The `:`; undefined for a bare key. */
  readonly colon: number | undefined;
  /** Of a template: in which it stands. */
  readonly branch?: Branch | undefined;
}

/** Of style `sections`: what stands in several places of the text, between parts of others. */
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
  /** Where a flow collection has a comma after its last entry. */
  readonly trailingComma: number | undefined;
}

/** One item. `start` is the dash in a block sequence, else the node's first byte. */
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
  /** Prefixes of tags that this document declares, by handle: `!` and `!!` included where redefined. */
  readonly tagHandles: ReadonlyMap<string, string>;
  /** After the `---` marker, or where the document's content may begin. */
  readonly contentStart: number;
  /** Where the content ends at the latest: before `...`, the next `---` or the end of the text. */
  readonly contentEnd: number;
  readonly root: SpanNode;
  readonly aliasTargets: AliasTargets;
}

/** Of each alias, the last node before it that has its anchor; one without an anchor has no target. */
export type AliasTargets = ReadonlyMap<SpanNode, SpanNode>;

/** A whole file: its text, its documents (at least one, which may be empty) and its comments in order. */
export interface Stream {
  readonly text: string;
  readonly lines: LineIndex;
  readonly documents: readonly DocumentSpans[];
  readonly comments: readonly Span[];
  /** Of a template, in order. */
  readonly actions?: readonly Action[];
  /** Of a template: literal text that stands in no node and no comment, such as a block with its text on one line. */
  readonly unseen?: readonly Span[];
  /** Of YAML: where lines within quotes begin that are not indented, which the standard asks for and most readers do not. */
  readonly unindented?: readonly number[];
  /** False for plain text, whose one node is all of it. */
  readonly hasStructure?: boolean;
  /** Where there is no file at all. */
  readonly isAbsent?: boolean;
}

/** Where the node begins with its properties. */
export function outerStart(node: SpanNode): number {
  return node.properties?.start ?? node.start;
}

export function isEmpty(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.style === 'empty';
}

/** Whether only actions of a template write it, so that nobody knows what it is. */
export function isWritten(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.isWritten === true;
}

/** Nothing at all, or the word for it. */
export function isNull(node: SpanNode): boolean {
  return isEmpty(node) || (node.kind === 'scalar' && node.style === 'plain' && node.typedValue === null);
}

/** What a collection can grow from: nothing, or what actions write, beside which other parts may stand. */
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

/** In brackets or braces. */
export function isFlowCollection(node: SpanNode): node is Collection & { readonly style: 'flow' } {
  return isCollection(node) && node.style === 'flow';
}

/** Its parts stand on lines of their own, and in no brackets. */
export function standsOnLines(node: SpanNode): node is Collection {
  return isCollection(node) && (node.style === 'block' || node.style === 'sections');
}

/** In several places of the text; no slice from its start to its end is its own. */
export function isSectional(node: SpanNode): node is Collection & { readonly style: 'sections' } {
  return isCollection(node) && node.style === 'sections';
}

export function partsOf(node: Collection): readonly (Entry | Item)[] {
  return node.kind === 'mapping' ? node.entries : node.items;
}

/** The node and all below it, in source order. */
export function* walk(root: SpanNode): Generator<SpanNode> {
  // Not by recursion: each level of generators would pass every node of the levels below it on.
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
 * A block collection begins at the line start of its first entry, so that its indentation is even. What stands in several
 * places is shown as they stand, one below the other.
 */
export function sliceOf(text: string, node: SpanNode): string {
  if (isCollection(node) && node.pieces !== undefined)
    return node.pieces.map(({ start, end }) => text.slice(start, end)).join('\n\n');
  const { start, end } = sliceSpan(text, node);
  return text.slice(start, end);
}

/** Of what does not stand in several places. */
export function sliceSpan(text: string, node: SpanNode): Span {
  return { start: sliceStart(text, node), end: Math.max(node.end, node.around?.end ?? 0) };
}

/** The anchor and the tag of a node as they are written; '' where it has none. */
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

/** The column at which the content stands; undefined where no line has any. */
export function contentIndent(text: string, block: BlockHeader): number | undefined {
  if (block.column !== undefined) return block.column;
  const digit = /[1-9]/.exec(text.slice(block.header.start, block.header.end));
  if (digit !== null) return block.parentColumn + Number(digit[0]);
  const firstContent = /^( *)[^ \r\n]/m.exec(text.slice(block.bodyStart, block.bodyEnd));
  return firstContent?.[1]?.length;
}
