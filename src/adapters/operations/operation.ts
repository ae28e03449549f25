// The description of an operation of config_edit: its arguments, and how it is planned.

import type { Edit, FileOp, NodePath } from '../../security/index.ts';
import type { Target } from '../edit/source.ts';
import type { Step, Value } from '../edit/step.ts';
import type { Cut } from '../edit/taken.ts';
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

/** The input of an operation. */
export interface Given extends Arguments {
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
   * Returns what the operation on the node at a path does to the data; undefined if it takes none. `given` has what it needs, and
   * nothing that it does not take. Throws the refusals of the path and the value.
   */
  readonly steps?: (target: Target, path: NodePath, given: Given) => readonly Step[];
  /** Returns whole sentences that the caller should know before it is carried out. Throws as `steps` does. */
  readonly notes?: (target: Target, path: NodePath, given: Given) => readonly string[];
  /** Set for an operation that creates or removes the file. */
  readonly fileOp?: FileOp;
  /** On the text of the whole file, where it is given no path; undefined if it needs one. */
  readonly planFile?: (text: string, given: Given) => readonly Edit[];
}

export const A_VALUE = ['value', 'json'] as const;

/** Without `create`, a missing key that can only be the collection itself is created, but none above it. */
export function createsOf({ create }: Arguments): Creates {
  return create === undefined ? 'last' : create ? 'all' : 'none';
}

/**
 * Returns the value of a call. A collection of JSON on one line says nothing of how its file has them: it is laid out as a typed
 * value. One that is no plain JSON, or has numbers or escapes in words of its own, stays as it is.
 */
export function sentValue({ format }: Pick<Target, 'format'>, { value: text, json }: Arguments): Value {
  if (text === undefined) return { json: json ?? null };
  const source = text.trim();
  // In YAML `[1, 2]` is as good a source as any; nobody writes quotes around keys there.
  const isBare = format.layout === 'block' && !source.includes('"');
  if (format.layout === 'sections' || !/^[[{]/.test(source) || source.includes('\n') || isBare)
    return { text };
  try {
    const data: Json = JSON.parse(source);
    return JSON.stringify(data) === source.replaceAll(STRING_OR_BLANKS, '$1') ? { json: data } : { text };
  } catch {
    return { text };
  }
}

const STRING_OR_BLANKS = /("(?:[^"\\]|\\.)*")|[ \t\r]+/g;
