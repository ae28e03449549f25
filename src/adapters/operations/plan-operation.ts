// Turns the operation of a call into steps on data, and carries them out.
import type { Edit } from '../../security/edits/edit.ts';
import { unlessRefused } from '../../security/errors/refusal.ts';
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { parsePath } from '../../security/node-paths/parse-path.ts';
import type { Limits } from '../../security/policy/policy.ts';
import type { Edits } from '../edit/edits.ts';
import type { Target } from '../edit/source.ts';
import type { Cut } from '../edit/taken.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { forActions } from '../formats/registry.ts';
import { withoutKeys } from '../formats/text/text-format.ts';
import { chooseDocument } from '../tree/document.ts';
import { nodeAt } from '../tree/locate.ts';
import { resolvePath } from '../tree/resolve-path.ts';
import { translating } from './between-formats.ts';
import { append } from './insert.ts';
import type { OperationKind } from './operation.ts';
import { fieldsOf, type Operation, operationNamed } from './registry.ts';
import { set } from './set.ts';
import { cutOut } from './transfer.ts';

/** Carries out an operation. Throws the refusals of its path and value, and of its steps. */
export function carryOut(edits: Edits, operation: Operation, limits: Limits): void {
  const ofText = textEditsOf(edits.text, operation);
  if (ofText !== undefined) {
    edits.replaceText(ofText, operationNamed(operation.op).fileOp);
    return;
  }
  edits.readAs(forActions(edits.file, operation.value ?? operation.new_key, limits));
  const target = targetOf(edits.file, operation, limits);
  const { kind, path } = aimOf(target, operation);
  translating(operation.value, () => {
    const steps = (kind.steps?.(target, path, operation) ?? []).map((step) => ({ step, doc: target.doc }));
    if (steps.length < 2 || !edits.carryOutTogether(steps))
      for (const { step, doc } of steps) edits.carryOut(step, doc);
    edits.settleAliases();
  });
}

/** Carries out operations on one reading of the file. Returns false, and does nothing, if one could depend on another. */
export function carryOutTogether(edits: Edits, operations: readonly Operation[], limits: Limits): boolean {
  const { file } = edits;
  const isOther = ({ value, new_key: key }: Operation) => forActions(file, value ?? key, limits) !== file;
  if (operations.length < 2 || operations.some(isOther)) return false;
  const aims = unlessRefused(() =>
    operations.map((operation) => {
      const target = targetOf(file, operation, limits);
      return { operation, target, ...aimOf(target, operation) };
    }),
  );
  // A key with dots, or an item that is named by its fields, may depend on an earlier operation.
  const isLiteral = aims?.every(({ operation, path }) => printNodePath(path) === (operation.path ?? ''));
  if (aims === undefined || !isLiteral || isNested(aims.flatMap(pathsOf))) return false;
  const steps = unlessRefused(() =>
    aims.map(({ kind, target, path, operation }) =>
      (kind.steps?.(target, path, operation) ?? []).map((step) => ({ step, doc: target.doc })),
    ),
  );
  if (steps === undefined || steps.some(({ length }) => length > 1)) return false;
  if (!edits.carryOutTogether(steps.flat())) return false;
  edits.settleAliases();
  return true;
}

/** Returns the path at which an operation changes something, and that of the key which it gives, in their documents. */
function pathsOf({ operation: { key, new_key: newKey }, target: { doc }, path }: Aim): readonly NodePath[] {
  const own = [doc, ...path];
  if (key !== undefined) return [[...own, key]];
  return newKey === undefined ? [own] : [own, [...own.slice(0, -1), newKey]];
}

/** True if one of the paths leads through another, or to the same node. */
function isNested(paths: readonly (readonly unknown[])[]): boolean {
  const all = new Set(paths.map((path) => JSON.stringify(path)));
  if (all.size < paths.length) return true;
  return paths.some((path) => path.some((_, at) => at > 0 && all.has(JSON.stringify(path.slice(0, at)))));
}

/** Returns the edits of an operation on the text of a whole file; undefined for one on nodes or documents. */
function textEditsOf(text: string, operation: Operation): readonly Edit[] | undefined {
  const { planFile } = operationNamed(operation.op);
  return planFile === undefined || (operation.path ?? '') !== '' ? undefined : planFile(text, operation);
}

/** Returns notes for the caller as whole sentences, before the operation is carried out. Throws as `carryOut` does. */
export function notesOf(current: ConfigFile, operation: Operation, limits: Limits): readonly string[] {
  const { notes } = operationNamed(operation.op);
  if (notes === undefined) return [];
  const target = targetOf(current, operation, limits);
  return notes(target, aimOf(target, operation).path, operation);
}

/** Cuts the part that an operation with `to_file` takes to the other file. Throws as `carryOut` does. */
export function cutFor(current: ConfigFile, operation: Operation, limits: Limits): Cut {
  const target = targetOf(current, operation, limits);
  return cutOut(target, aimOf(target, operation).path, operation.op);
}

/** Returns the document that an operation is on. Throws UNSUPPORTED_FORMAT and SYNTAX_INVALID for a file without nodes. */
function targetOf(
  { format, stream, unreadable }: ConfigFile,
  { op, doc: selector, path = '', cut }: Operation,
  limits: Limits,
): Target {
  if (stream.hasStructure === false) throw unreadable ?? withoutKeys(op);
  const isArriving = cut !== undefined && 'document' in cut.taken && path === '';
  const isOfFile =
    selector === undefined && (isArriving || operationNamed(op).isOfFile?.(parsePath(path)) === true);
  const doc = isOfFile ? 0 : chooseDocument(stream, selector, path);
  const document = stream.documents[doc];
  if (document === undefined) throw new Error('the chosen document exists');
  return { stream, doc, document, format, limits };
}

/** An operation at its node. */
interface Aim {
  readonly operation: Operation;
  readonly target: Target;
  readonly path: NodePath;
}

/** Returns the operation and its path. The end of a list in a JSON pointer, `/list/-`, becomes an `append`. */
function aimOf(
  target: Target,
  { op, path: text = '', create }: Operation,
): { readonly kind: OperationKind; readonly path: NodePath } {
  const kind = operationNamed(op);
  // For a move or a copy, `create` concerns the new place.
  const creates = create !== false && fieldsOf(kind).includes('value');
  const path = resolvePath(target, text, creates);
  const list = path.slice(0, -1);
  const isEnd = text.endsWith('/-') && nodeAt(target.document.root, list)?.kind !== 'mapping';
  if (!isEnd || !fieldsOf(kind).includes('value') || (!creates && kind === set)) return { kind, path };
  return { kind: kind === set ? append : kind, path: list };
}
