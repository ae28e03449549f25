// What an operation of config_edit is: the arguments that it takes, and how it is planned.

import type { Edit, FileOp } from '../../security/index.ts';
import type { Copied, Cut } from '../edit/copied-part.ts';
import type { Plan, PlanContext } from '../edit/intent.ts';
import type { PartValue } from '../edit/part.ts';
import { type NewValue, typedIfCompact } from '../edit/read-value.ts';
import type { DocumentSelector } from '../tree/document.ts';
import type { Json } from '../tree/json.ts';
import type { NodePath } from '../tree/node-path.ts';
import type { Creates } from './missing.ts';

/** Of all operations, by the names of the wire contract. */
export interface Arguments {
  /** A fragment, used as it is. */
  readonly value?: string | undefined;
  /** The same as a typed value. */
  readonly json?: Json | undefined;
  /** Whether missing keys along the path are created. */
  readonly create?: boolean | undefined;
  /** Whether only what is missing is written, and what stands there stays. */
  readonly if_missing?: boolean | undefined;
  readonly index?: number | undefined;
  readonly key?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly new_key?: string | undefined;
  /** With or without `#`; '' removes. */
  readonly comment?: string | undefined;
  readonly place?: 'before' | 'line_end' | undefined;
  /** Whether the comment that is there stays. */
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

/** What an operation is given: its arguments, or in place of a value a part that stands elsewhere. */
export interface Given extends Arguments {
  readonly copied?: Copied;
  /** What came from another file; its path is then where it goes. */
  readonly cut?: Cut;
  /** Of a text: whether all of its places are meant, which were counted. */
  readonly isEvery?: boolean;
}

export interface OperationKind {
  readonly name: string;
  /** Exactly one argument of each group. */
  readonly needs: readonly (readonly (keyof Arguments)[])[];
  readonly may: readonly (keyof Arguments)[];
  /** Not of an operation on documents. */
  readonly takesPath?: false;
  /** Whether it is about the file at this path, so that no document needs to be chosen: it is given the first. */
  readonly isOfFile?: (path: readonly unknown[]) => boolean;
  /** Why arguments that it takes do not go together. */
  readonly conflicts?: (given: Arguments) => readonly string[];
  /**
   * On the node at a path; undefined where it takes none. `given`: what it needs, and nothing that it does not take. Throws
   * the refusals of the path and the value.
   */
  readonly plan?: (context: PlanContext, path: NodePath, given: Given) => Plan;
  /** Of an operation that comes down to others, which are carried out one after the other; by `plan` where there are none. */
  readonly steps?: (context: PlanContext, path: NodePath, given: Given) => readonly Step[];
  /** What the caller should know of it, before it is carried out; whole sentences. Throws as `steps`. */
  readonly notes?: (context: PlanContext, path: NodePath, given: Given) => readonly string[];
  /** Of an operation by which the file comes to be, or is no more. */
  readonly fileOp?: FileOp;
  /** On the text of the whole file, where it is given no path; undefined where it needs one. */
  readonly planFile?: (text: string, given: Given) => readonly Edit[];
}

/** On the same document unless it says otherwise. */
export interface Step extends Given {
  readonly op: 'set' | 'delete' | 'comment' | 'append' | 'insert' | 'add_document' | 'delete_document';
  readonly path: string;
  readonly doc?: number;
}

export const A_VALUE = ['value', 'json'] as const;

/** Without `create`, a missing key that can only be the collection itself is created, and none above it. */
export function createsOf({ create }: Arguments): Creates {
  return create === undefined ? 'last' : create ? 'all' : 'none';
}

export function partValue(context: PlanContext, { copied, ...given }: Given): PartValue {
  return copied === undefined ? typedIfCompact(context, newValue(given)) : { copied };
}

export function newValue({ value, json }: Arguments): NewValue {
  return value === undefined ? { json: json ?? null } : { source: value };
}
