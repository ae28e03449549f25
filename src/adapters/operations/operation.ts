// The description of an operation of config_edit: its arguments, and how it is planned.

import type { Edit, FileOp } from '../../security/edits/edit.ts';
import type { NodePath } from '../../security/node-paths/node-path.ts';
import type { Target } from '../edit/source.ts';
import type { Step, Value } from '../edit/step.ts';
import type { Cut } from '../edit/taken.ts';
import type { DocumentSelector } from '../tree/document.ts';
import type { Json } from '../tree/json.ts';
import type { Creates } from './missing.ts';

/** The arguments of all operations, by the names of the wire contract. */
export interface Arguments {
  /** A fragment of the format, written as it is. */
  readonly value?: string | undefined;
  /** A typed value instead of a fragment. */
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
  /** Groups of arguments; exactly one of each group is needed. */
  readonly needs: readonly (readonly (keyof Arguments)[])[];
  readonly may: readonly (keyof Arguments)[];
  /** Set for an operation on documents. */
  readonly takesPath?: false;
  /** True if at this path it concerns the whole file: it then gets the first document, and none has to be chosen. */
  readonly isOfFile?: (path: readonly unknown[]) => boolean;
  /** Returns why its arguments cannot be combined. */
  readonly conflicts?: (given: Arguments) => readonly string[];
  /**
   * Returns what the operation does to the data at a path; unset for an operation without a path. `given` was checked against
   * `needs` and `may`. Throws the refusals of the path and the value.
   */
  readonly steps?: (target: Target, path: NodePath, given: Given) => readonly Step[];
  /** Returns notes for the caller, as whole sentences, before it is carried out. Throws as `steps` does. */
  readonly notes?: (target: Target, path: NodePath, given: Given) => readonly string[];
  /** Set for an operation that creates or removes the file. */
  readonly fileOp?: FileOp;
  /** Plans the operation without a path, on the text of the whole file; unset if it needs a path. */
  readonly planFile?: (text: string, given: Given) => readonly Edit[];
}

export const A_VALUE = ['value', 'json'] as const;

/** By default only the collection itself may be created, not the keys above it. */
export function createsOf({ create }: Arguments): Creates {
  return create === undefined ? 'last' : create ? 'all' : 'none';
}

/**
 * Returns the value of a call. A JSON collection on one line shows nothing of the style that its file needs: it counts as a typed
 * value. It stays as text if it is not plain JSON, or has numbers or escapes that printing would change.
 */
export function sentValue({ format }: Pick<Target, 'format'>, { value: text, json }: Arguments): Value {
  if (text === undefined) return { json: json ?? null };
  const source = text.trim();
  // `[1, 2]` is good YAML, unlike JSON with quoted keys.
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
