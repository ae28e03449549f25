// What a format does whose collections stand in several places of the text: how parts come and go there. Everything about
// single lines of it; what it means for the data, the caller says and the proof checks.
import type { Edit } from '../../security/index.ts';
import type { Located } from './locate.ts';
import type { Span, SpanNode, Stream } from './span-tree.ts';

export interface Sections {
  /** A node in sections as a fragment: without the headers and keys that lead to it, with its comments. */
  readonly source: (text: string, node: SpanNode) => string;
  /** A table as it stands in braces, without its comments. */
  readonly inline: (text: string, node: SpanNode) => string;
  /** A new part of the node that was located. */
  readonly insert: (stream: Stream, located: Located, part: SectionPart) => readonly Edit[];
  /** Another value for the node that was located. */
  readonly replace: (stream: Stream, located: Located, value: SectionValue) => readonly Edit[];
  /** Without the node that was located, and what it holds. */
  readonly remove: (stream: Stream, located: Located) => readonly Edit[];
  /** Every place where the key of the node that was located is written. */
  readonly keys: (located: Located) => readonly Span[];
}

export interface SectionValue {
  /** What stands there afterwards, and the text that it is of. */
  readonly node: SpanNode;
  readonly text: string;
  /** Behind it, where it is one line. */
  readonly trailingComment: string;
  /** Whether it was given as data, so that its layout is free. */
  readonly isTyped: boolean;
}

export interface SectionPart extends SectionValue {
  /** The keys down to the value as they are written, from the outside in. */
  readonly keys: readonly string[];
  /** Whether the value is an item: of the list itself where there are no keys, else of a new list. */
  readonly isItem: boolean;
  /** Which part of the collection it becomes, and whether it stands close behind the one before. */
  readonly index: number;
  readonly isClose: boolean;
  /** Those above it. */
  readonly comments: readonly string[];
  /** The one behind its header, where it gets one; '' for none. */
  readonly behindHeader: string;
}
