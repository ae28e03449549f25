// A change of one file as data, found by comparing both of its versions, whatever any planner meant to do: what `judge`
// decides on. Who understands the format computes it; nothing here knows one.
import type { ChangeOp, Json } from './change-policy.ts';

/** Keys and indexes, as the data has them. */
export type DataPath = readonly (string | number)[];

/** A value, `none` where nothing stands, or `unclear` where readers could take it differently, or it is too large to tell. */
export type Found = { readonly value: Json } | 'none' | 'unclear';

export interface DocumentData {
  /** Aliases and merges followed. */
  readonly at: (path: DataPath) => Found;
  /** The names of the keys of a mapping, and of those that merges bring; none where no mapping stands. */
  readonly keysAt: (path: DataPath) => readonly string[];
  /** How many items a list has; undefined where no list stands, or nobody can tell. */
  readonly lengthAt: (path: DataPath) => number | undefined;
}

/** A document before and after; undefined where it is new or gone. */
export interface DocumentVersions {
  readonly before: DocumentData | undefined;
  readonly after: DocumentData | undefined;
}

export interface LeafChange {
  readonly op: ChangeOp;
  /** Of `documents`; undefined for what is about the whole file. */
  readonly doc: number | undefined;
  readonly path: DataPath;
  /**
   * Lists on the path, by the length of the path that leads to each, whose items come or go: what stands behind has another
   * index than before.
   */
  readonly shifting?: readonly number[];
  /**
   * How it differs, or what it means, cannot be said for sure: it counts as each kind of change, at its path and anywhere
   * below, and its values meet no constraint.
   */
  readonly isVague?: boolean;
  /** What stands at its path is known, and what may stand below is not: an action of a template writes it. */
  readonly isOpen?: boolean;
  /** It may make its document, or bring documents, of whatever kind rules find them by, at its path or below. */
  readonly isOfAnyDocument?: boolean;
}

export interface FileFacts {
  readonly documents: readonly DocumentVersions[];
  readonly changes: readonly LeafChange[];
  /** Of a file in a format with keys that cannot be read: any of its data may change. */
  readonly isUnreadable?: boolean;
}
