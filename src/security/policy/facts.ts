// A change of one file as data, on which `judge` decides. It is found by comparing both versions of the file, whatever a
// planner meant to do. The format's adapter computes it; nothing here knows a format.
import type { DataPath } from '../node-paths/node-path.ts';
import type { ChangeOp, Json } from './change-policy.ts';

/** A value, `none` where there is nothing, or `unclear` where readers may differ or the value is too large. */
export type Found = { readonly value: Json } | 'none' | 'unclear';

export interface DocumentData {
  /** Reads the value at a path; aliases and merges are followed. */
  readonly at: (path: DataPath) => Found;
  /** The keys of a mapping, merged ones included; none if there is no mapping. */
  readonly keysAt: (path: DataPath) => readonly string[];
  /** The length of a list; undefined if there is no list, or the length is unknown. */
  readonly lengthAt: (path: DataPath) => number | undefined;
}

/** A document before and after; undefined if it is new or removed. */
export interface DocumentVersions {
  readonly before: DocumentData | undefined;
  readonly after: DocumentData | undefined;
}

export interface LeafChange {
  readonly op: ChangeOp;
  /** The index in `documents`; undefined for a change of the whole file. */
  readonly doc: number | undefined;
  readonly path: DataPath;
  /** The lists on the path whose items come or go, each given by the length of the path to it. Later items get another index. */
  readonly shifting?: readonly number[];
  /**
   * True if it is not certain how it differs or what it means. It then counts as each kind of change, at its path and
   * anywhere below, and its values meet no constraint.
   */
  readonly isVague?: boolean;
  /** True if an action of a template writes the value: what is at the path is known, but not what may be below it. */
  readonly isOpen?: boolean;
  /** True if it may create documents that any rule could match, at its path or below. */
  readonly isOfAnyDocument?: boolean;
}

export interface FileFacts {
  readonly documents: readonly DocumentVersions[];
  readonly changes: readonly LeafChange[];
  /** True for a file with keys that cannot be read: any of its data may change. */
  readonly isUnreadable?: boolean;
}
