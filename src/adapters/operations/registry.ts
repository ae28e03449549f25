// The operations of the wire contract, in its order, and the arguments that each takes. An operation is a file and a line here.
import type { FileOp } from '../../security/edits/edit.ts';
import type { DocumentSelector } from '../tree/document.ts';
import { comment } from './comment.ts';
import { remove } from './delete.ts';
import { addDocument, deleteDocument } from './documents.ts';
import { createFile, deleteFile } from './files.ts';
import { append, insert } from './insert.ts';
import { merge } from './merge.ts';
import type { Arguments, Given, OperationKind } from './operation.ts';
import { rename } from './rename.ts';
import { replaceText } from './replace-text.ts';
import { set } from './set.ts';
import { copy, move } from './transfer.ts';

const OPERATIONS = [
  set,
  merge,
  remove,
  append,
  insert,
  rename,
  comment,
  move,
  copy,
  addDocument,
  deleteDocument,
  replaceText,
  createFile,
  deleteFile,
] as const;

export type OperationName = (typeof OPERATIONS)[number]['name'];

export const OPERATION_NAMES: readonly OperationName[] = OPERATIONS.map(({ name }) => name);

export function operationNamed(name: OperationName): OperationKind {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation is named ${name}`);
  return found;
}

/** Lists the arguments of all operations that have any; operations with the same arguments are listed together. */
export function describeOperations(): string {
  const byFields = new Map<string, string[]>();
  for (const { name, needs, may } of OPERATIONS) {
    const fields = [...needs.map((group) => group.join('|')), ...may].join(', ');
    if (fields !== '') byFields.set(fields, [...(byFields.get(fields) ?? []), name]);
  }
  return [...byFields].map(([fields, names]) => `${names.join(', ')}: ${fields}`).join('; ');
}

/** Returns the arguments that are missing, or have no meaning for the operation. */
export function argumentErrors(name: OperationName, given: Arguments, path?: unknown): readonly string[] {
  const operation = operationNamed(name);
  const names = Object.entries(given).flatMap(([argument, value]) => (value === undefined ? [] : [argument]));
  const known: readonly string[] = fieldsOf(operation);
  // A whole document needs no parent, and a part next to another one keeps its own. A missing path is reported separately.
  const isDocument = path === '' && given.to_file !== undefined;
  const isPlaced = ['key', 'index', 'before', 'after'].some((argument) => names.includes(argument));
  const isToOptional = isDocument || path === undefined || (given.to_file === undefined && isPlaced);
  return [
    ...operation.needs
      .filter((group) => !(isToOptional && group.some((argument) => argument === 'to')))
      .filter((group) => group.filter((argument) => names.includes(argument)).length !== 1)
      .map((group) =>
        group.length > 1
          ? `${name} takes exactly one of ${group.join(' and ')}`
          : `${name} needs ${group.join('')}${group.includes('to') ? ', or a place in its parent: index, before, after or key' : ''}`,
      ),
    ...names
      .filter((argument) => !known.includes(argument))
      .map((argument) => `${name} takes no ${argument}`),
    ...(operation.conflicts?.(given) ?? []),
  ];
}

/** Returns why an operation cannot have this path, or no path; undefined if it can. */
export function pathError(name: OperationName, path: string | undefined): string | undefined {
  const { steps, planFile, takesPath } = operationNamed(name);
  if (path === undefined)
    return planFile === undefined && takesPath !== false
      ? 'expected a string; a file without keys takes replace_text'
      : undefined;
  // An empty path names the whole file, too.
  return (steps === undefined || takesPath === false) && path !== '' ? `${name} takes no path` : undefined;
}

/** Returns the conditions on nodes that were given for an operation on a whole file: none may be ignored silently. */
export function conditionErrors(
  name: OperationName,
  { path = '', doc, from }: { readonly path?: unknown; readonly doc?: unknown; readonly from?: unknown },
): readonly string[] {
  const { planFile, takesPath, isOfFile } = operationNamed(name);
  const isOnFile = planFile !== undefined && path === '';
  const isDocTaken = !isOnFile && (takesPath !== false || isOfFile === undefined);
  return [
    ...(doc === undefined || isDocTaken ? [] : ['doc']),
    ...(from === undefined || (!isOnFile && takesPath !== false) ? [] : ['from']),
  ].map((field) => `${name} takes no ${field}${name === replaceText.name ? ' without a path' : ''}`);
}

/** Returns whether the operation creates or deletes the file itself. */
export function fileOpOf(name: OperationName): FileOp | undefined {
  return operationNamed(name).fileOp;
}

/** Returns the arguments that have a meaning for the operation. */
export function fieldsOf({ needs, may }: OperationKind): readonly (keyof Arguments)[] {
  return [...needs.flat(), ...may];
}

export interface Operation extends Given {
  readonly op: OperationName;
  /** The path; without one the whole file is meant. */
  readonly path?: string | undefined;
  readonly doc?: DocumentSelector | undefined;
}
