// `merge` changes several keys of a mapping at once, as JSON Merge Patch (RFC 7396) and Helm's value files do. Mappings are
// merged key by key, null removes a key, and all else replaces the old value. It is carried out as single operations.
import { type NodePath, printNodePath, Refusal, visibleLine } from '../../security/index.ts';
import { bracketPiece, commentsBeside } from '../edit/bracket-piece.ts';
import { parseFragment } from '../edit/fragment.ts';
import { NO_EDITS, type PlanContext } from '../edit/intent.ts';
import { notA } from '../edit/not-a-collection.ts';
import type { NewValue } from '../edit/read-value.ts';
import { type Commented, headStart, trailingText } from '../tree/head-comment.ts';
import type { Json } from '../tree/json.ts';
import { indexesOf } from '../tree/keys.ts';
import { locate } from '../tree/locate.ts';
import {
  canGrow,
  type Entry,
  isFlowCollection,
  isNull,
  isWritten,
  type SpanNode,
  sliceOf,
} from '../tree/span-tree.ts';
import { missingKeys, newLevels } from './missing.ts';
import { A_VALUE, type Given, newValue, type OperationKind, type Step } from './operation.ts';
import { reorderSteps } from './reorder.ts';

export const merge = {
  name: 'merge',
  needs: [A_VALUE],
  may: ['create', 'if_missing'],
  steps: stepsOf,
  notes: (context, path, given) => [
    ...newLevels(context, path, given),
    ...(given.if_missing === true ? [] : notesOf(context, path, newValue(given))),
  ],
  // This is for a merge without any steps.
  plan: () => NO_EDITS,
} as const satisfies OperationKind;

/** The change of one node. */
export interface Patch {
  readonly value: NewValue;
  /** For a mapping: the changes of the values of its keys. */
  readonly members: ReadonlyMap<string, Patch> | undefined;
  readonly isNull: boolean;
  /** The comment above its key, for a key that is new. */
  readonly comment: string;
}

/** Returns the steps. Throws VALUE_INVALID for a value that is no mapping, TYPE_MISMATCH or ALIAS_CROSSED for a node that is none. */
function stepsOf(context: PlanContext, path: NodePath, given: Given): readonly Step[] {
  const located = locate(context.document, path);
  missingKeys(located, path, 'merge into', given.create === false ? 'none' : 'all');
  const patch = patchOfValue(newValue(given), context);
  if (patch.members === undefined)
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot merge this value: it is no mapping',
      {},
      { advice: ['Use op "set" for a list or a scalar'] },
    );
  const isThere = located.missing.length === 0;
  if (isThere && !canGrow(located.node) && located.node.kind !== 'mapping')
    throw notA('mapping', located, 'merge into');
  const isOnlyMissing = given.if_missing === true;
  return patchSteps({ context, isOnlyMissing }, isThere ? located.node : undefined, path, patch);
}

interface Merging {
  readonly context: PlanContext;
  /** True if existing values stay. */
  readonly isOnlyMissing: boolean;
}

/** Returns the steps for one node; `old` is undefined if the path does not exist yet. */
function patchSteps(
  merging: Merging,
  old: SpanNode | undefined,
  path: NodePath,
  patch: Patch,
): readonly Step[] {
  const { context, isOnlyMissing } = merging;
  const { members, value, comment } = patch;
  const at = printNodePath(path);
  if (isOnlyMissing && (patch.isNull || (old !== undefined && (members === undefined || !canHold(old)))))
    return [];
  if (patch.isNull) return old === undefined ? [] : [{ op: 'delete', path: at }];
  const set: Step = { op: 'set', path: at, ...argumentsOf(value) };
  const isMerged =
    members !== undefined &&
    (old?.kind === 'mapping' ||
      old?.kind === 'alias' ||
      (old !== undefined && isWritten(old) && (members.size > 0 || mayBeMapping(context, old))));
  if (members !== undefined && (isMerged || hasNull(members))) {
    const steps = [...members].flatMap(([key, member]) =>
      patchSteps(merging, valueAt(old, key), [...path, key], member),
    );
    // Keys cannot be set below a scalar or a list, and with no keys at all there would be no mapping.
    const isInTheWay = !isMerged && (steps.length === 0 || (old !== undefined && !canGrow(old)));
    return isInTheWay ? [{ op: 'set', path: at, json: {} }, ...steps] : steps;
  }
  if (old?.kind === 'sequence') {
    const steps = reorderSteps(context, path, argumentsOf(value));
    if (steps !== undefined && steps.length > 0) return steps;
  }
  if (old !== undefined || comment === '') return [set];
  return [set, { op: 'comment', path: at, comment, place: 'before' }];
}

