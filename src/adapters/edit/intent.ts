// What a planner answers: which bytes change, and as a value what that means to do to the data of the file. The proof
// compares the meaning with what the edits did, so that a planner that gets its spans wrong is found out. Positions are
// those of the tree before the edit.

import type { Change, Edit, Limits } from '../../security/index.ts';
import type { Format } from '../tree/format.ts';
import type { Step } from '../tree/locate.ts';
import type { DocumentSpans, Stream } from '../tree/span-tree.ts';
import type { Fragment } from './fragment.ts';

export type Intent =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'replace';
      readonly at: Position;
      readonly value: NewData;
      /** What the new node has of the old one; `properties` are its anchor and its tag. */
      readonly keeps: 'nothing' | 'anchor' | 'properties';
    }
  | {
      readonly kind: 'insert';
      /** Of the collection. */
      readonly at: Position;
      /** Which part of the collection the new one is afterwards. */
      readonly index: number;
      readonly key: NewKey | 'item';
      readonly value: NewData;
    }
  | { readonly kind: 'remove'; readonly at: Position; readonly index: number }
  | { readonly kind: 'rename'; readonly at: Position; readonly index: number; readonly key: NewKey }
  | {
      readonly kind: 'add document';
      /** Which one it is afterwards. */
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
  /** Without quotes. */
  readonly isPlain: boolean;
}

/** A fragment as it arrived, within the collections of one part each that are made around it. */
export interface NewData {
  /** From the outside in; an `item` is that of a new list. */
  readonly around: readonly (NewKey | 'item')[];
  readonly fragment: Pick<Fragment, 'text' | 'node'> & {
    /** So many columns deeper its actions write, where they say how deep. */
    readonly deeperBy?: number;
  };
}

export const NO_CHANGE: Intent = { kind: 'nothing' };

/** Of the node that the steps lead to. */
export function positionOf(document: number, steps: readonly Step[]): Position {
  return { document, indexes: steps.map(({ index }) => index) };
}

export interface Plan {
  readonly edits: readonly Edit[];
  readonly intent: Intent;
  /** What no comparison of data can show: a comment that was set, changed or removed. */
  readonly commentChange?: Change;
}

/** For an operation whose result is there already. */
export const NO_EDITS: Plan = { edits: [], intent: NO_CHANGE };

/** The file as a planner sees it, with the document that the operation is about. */
export interface PlanContext {
  readonly stream: Stream;
  readonly documentIndex: number;
  readonly document: DocumentSpans;
  readonly format: Format;
  readonly limits: Limits;
}
