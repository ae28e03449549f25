// The operations of the wire contract, in its order. An operation is a file and a line here.
import { append } from './append.ts';
import { comment } from './comment.ts';
import { remove } from './delete.ts';
import { insert } from './insert.ts';
import type { Arguments, OperationKind } from './operation.ts';
import { rename } from './rename.ts';
import { set } from './set.ts';

const OPERATIONS = [set, remove, append, insert, rename, comment] as const;

export type OperationName = (typeof OPERATIONS)[number]['name'];

export const OPERATION_NAMES: readonly OperationName[] = OPERATIONS.map(({ name }) => name);

export function operationNamed(name: OperationName): OperationKind {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation is named ${name}`);
  return found;
}

/** The names of the operations that take this argument. */
export function operationsWith(argument: keyof Arguments): readonly OperationName[] {
  return OPERATION_NAMES.filter((name) => taken(operationNamed(name)).includes(argument));
}

/** What is missing, or has no meaning for the operation. */
export function argumentErrors(name: OperationName, given: Arguments): readonly string[] {
  const operation = operationNamed(name);
  const names = Object.entries(given).flatMap(([argument, value]) => (value === undefined ? [] : [argument]));
  const known: readonly string[] = taken(operation);
  return [
    ...operation.needs
      .filter((group) => group.filter((argument) => names.includes(argument)).length !== 1)
      .map((group) =>
        group.length > 1
          ? `${name} takes exactly one of ${group.join(' and ')}`
          : `${name} needs ${group.join('')}`,
      ),
    ...names
      .filter((argument) => !known.includes(argument))
      .map((argument) => `${name} takes no ${argument}`),
    ...(operation.conflicts?.(given) ?? []),
  ];
}

function taken({ needs, may }: OperationKind): readonly (keyof Arguments)[] {
  return [...needs.flat(), ...may];
}
