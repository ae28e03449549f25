// `move` and `copy` take a part of a collection to another place with its comments and its style. They are carried out as
// `delete`, and `insert` or `append` of what was cut out.
import { type NodePath, printNodePath, Refusal } from '../../security/index.ts';
import { type Copied, type Cut, copiedPart, cutOf, documentCut } from '../edit/copied-part.ts';
import { NO_EDITS, type PlanContext } from '../edit/intent.ts';
import { templatePartOf } from '../edit/template-part.ts';
import { selectDocument } from '../tree/document.ts';
import { indexBeside } from '../tree/item-beside.ts';
import { indexesOf } from '../tree/keys.ts';
import { type Located, locateExisting } from '../tree/locate.ts';
import { shownPath } from '../tree/path-refusals.ts';
import { type Place, resolvePath } from '../tree/resolve-path.ts';
import { canGrow, isSectional, type SpanNode } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { requireTogether, requireWholePart } from '../verify/require-branches.ts';
import {
  asData,
  floatSteps,
  isWrittenAlike,
  mismatch,
  requireExactData,
  requireNothingBeside,
} from './between-formats.ts';
import { noIndex, placeConflicts } from './insert.ts';
import { locateToFill } from './missing.ts';
import type { Given, OperationKind, Step } from './operation.ts';
import {
  droppedNotes,
  requireMovableKey,
  requireSameMeaning,
  requireSameTags,
  withoutAnchors,
} from './same-meaning.ts';
import { staysInPlace, withoutPart } from './same-place.ts';

const FIELDS = {
  needs: [['to']],
  may: ['to_file', 'to_doc', 'key', 'index', 'before', 'after', 'create'],
  conflicts: placeConflicts,
  // This is for a part that is there already.
  plan: () => NO_EDITS,
} as const;

export const move = {
  name: 'move',
  ...FIELDS,
  steps: (context, path, given) => transferSteps(context, path, given, 'move'),
} as const satisfies OperationKind;

export const copy = {
  name: 'copy',
  ...FIELDS,
  steps: (context, path, given) => transferSteps(context, path, given, 'copy'),
  notes: droppedNotes,
} as const satisfies OperationKind;

/** Returns the steps. Throws TYPE_MISMATCH for the root, and for a move into itself; ANCHOR_IN_USE and KEY_IS_SHARED where the meaning would change. */
function transferSteps(
  context: PlanContext,
  path: NodePath,
  given: Given,
  action: 'move' | 'copy',
): readonly Step[] {
  const { stream, document, documentIndex, format } = context;
  if (given.cut !== undefined) return arrivalsOfCut(context, path, given, given.cut);
  if (path.length === 0 && given.to_file !== undefined)
    return action === 'copy' ? [] : [{ op: 'delete_document', path: '', doc: documentIndex }];
  const { from, step } = partAt(context, path, action);
  const leaving = { op: 'delete', path: printNodePath(from.path), doc: documentIndex } as const;
  if (given.to_file !== undefined)
    return action === 'copy' ? [] : [{ ...leaving, copied: copiedPart(stream, step, format) }];
  const doc = given.to_doc === undefined ? documentIndex : selectDocument(stream, given.to_doc);
  const target = stream.documents[doc];
  if (target === undefined) throw new Error('the chosen document exists');
  const place = { stream, document: target };
  const aim =
    given.to === undefined ? from.path.slice(0, -1) : resolvePath(place, given.to, given.create === true);
  const to = locateToFill(target, aim, given, `${action} to`);
  const isSame = target === document;
  requireSameMeaning(document, step.part.value, isSame, action);
  const isLeaving = action === 'move';
  const isBeside = isSame && !isLeaving;
  const { source, part } = isBeside
    ? withoutAnchors(context, from.path, step)
    : { source: stream, part: step };
  const copied = {
    ...copiedPart(source, part, format),
    template: templatePartOf(source, part.part, isLeaving && isSame, false),
  };
  if (!isSame) requireSameTags(document, target, copied);
  const beside = indexOfArrival(place, to, given);
  const isBehind = isSame && action === 'move' && to.node === step.container && step.index < (beside ?? 0);
  const index = beside === undefined ? undefined : beside - (isBehind ? 1 : 0);
  const at = index === undefined ? given : { ...given, index };
  if (action === 'copy') return arrivals(context, to, at, doc, copied);
  if (to.steps.some(({ part }) => part === step.part))
    throw mismatch(
      `Cannot move ${shownPath(from.path)}: ${shownPath(to.path)} is within it`,
      'Choose another place',
    );
  if (exists(to) && to.node === step.container && staysInPlace(step, given, copied, index)) return [];
  const above = isSame ? { ...to, path: withoutPart(to, from) } : to;
  return [{ ...leaving, copied }, ...arrivals(context, above, at, doc, copied, step.part.value)];
}

function exists({ missing }: Located): boolean {
  return missing.length === 0;
}

/** Cuts a part out of the file that the operation is on, as earlier operations have left it. */
export function cutOut(context: PlanContext, path: NodePath, action: string): Cut {
  return path.length === 0 ? documentCut(context) : cutOf(context, partAt(context, path, action).step);
}

/**
 * Returns the steps in the other file. Between formats a part goes as data, within one as it is written; so it does between
 * YAML and a template where it holds no action.
 */
