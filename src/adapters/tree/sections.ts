// The operations of a format whose collections are in several places of the text: how parts come and go there. They only know
// lines; the caller states the effect on the data, and the proof checks it.
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
  /** Returns the edits that replace the value of the located node. */
  readonly replace: (stream: Stream, located: Located, value: SectionValue) => readonly Edit[];
  /** Returns the edits that remove the located node, with what it holds; if it moves, also with comments that else would stay. */
  readonly remove: (stream: Stream, located: Located, isMoving: boolean) => readonly Edit[];
  /** Returns every place where the key of the located node is written. */
  readonly keys: (located: Located) => readonly Span[];
}

export interface SectionValue {
  /** The new value, and the text that holds it. */
  readonly node: SpanNode;
  readonly text: string;
  /** The comment after it, where it is one line. */
  readonly trailingComment: string;
  /** True if it was given as data, so that its layout is free. */
  readonly isTyped: boolean;
}

export interface SectionPart extends SectionValue {
  /** The keys down to the value as they are written, from the outside in. */
  readonly keys: readonly string[];
  /** True if the value is an item: of the list itself where there are no keys, or else of a new list. */
  readonly isItem: boolean;
  /** True for a table that dotted keys made in its old place. */
  readonly isDotted: boolean;
  /** The index in the collection that it gets, and whether it is close after the part before. */
  readonly index: number;
  readonly isClose: boolean;
  /** The comments above it. */
  readonly comments: readonly string[];
  /** The one behind its header, where it gets one; '' for none. */
  readonly behindHeader: string;
}