/** True if the actions of a template may write a mapping there, to which nothing is added; what they write on one line is a scalar. */
function mayBeMapping({ stream: { text } }: PlanContext, { start, end }: SpanNode): boolean {
  return /\n|\bn?indent\b|\btoYaml\b/.test(text.slice(start, end));
}

/** True if keys can be merged into it. */
function canHold(node: SpanNode): boolean {
  return node.kind === 'mapping' || canGrow(node) || isWritten(node);
}

/** A null is often meant as a value, as in a list of volumes; nobody should learn from the diff alone that it comes to nothing. */
function notesOf(context: PlanContext, path: NodePath, value: NewValue): readonly string[] {
  const { node, missing } = locate(context.document, path);
  const old = missing.length === 0 ? node : undefined;
  const paths = absentKeys(old, path, patchOfValue(value, context)).map((one) => printNodePath(one));
  if (paths.length === 0) return [];
  const named = paths.slice(0, MOST_NAMED).map(visibleLine).join(', ');
  const rest = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return [
    `${named}${rest}: null takes a key away in a merge, and there is none. To write null use op "set".`,
  ];
}

const MOST_NAMED = 3;

/** Returns the keys that null would remove, but that do not exist. */
function absentKeys(old: SpanNode | undefined, path: NodePath, patch: Patch): readonly NodePath[] {
  if (patch.isNull) return old === undefined ? [path] : [];
  return [...(patch.members ?? [])].flatMap(([key, member]) =>
    absentKeys(valueAt(old, key), [...path, key], member),
  );
}

export function patchOfValue(value: NewValue, context: PlanContext): Patch {
  return 'json' in value ? patchOfJson(value.json) : patchOfSource(value.source, context);
}

export function argumentsOf(value: NewValue): Pick<Step, 'value' | 'json'> {
  return 'json' in value ? value : { value: value.source };
}

function valueAt(node: SpanNode | undefined, key: string): SpanNode | undefined {
  if (node?.kind !== 'mapping') return undefined;
  const [index] = indexesOf(node, key);
  return index === undefined ? undefined : node.entries[index]?.value;
}

function hasNull(members: ReadonlyMap<string, Patch>): boolean {
  return [...members.values()].some((one) => one.isNull || (one.members && hasNull(one.members)));
}

function patchOfJson(json: Json): Patch {
  const isMapping = typeof json === 'object' && json !== null && !Array.isArray(json);
  const members = isMapping
    ? new Map(Object.entries(json).map(([key, part]) => [key, patchOfJson(part)]))
    : undefined;
  return { value: { json }, members, isNull: json === null, comment: '' };
}

function patchOfSource(source: string, context: PlanContext): Patch {
  const fragment = parseFragment(source, context);
  return patchOf(fragment, fragment.node, '', '');
}

/** Makes the change of a node; `comment` is above it, and `behind` after it on its line. */
function patchOf(fragment: Commented, node: SpanNode, comment: string, behind: string): Patch {
  // A value with an anchor or a tag replaces the old one as a whole.
  const isMerged = node.kind === 'mapping' && node.properties === undefined;
  const isFlow = isFlowCollection(node);
  const members = isMerged
    ? new Map(node.entries.map((entry) => [nameOf(entry), memberOf(fragment, entry, isFlow)]))
    : undefined;
  const source = sliceOf(fragment.text, node) + behind;
  return { value: { source }, members, isNull: isNull(node), comment };
}

function memberOf(fragment: Commented, entry: Entry, isFlow: boolean): Patch {
  const { start, value } = entry;
  const head = fragment.text.slice(headStart(fragment, start), start);
  const lines = head.split('\n').map((line) => line.trim());
  const piece = isFlow ? bracketPiece(fragment, entry) : undefined;
  const last = piece && commentsBeside(fragment, entry, piece).behind.at(-1);
  const behind = piece === undefined ? trailingText(fragment, value) : last === undefined ? '' : ` ${last}`;
  return patchOf(fragment, value, lines.join('\n').trim(), behind);
}

function nameOf({ name }: Entry): string {
  if (name !== undefined) return name;
  throw new Refusal('VALUE_INVALID', 'Cannot merge this value: a key of it is a list or a mapping', {}, {});
}
