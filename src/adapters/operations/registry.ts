// The operations of the wire contract, in its order, and the way from each to its planner and on to the proof. An operation is
// a file and a line here.
import type { Change, Edit, FileOp, Limits, Verify } from '../../security/index.ts';
import type { Cut } from '../edit/copied-part.ts';
import type { PlanContext } from '../edit/intent.ts';
import { type ConfigFile, forActions } from '../formats/registry.ts';
import { withoutKeys } from '../formats/text/text-format.ts';
import { chooseDocument } from '../tree/choose-document.ts';
import type { DocumentSelector } from '../tree/document.ts';
import { nodeAt } from '../tree/locate.ts';
import { parsePath } from '../tree/path-syntax.ts';
import { type Place, resolvePath } from '../tree/resolve-path.ts';
import { type Proof, proofOf } from '../verify/prove.ts';
import { textProofOf } from '../verify/prove-text.ts';
import { addDocument } from './add-document.ts';
import { append } from './append.ts';
import { comment } from './comment.ts';
import { createFile } from './create-file.ts';
import { remove } from './delete.ts';
import { deleteDocument } from './delete-document.ts';
import { deleteFile } from './delete-file.ts';
import { insert } from './insert.ts';
import { merge } from './merge.ts';
import type { Arguments, Given, OperationKind } from './operation.ts';
import { rename } from './rename.ts';
import { replaceText } from './replace-text.ts';
import { set } from './set.ts';
import { copy, cutOut, move } from './transfer.ts';
import { translating } from './translated-value.ts';

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