function arrivalsOfCut(
  context: PlanContext,
  path: NodePath,
  asked: Given,
  { copied, context: source, actions }: Cut,
): readonly Step[] {
  if ('document' in copied) return [arrivalOfDocument(context, path, asked, copied.document, source)];
  const to = locateToFill(context.document, path, asked, 'copy to');
  const index = indexOfArrival(context, to, asked);
  const given = index === undefined ? asked : { ...asked, index };
  if (isWrittenAlike(context.format, source.format, copied, actions)) {
    requireSameMeaning(source.document, copied.node, false, 'copy');
    requireSameTags(source.document, context.document, copied);
    return arrivals(source, to, given, context.documentIndex, copied);
  }
  requireNothingBeside(source, actions);
  requireExactData(copied.node, source.format);
  const arriving = arrival(to, given, context.documentIndex, copied);
  const made = firstMade(to, asData(arriving, toValue(source.document, copied.node)));
  return [...made, ...floatSteps(to, arriving, copied.node)];
}

/** Adds it as another document of the file, or as the first one of an empty file. */
function arrivalOfDocument(
  { format }: PlanContext,
  path: NodePath,
  { index }: Given,
  value: string,
  source: PlanContext,
): Step {
  if (path.length === 0 && format.name === source.format.name)
    return { op: 'add_document', path: '', value, ...(index === undefined ? {} : { index }) };
  throw path.length > 0
    ? mismatch(
        'Cannot copy a whole document below a node',
        'Leave out "to", or give the path of a part of it',
      )
    : mismatch(
        `Cannot take a whole document of ${source.format.name} to a file of ${format.name}`,
        'Give the path of a part of it',
      );
}

function partAt({ stream, document }: PlanContext, path: NodePath, action: string) {
  const from = locateExisting(document, path, action);
  const step = from.steps.at(-1);
  if (step === undefined)
    throw mismatch(
      `Cannot ${action} the root of a document within its file`,
      'To another file it goes with "to_file"',
    );
  requireMovableKey(from, step);
  requireTogether(
    stream,
    from.steps.map(({ part }) => part),
  );
  requireWholePart(stream, step.container, step.index);
  return { from, step };
}

/** Returns the index in a list, where a neighbour is named. */
function indexOfArrival(place: Place, to: Located, { key, before, after }: Given): number | undefined {
  const isBeside = exists(to) && to.node.kind === 'sequence' && key === undefined;
  return isBeside && (before ?? after) !== undefined ? indexBeside(place, to, { before, after }) : undefined;
}

/** Returns the steps that put the part there. The tables of an array go one by one, so that each keeps its header and its comments. */
function arrivals(
  { stream, format }: PlanContext,
  to: Located,
  given: Given,
  doc: number,
  copied: Copied,
  leaving?: SpanNode,
): readonly Step[] {
  const { node: container, name: own } = copied;
  const name = given.key ?? own;
  const isArray = container.kind === 'sequence' && isSectional(container);
  const isNew = exists(to) && to.node.kind === 'mapping' && isSectional(to.node) && name !== undefined;
  if (
    !isArray ||
    !isNew ||
    indexesOf(to.node, name).length > 0 ||
    (given.index ?? given.before ?? given.after) !== undefined
  )
    return firstMade(to, arrival(to, given, doc, copied, leaving));
  const path = printNodePath([...to.path, name]);
  return container.items.map((part, index) => {
    const item = copiedPart(stream, { kind: 'item', container, part, index }, format);
    return { op: 'append', path, doc, copied: item };
  });
}

/** A collection that is missing is made by itself, so that the comments of the part stay beside it. */
function firstMade({ missing }: Located, step: Step): readonly Step[] {
  const { path, doc = 0, key } = step;
  return missing.length === 0 ? [step] : [{ op: 'set', path, doc, json: key === undefined ? [] : {} }, step];
}

/** Returns the step that makes it a key of a mapping, or an item of a list. `leaving` is the node that moves. */
function arrival(to: Located, given: Given, doc: number, copied: Copied, leaving?: SpanNode): Step {
  const { node } = to;
  const { key, index, before = keyAt(to, index, leaving), after } = given;
  const name = key ?? copied.name;
  const place = { path: printNodePath([...to.path, ...to.missing]), doc, before, after };
  const isAny = !exists(to) || canGrow(node);
  const isList = isAny ? index !== undefined || name === undefined : node.kind === 'sequence';
  if (isList && key === undefined)
    return index === undefined
      ? { op: 'append', ...place, copied }
      : { op: 'insert', ...place, index, copied };
  if (name === undefined)
    throw new Refusal(
      'VALUE_INVALID',
      `Cannot put an item of a list into ${shownPath(to.path)}: it has no key`,
      {},
      { advice: ['Give the "key" that it gets there'] },
    );
  const isRenamed = name !== copied.name;
  return { op: 'insert', ...place, key: name, copied: isRenamed ? { ...copied, key: undefined } : copied };
}

/** Returns the key before which a part goes, so that it has this index in a mapping once it has left its own place. */
function keyAt(to: Located, index: number | undefined, leaving: SpanNode | undefined): string | undefined {
  if (index === undefined || !exists(to) || to.node.kind !== 'mapping') return undefined;
  const others = to.node.entries.filter(({ value }) => value !== leaving);
  const at = index < 0 ? others.length + index : index;
  if (at < 0 || at > others.length) throw noIndex(to, index);
  const entry = others[at];
  if (entry === undefined || entry.name !== undefined) return entry?.name;
  throw mismatch(
    `Cannot put a part at index ${index} of ${shownPath(to.path)}: the key there is no text`,
    'Give "after" and the key before it',
  );
}
