// What an operation does to the data, as steps. A step has no text positions: a layout writes it, and the proof compares the data.
import type { NodePath } from '../../security/node-paths/node-path.ts';
import type { Json } from '../tree/json.ts';
import type { Source } from './source.ts';

/** A value that a call sends, or that was taken from a file. */
export type Value = { readonly json: Json } | { readonly text: string } | { readonly taken: Source };

/** One change of the data. `doc` is set if it is in another document than the operation's. */
export type Step = { readonly doc?: number | undefined } & (
  | { readonly do: 'replace'; readonly path: NodePath; readonly value: Value }
  | Insert
  | Remove
  | { readonly do: 'rename'; readonly path: NodePath; readonly key: string }
  | CommentStep
  | { readonly do: 'replace text'; readonly path: NodePath; readonly old: string; readonly next: string }
  | { readonly do: 'add document'; readonly index: number; readonly value: Value }
  | { readonly do: 'remove document' }
);

/** Adds a part to the collection at `path`; a null there becomes a collection. */
export interface Insert {
  readonly do: 'insert';
  readonly path: NodePath;
  /** The key of the new entry; undefined for an item. */
  readonly key?: string | undefined;
  readonly value: Value;
  /** Its index; undefined for the usual place. */
  readonly index?: number | undefined;
  /** True if it goes directly after the part before it, not directly before the next one. */
  readonly isClose?: boolean;
}

export interface Remove {
  readonly do: 'remove';
  readonly path: NodePath;
  /** Set for a part that moves: the words of the comments that go with it, and no others. */
  readonly comments?: readonly string[] | undefined;
}

export interface CommentStep {
  readonly do: 'comment';
  readonly path: NodePath;
  /** With or without marks; '' removes the comment. */
  readonly comment: string;
  readonly place: 'before' | 'line_end';
  /** True if the existing comment stays. */
  readonly keep: boolean;
}
