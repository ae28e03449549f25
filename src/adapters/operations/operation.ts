// The description of an operation of config_edit: its arguments, and how it is planned.

import type { Edit, FileOp, NodePath } from '../../security/index.ts';
import type { Copied, Cut } from '../edit/copied-part.ts';
import type { Plan, PlanContext } from '../edit/intent.ts';
import type { PartValue } from '../edit/part.ts';
import { type NewValue, typedIfCompact } from '../edit/read-value.ts';
import type { DocumentSelector } from '../tree/document.ts';
import type { Json } from '../tree/json.ts';
import type { Creates } from './missing.ts';

/** The arguments of all operations, by the names of the wire contract. */
export interface Arguments {
  /** A fragment, used as it is. */
  readonly value?: string | undefined;
  /** The same as a typed value. */
  readonly json?: Json | undefined;
  /** True if missing keys along the path are created. */
  readonly create?: boolean | undefined;
  /** True if only missing parts are written, and existing values stay. */
  readonly if_missing?: boolean | undefined;
  /** True if each item of the value is appended. */
  readonly each?: boolean | undefined;
  readonly index?: number | undefined;
  readonly key?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly new_key?: string | undefined;
  /** The comment, with or without `#`; '' removes it. */
  readonly comment?: string | undefined;
  readonly place?: 'before' | 'line_end' | undefined;
  /** True if the existing comment stays. */
  readonly keep?: boolean | undefined;
  /** The path of the collection that a part goes to, and its document. */
  readonly to?: string | undefined;
  readonly to_doc?: DocumentSelector | undefined;
  readonly to_file?: string | undefined;
  readonly old_text?: string | undefined;
  readonly new_text?: string | undefined;
  /** The whole text of a new file. */
  readonly content?: string | undefined;
}

/** The input of an operation: its arguments, or a part from another place instead of a value. */
export interface Given extends Arguments {
  readonly copied?: Copied;
  /** The part from another file; the operation's path is then its new place. */
  readonly cut?: Cut;
  /** For a text: true if all of its places are meant, which were counted. */
  readonly isEvery?: boolean;
}

export interface OperationKind {
  readonly name: string;
  /** Groups of arguments, of which exactly one each is needed. */
  readonly needs: readonly (readonly (keyof Arguments)[])[];
  readonly may: readonly (keyof Arguments)[];
  /** Not of an operation on documents. */
  readonly takesPath?: false;
  /** True if it is about the file at this path, so that no document needs to be chosen: it gets the first. */
  readonly isOfFile?: (path: readonly unknown[]) => boolean;
  /** Returns why its arguments cannot be combined. */
  readonly conflicts?: (given: Arguments) => readonly string[];
  /**
   * Plans the operation on the node at a path; undefined if it takes none. `given` has what it needs, and nothing that it
   * does not take. Throws the refusals of the path and the value.
   */
  readonly plan?: (context: PlanContext, path: NodePath, given: Given) => Plan;
  /** Returns the operations that it consists of, which are carried out one after the other; without any, `plan` is used. */
  readonly steps?: (context: PlanContext, path: NodePath, given: Given) => readonly Step[];
  /** Returns whole sentences that the caller should know before it is carried out. Throws as `steps` does. */
  readonly notes?: (context: PlanContext, path: NodePath, given: Given) => readonly string[];
  /** Set for an operation that creates or removes the file. */
  readonly fileOp?: FileOp;
  /** On the text of the whole file, where it is given no path; undefined if it needs one. */
  readonly planFile?: (text: string, given: Given) => readonly Edit[];
}

/** One step of an operation, on the same document unless `doc` names another. */
export interface Step extends Given {
  readonly op: 'set' | 'delete' | 'comment' | 'append' | 'insert' | 'add_document' | 'delete_document';
  readonly path: string;
  readonly doc?: number;
}

export const A_VALUE = ['value', 'json'] as const;

/** Without `create`, a missing key that can only be the collection itself is created, but none above it. */
export function createsOf({ create }: Arguments): Creates {
  return create === undefined ? 'last' : create ? 'all' : 'none';
}

export function partValue(context: PlanContext, { copied, ...given }: Given): PartValue {
  return copied === undefined ? typedIfCompact(context, newValue(given)) : { copied };
}

export function newValue({ value, json }: Arguments): NewValue {
  return value === undefined ? { json: json ?? null } : { source: value };
}