function operationNamed(name: OperationName): OperationKind {
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

/** Answers the arguments that are missing, or have no meaning for the operation. */
export function argumentErrors(name: OperationName, given: Arguments, path?: unknown): readonly string[] {
  const operation = operationNamed(name);
  const names = Object.entries(given).flatMap(([argument, value]) => (value === undefined ? [] : [argument]));
  const known: readonly string[] = taken(operation);
  // A whole document goes to no parent.
  const isDocument = path === '' && given.to_file !== undefined;
  return [
    ...operation.needs
      .filter((group) => !(isDocument && group.some((argument) => argument === 'to')))
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

/** Answers why an operation cannot have this path, or no path; undefined where it can. */
export function pathError(name: OperationName, path: string | undefined): string | undefined {
  const { plan, planFile, takesPath } = operationNamed(name);
  if (path === undefined)
    return planFile === undefined && takesPath !== false ? 'expected a string' : undefined;
  // An empty one names the whole file, too.
  return (plan === undefined || takesPath === false) && path !== '' ? `${name} takes no path` : undefined;
}

/** Answers the conditions that choose a node, but are given for an operation on a whole file: a condition must not be ignored. */
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

/** Answers whether the operation creates or deletes the file itself. */
export function fileOpOf(name: OperationName): FileOp | undefined {
  return operationNamed(name).fileOp;
}

function taken({ needs, may }: OperationKind): readonly (keyof Arguments)[] {
  return [...needs.flat(), ...may];
}

export interface Operation extends Given {
  readonly op: OperationName;
  /** The path; without one the whole file is meant. */
  readonly path?: string | undefined;
  readonly doc?: DocumentSelector | undefined;
}

/** The state of a batch: the file as it was read, and as earlier operations left it. */
export interface Progress {
  readonly base: ConfigFile;
  readonly current: ConfigFile;
  readonly earlierChanges: readonly Change[];
  /** True where others follow: then only changes of comments are answered, because the last operation finds all that differs from the base. */
  readonly isStep?: boolean;
}

/** The operations that this one comes down to, to be planned in order, each on what the one before has left. Throws as `planOperation`. */
export function stepsOf(current: ConfigFile, operation: Operation, limits: Limits): readonly Operation[] {
  const { steps } = operationNamed(operation.op);
  if (steps === undefined) return [operation];
  const context = contextOf(current, operation, limits);
  const { documentIndex: doc } = context;
  const planned = steps(context, aimOf(context, operation).path, operation).map((step) => ({ doc, ...step }));
  return planned.length === 0 ? [operation] : planned;
}

/** Answers whole sentences that the caller should know before it is carried out. Throws as `planOperation` does. */
export function notesOf(current: ConfigFile, operation: Operation, limits: Limits): readonly string[] {
  const { notes } = operationNamed(operation.op);
  if (notes === undefined) return [];
  const context = contextOf(current, operation, limits);
  return notes(context, aimOf(context, operation).path, operation);
}

/** Answers what an operation with `to_file` takes to the other file. Throws as `planOperation` does. */
export function cutFor(current: ConfigFile, operation: Operation, limits: Limits): Cut {
  const context = contextOf(current, operation, limits);
  return cutOut(context, aimOf(context, operation).path, operation.op);
}

/** Makes the context. Throws UNSUPPORTED_FORMAT and SYNTAX_INVALID for a file without nodes. */
function contextOf(
  { format, stream, unreadable }: ConfigFile,
  { op, doc, path = '', cut }: Operation,
  limits: Limits,
): PlanContext {
  if (stream.hasStructure === false) throw unreadable ?? withoutKeys(op);
  const isArriving = cut !== undefined && 'document' in cut.copied && path === '';
  const isOfFile =
    doc === undefined && (isArriving || operationNamed(op).isOfFile?.(parsePath(path)) === true);
  const documentIndex = isOfFile ? 0 : chooseDocument(stream, doc, path);
  const document = stream.documents[documentIndex];
  if (document === undefined) throw new Error('the chosen document exists');
  return { stream, documentIndex, document, format, limits };
}

/** Answers the operation and its node. The end of a list in a JSON pointer, `/list/-`, is where `append` works. */
function aimOf(place: Place, { op, path: text = '', create }: Operation) {
  const kind = operationNamed(op);
  // For an operation that takes something elsewhere, this is about the new place.
  const creates = create !== false && taken(kind).includes('value');
  const path = resolvePath(place, text, creates);
  const list = path.slice(0, -1);
  const isEnd = text.endsWith('/-') && nodeAt(place.document.root, list)?.kind !== 'mapping';
  if (!isEnd || !taken(kind).includes('value') || (!creates && kind === set)) return { kind, path };
  return { kind: kind === set ? append : kind, path: list };
}

/** The edits for one operation on `current`, with the check that proves them. */
export function planOperation(
  { base, current: read, earlierChanges, isStep = false }: Progress,
  operation: Operation,
  limits: Limits,
  verify: Verify = 'fast',
): Proof {
  const { planFile, fileOp } = operationNamed(operation.op);
  if (planFile !== undefined && (operation.path ?? '') === '') {
    const edits = planFile(read.stream.text, operation);
    return proofOfText({ base, current: read, earlierChanges, isStep }, edits, limits, fileOp);
  }
  const current = forActions(read, operation.value ?? operation.new_key, limits);
  const { format, stream } = current;
  const context = contextOf(current, operation, limits);
  const { kind, path } = aimOf(context, operation);
  if (kind.plan === undefined) throw new Error('an operation on a node was asked for');
  const earlierCommentChanges = commentChanges(earlierChanges);
  const subject = { base: base.stream, stream, format, limits, verify, earlierCommentChanges, isStep };
  const { plan } = kind;
  return proofOf(
    subject,
    translating(operation.value, () => plan(context, path, operation)),
  );
}

/** The edits of the text itself, as one, with the check that proves them. */
export function proofOfText(
  { base, current, earlierChanges, isStep = false }: Progress,
  edits: readonly Edit[],
  limits: Limits,
  fileOp?: FileOp,
): Proof {
  const earlierCommentChanges = commentChanges(earlierChanges);
  return textProofOf({ base: base.stream, current, earlierCommentChanges, isStep, limits }, edits, fileOp);
}

function commentChanges(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ op }) => op === 'comment');
}

/** Answers what `replace_text` without a path does to a text. Throws TEXT_NOT_FOUND, TEXT_AMBIGUOUS, VALUE_INVALID. */
export function replacedText(text: string, operation: Operation): readonly Edit[] {
  return replaceText.planFile(text, operation);
}
