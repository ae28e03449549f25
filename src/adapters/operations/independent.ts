// Decides which operations of a batch can be planned on one tree. The result is the same as if each were planned on what the
// one before has left, but the file is read and proven once. In doubt an operation is not independent.
import { type Intent, nodeAtPosition, type Plan, type PlanContext, type Position } from '../edit/intent.ts';
import type { DocumentSelector } from '../tree/document.ts';
import { locate } from '../tree/locate.ts';
import type { NodePath } from '../tree/node-path.ts';
import { parsePath } from '../tree/parse-path.ts';
import type { Stream } from '../tree/span-tree.ts';

/** The node that an operation is about. */
export interface Target {
  readonly position: Position;
  /** True where the node is the parent, in which the operation makes a part. */
  readonly isParent: boolean;
}

/** A plan that was made for a tree, and is not carried out yet. */
export interface OpenPlan {
  readonly plan: Plan;
  /** Undefined where its path leads to no clear node. */
  readonly target: Target | undefined;
}

/** Answers the target. Throws the refusals of the path. */
export function targetOf({ document, documentIndex }: PlanContext, path: NodePath): Target {
  const { steps, missing } = locate(document, path);
  const position = { document: documentIndex, indexes: steps.map(({ index }) => index) };
  return { position, isParent: missing.length > 0 };
}

/** True where the open plans neither move nor change the node of the operation, nor what it is chosen by. */
export function isIndependent(
  stream: Stream,
  { path, doc }: { readonly path: string; readonly doc: DocumentSelector | undefined },
  target: Target,
  open: readonly OpenPlan[],
): boolean {
  const fields = fieldsIn(path, doc);
  // A value that chooses a node may stand at an anchor.
  if (fields !== undefined && stream.documents.some(({ aliasTargets }) => aliasTargets.size > 0))
    return false;
  return open.every(
    (one) =>
      !concerns(stream, one, target) && (fields === undefined || isQuiet(stream, one.plan.intent, fields)),
  );
}

/** True where two plans for one tree can be carried out together: their texts do not touch, and neither place is within the other. */
export function areApart(one: Plan, other: Plan): boolean {
  const isTouching = one.edits.some((edit) =>
    other.edits.some(({ start, end }) => edit.start <= end && start <= edit.end),
  );
  return !isTouching && areOfOtherParts(one.intent, other.intent);
}

function areOfOtherParts(one: Intent, other: Intent): boolean {
  if (one.kind === 'nothing' || other.kind === 'nothing') return true;
  if (!('at' in one) || !('at' in other)) return false;
  // Two new keys of one mapping may be the same.
  if (bringsKey(one) && bringsKey(other) && isSame(one.at, other.at)) return false;
  if (one.kind === 'insert' && other.kind === 'insert') return true;
  if (one.kind === 'insert') return !isWithin(one.at, placeOf(other));
  if (other.kind === 'insert') return !isWithin(other.at, placeOf(one));
  return !isWithin(placeOf(one), placeOf(other)) && !isWithin(placeOf(other), placeOf(one));
}

/** True where the plan changes the target, a node around it or in it, or the number of an item on the way to it. */
function concerns(stream: Stream, { plan: { intent }, target: own }: OpenPlan, target: Target): boolean {
  const { position, isParent } = target;
  const place = 'at' in intent ? placeOf(intent) : intent.kind === 'nothing' ? own?.position : undefined;
  if (place === undefined) return true;
  if (isWithin(position, place) || (!isParent && isWithin(place, position))) return true;
  // A part may be made under a name that is given or gone.
  if (isParent && intent.kind !== 'replace' && 'at' in intent && isSame(position, intent.at)) return true;
  if (intent.kind !== 'insert' && intent.kind !== 'remove') return false;
  return isWithin(position, intent.at) && nodeAtPosition(stream, intent.at)?.kind !== 'mapping';
}

function bringsKey({ kind }: Intent): boolean {
  return kind === 'insert' || kind === 'rename';
}

function placeOf(intent: Extract<Intent, { readonly at: Position }>): Position {
  const { kind, at } = intent;
  return kind === 'remove' || kind === 'rename' ? { ...at, indexes: [...at.indexes, intent.index] } : at;
}

/** True where the first place is the second one, or below it. */
function isWithin({ document, indexes }: Position, outer: Position): boolean {
  return document === outer.document && outer.indexes.every((index, depth) => index === indexes[depth]);
}

function isSame(one: Position, other: Position): boolean {
  return isWithin(one, other) && isWithin(other, one);
}

/** The keys whose values choose the node: of selectors in the path, and of the document; undefined where it is named without them. */
function fieldsIn(path: string, doc: DocumentSelector | undefined): ReadonlySet<string> | undefined {
  const selectors = typeof doc === 'object' ? Object.keys(doc) : [];
  const named =
    typeof doc === 'string' ? ['kind', 'name'] : selectors.flatMap((one) => keysOf(one).slice(-1));
  const conditions = [path, ...selectors].flatMap((one) =>
    parsePath(one).flatMap((word) => (word.kind === 'items' ? [word, ...(word.others ?? [])] : [])),
  );
  const fields = [...named, ...conditions.map(({ field }) => field.at(-1) ?? '')];
  return fields.length === 0 ? undefined : new Set(fields);
}

function keysOf(path: string): readonly string[] {
  return parsePath(path).flatMap((word) => ('key' in word ? word.key : []));
}

/** True where a plan leaves all keys as they are, and the values of these fields: it replaces one scalar of an entry, or no data. */
function isQuiet(stream: Stream, intent: Intent, fields: ReadonlySet<string>): boolean {
  if (intent.kind === 'nothing') return true;
  if (intent.kind !== 'replace' || intent.value.around.length > 0) return false;
  const { at } = intent;
  const holder = nodeAtPosition(stream, { ...at, indexes: at.indexes.slice(0, -1) });
  const part = holder?.kind === 'mapping' ? holder.entries[at.indexes.at(-1) ?? -1] : undefined;
  const isScalar = part?.value.kind === 'scalar' && intent.value.fragment.node.kind === 'scalar';
  return isScalar && part.name !== undefined && !fields.has(part.name);
}
