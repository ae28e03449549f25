// Defines what a planner answers: the bytes that change, and what that means for the data. The proof compares both, and so
// finds a planner with wrong spans. Positions are those before the edit.

import type { Change, Edit, Limits } from '../../security/index.ts';
import type { Format } from '../tree/format.ts';
import type { Step } from '../tree/locate.ts';
import { type DocumentSpans, isCollection, partsOf, type SpanNode, type Stream } from '../tree/span-tree.ts';
import type { Fragment } from './fragment.ts';

export type Intent =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'replace';
      readonly at: Position;
      readonly value: NewData;
      /** The parts of the old node that the new one keeps; `properties` are its anchor and its tag. */
      readonly keeps: 'nothing' | 'anchor' | 'properties';
    }
  | {
      readonly kind: 'insert';
      /** The position of the collection. */
      readonly at: Position;
      /** The index of the new part in the collection after the edit. */
      readonly index: number;
      readonly key: NewKey | 'item';
      readonly value: NewData;
    }
  | {
      readonly kind: 'remove';
      readonly at: Position;
      readonly index: number;
      /** The lines of the comments that go with a part to its new place: these, and no others. */
      readonly taken?: readonly string[] | undefined;
    }
  | { readonly kind: 'rename'; readonly at: Position; readonly index: number; readonly key: NewKey }
  | {
      readonly kind: 'add document';
      /** The index of the document after the edit. */
      readonly index: number;
      readonly value: NewData;
    }
  | { readonly kind: 'remove document'; readonly index: number };

/** A node by the document and the indexes of the parts that lead to it from the root. */
export interface Position {
  readonly document: number;
  readonly indexes: readonly number[];
}

/** A key that is written anew, without a tag and without an anchor. */
export interface NewKey {
  readonly text: string;
  /** Whether it is written without quotes. */
  readonly isPlain: boolean;
}

/** A fragment as it arrived, within the collections of one part each that are made around it. */
export interface NewData {
  /** The keys around the value, from the outside in; an `item` stands for an item of a new list. */
  readonly around: readonly (NewKey | 'item')[];
  readonly fragment: Pick<Fragment, 'text' | 'node' | 'given' | 'asked'> & {
    /** The number of columns by which its actions write deeper, where they say how deep. */
    readonly deeperBy?: number;
  };
}

export const NO_CHANGE: Intent = { kind: 'nothing' };

export function insertAt(offset: number, insert: string): Edit {
  return { start: offset, end: offset, insert };
}

/** Returns the position of the node at the end of the steps. */
export function positionOf(document: number, steps: readonly Step[]): Position {
  return { document, indexes: steps.map(({ index }) => index) };
}

/** Returns the node; undefined if nothing is at the position. */
export function nodeAtPosition({ documents }: Stream, { document, indexes }: Position): SpanNode | undefined {
  return indexes.reduce<SpanNode | undefined>(
    (node, index) => (node !== undefined && isCollection(node) ? partsOf(node)[index]?.value : undefined),
    documents[document]?.root,
  );
}

export interface Plan {
  readonly edits: readonly Edit[];
  readonly intent: Intent;
  /** The comment that was set, changed or removed, which a comparison of data cannot show. */
  readonly commentChange?: Change;
}

/** The plan of an operation whose result is already in the file. */
export const NO_EDITS: Plan = { edits: [], intent: NO_CHANGE };

/** The file as a planner sees it, with the document that the operation is about. */
export interface PlanContext {
  readonly stream: Stream;
  readonly documentIndex: number;
  readonly document: DocumentSpans;
  readonly format: Format;
  readonly limits: Limits;
}
