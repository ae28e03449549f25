// `move` and `copy` take a part of a collection to another place, with its comments and its style. A move is a removal and an
// insertion.

import { Refusal } from '../../security/errors/refusal.ts';
import type { NodePath } from '../../security/node-paths/node-path.ts';
import { newPart } from '../edit/new-part.ts';
import type { Target } from '../edit/source.ts';
import type { Insert, Step } from '../edit/step.ts';
import { type Cut, cutOf, documentCut, type Taken, takenFrom } from '../edit/taken.ts';
import { templatePartOf } from '../edit/template-scope.ts';
import { requireRenderedInPlace } from '../prove/template-proof.ts';
import { selectDocument } from '../tree/document.ts';
import { indexBeside } from '../tree/item-beside.ts';
import { type Located, locateExisting, notFound, type PathStep } from '../tree/locate.ts';
import { shownPath } from '../tree/path-refusals.ts';
import { resolvePath } from '../tree/resolve-path.ts';
import { canGrow, type MappingNode, type SpanNode } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import {
  canStayAsWritten,
  floatSteps,
  mismatch,
  requireExactData,
  requireNothingBeside,
} from './between-formats.ts';
import { addDocument, requireOneOfSeveral } from './documents.ts';
import { noIndex, placeConflicts, requireNewKey } from './insert.ts';
import { locateToFill, notA } from './missing.ts';
import type { Given, OperationKind } from './operation.ts';
import {
  droppedNotes,
  requireMovableKey,
  requireSameMeaning,
  staysInPlace,
  withoutAnchors,
  withoutPart,
} from './same-meaning.ts';

const FIELDS = {
  needs: [['to']],
  may: ['to_file', 'to_doc', 'key', 'index', 'before', 'after', 'create'],
  conflicts: placeConflicts,
} as const;

export const move = {
  name: 'move',
  ...FIELDS,
  steps: (target, path, given) => transferSteps(target, path, given, 'move'),
} as const satisfies OperationKind;

export const copy = {
  name: 'copy',
  ...FIELDS,
  steps: (target, path, given) => transferSteps(target, path, given, 'copy'),
  notes: droppedNotes,
} as const satisfies OperationKind;

/** Throws TYPE_MISMATCH for the root and for a move into itself, ANCHOR_IN_USE and KEY_IS_SHARED if the meaning would change. */
function transferSteps(
  target: Target,
  path: NodePath,
  given: Given,
  action: 'move' | 'copy',
): readonly Step[] {
  const { stream, document, doc } = target;
  if (given.cut !== undefined) return arrivalsOfCut(target, path, given, given.cut);
  if (path.length === 0 && given.to_file !== undefined) {
    if (action === 'copy') return [];
    requireOneOfSeveral(stream, target.format);
    return [{ do: 'remove document' }];
  }
  const { from, step } = partAt(target, path, action);
  const isLeaving = action === 'move';
  if (given.to_file !== undefined) return isLeaving ? [leaving(from, takenFrom(target, step))] : [];
  const toDoc = given.to_doc === undefined ? doc : selectDocument(stream, given.to_doc);
  const there = stream.documents[toDoc];
  if (there === undefined) throw new Error('the chosen document exists');
  const place = { ...target, document: there, doc: toDoc };
  const aim =
    given.to === undefined ? from.path.slice(0, -1) : resolvePath(place, given.to, given.create === true);
  const to = locateToFill(there, aim, given, `${action} to`);
  const isSame = there === document;
  requireSameMeaning(document, step.part.value, isSame, action);
  const { source, part } =
    isSame && !isLeaving ? withoutAnchors(target, from.path, step) : { source: target, part: step };
  const taken = {
    ...takenFrom(source, part),
    template: templatePartOf(source.stream, part.part, isLeaving && isSame, false),
  };
  if (!isLeaving) return arrivals(place, to, given, taken);
  if (to.steps.some((one) => one.part === step.part))
    throw mismatch(
      `Cannot move ${shownPath(from.path)}: ${shownPath(to.path)} is within it`,
      'Choose another place',
    );
  const beside = indexInList(place, to, given, step);
  if (exists(to) && to.node === step.container && staysInPlace(step, given, taken.part, beside)) return [];
  const above = isSame ? { ...to, path: withoutPart(to, from) } : to;
  return [leaving(from, taken), ...arrivals(place, above, given, taken, step)];
}

function leaving({ path }: Located, { given }: Taken): Step {
  return { do: 'remove', path, comments: given };
}

function exists({ missing }: Located): boolean {
  return missing.length === 0;
}

/** Cuts a part out of its file, in the state that earlier operations left. */
export function cutOut(target: Target, path: NodePath, action: string): Cut {
  if (path.length === 0) return documentCut(target);
  const { step } = partAt(target, path, action);
  const cut = cutOf(target, step);
  if ('document' in cut.taken) return cut;
  return { ...cut, taken: { ...cut.taken, template: templatePartOf(target.stream, step.part, false, true) } };
}

/**
 * Returns the steps in the other file. A part keeps its text within one format, and between YAML and a template if it has no
 * actions; otherwise it is inserted as data.
 */
function arrivalsOfCut(target: Target, path: NodePath, asked: Given, cut: Cut): readonly Step[] {
  const { taken, from, actions } = cut;
  if ('document' in taken) return arrivalOfDocument(target, path, asked, taken.document, from);
  const to = locateToFill(target.document, path, asked, 'copy to');
  const node = cut.step?.part.value;
  if (node === undefined) throw new Error('a part was cut');
  if (canStayAsWritten(target.format, from.format, taken, actions)) {
    requireSameMeaning(from.document, node, false, 'copy');
    return arrivals(target, to, asked, taken);
  }
  requireNothingBeside(from, actions);
  requireExactData(node, from.format);
  const json = toValue(from.document, node);
  const steps = arrivals(target, to, asked, { json, part: taken.part });
  const last = steps.at(-1);
  return last?.do === 'insert' ? [...steps, ...floatSteps(last, node)] : steps;
}

/** Adds the document to the file, as the first one if the file is empty. */
function arrivalOfDocument(
  target: Target,
  path: NodePath,
  { index }: Given,
  value: string,
  source: Target,
): readonly Step[] {
  if (path.length === 0 && target.format.name === source.format.name)
    return addDocument.steps(target, [], { value, index });
  throw path.length > 0
    ? mismatch(
        'Cannot copy a whole document below a node',
        'Leave out "to", or give the path of a part of it',
      )
    : mismatch(
        `Cannot take a whole document of ${source.format.name} to a file of ${target.format.name}`,
        'Give the path of a part of it',
      );
}

function partAt(target: Target, path: NodePath, action: string) {
  const from = locateExisting(target.document, path, action);
  const step = from.steps.at(-1);
  if (step === undefined)
    throw mismatch(
      `Cannot ${action} the root of a document within its file`,
      'To another file it goes with "to_file"',
    );
  requireMovableKey(from, step);
  requireRenderedInPlace(target, from);
  return { from, step };
}

/** Returns the index in a list once the part has left it; undefined for the end. */
function indexInList(
  place: Target,
  to: Located,
  { key, before, after, index }: Given,
  leaving?: PathStep,
): number | undefined {
  const { node } = to;
  if (!exists(to) || node.kind !== 'sequence' || key !== undefined) return undefined;
  const isWithin = leaving?.container === node;
  const length = node.items.length - (isWithin ? 1 : 0);
  if (index !== undefined) {
    const at = index < 0 ? length + index : index;
    if (at < 0 || at > length) throw noIndex(to, index);
    return at;
  }
  if ((before ?? after) === undefined) return undefined;
  const beside = indexBeside(place, to, { before, after });
  return isWithin && leaving.index < beside ? beside - 1 : beside;
}

/** Returns the index in a mapping once the part has left it; undefined for the usual place. */
function indexInMapping(
  to: Located,
  { entries }: MappingNode,
  { before, after, index }: Given,
  leaving?: PathStep,
): number | undefined {
  const others = entries.filter(({ value }) => value !== leaving?.part.value);
  if (index !== undefined) {
    const at = index < 0 ? others.length + index : index;
    if (at < 0 || at > others.length) throw noIndex(to, index);
    return at;
  }
  const neighbour = before ?? after;
  if (neighbour === undefined) return undefined;
  const at =
    after === undefined
      ? others.findIndex(({ name }) => name === neighbour)
      : others.findLastIndex(({ name }) => name === neighbour);
  if (at === -1) throw notFound({ ...to, missing: [neighbour] }, [...to.path, neighbour], 'insert beside');
  return after === undefined ? at : at + 1;
}

/** A part as it was taken, or as data. */
type Arriving = Taken | (Pick<Taken, 'part'> & { readonly json: ReturnType<typeof toValue> });

/** Returns the steps that insert the part as an entry or an item. A missing collection is a step of its own, so that the part keeps its comments. */
function arrivals(
  target: Target,
  to: Located,
  given: Given,
  arriving: Arriving,
  leaving?: PathStep,
): readonly Step[] {
  const step = arrival(target, to, given, arriving, leaving);
  if (to.missing.length === 0) return [step];
  const keys = to.missing.map(String);
  const empty = { json: step.key === undefined ? [] : {} };
  const made = newPart(target, to, { keys, isItem: false, value: empty });
  return [
    { ...made, doc: target.doc },
    { ...step, path: [...to.path, ...to.missing] },
  ];
}

function arrival(
  target: Target,
  to: Located,
  given: Given,
  arriving: Arriving,
  leaving?: PathStep,
): Insert & { readonly doc: number } {
  const { node, path } = to;
  const { index, after } = given;
  const name = given.key ?? arriving.part.name;
  const value = 'json' in arriving ? { json: arriving.json } : { taken: arriving };
  const step = { do: 'insert', doc: target.doc, path, value, isClose: after !== undefined } as const;
  const isAny = !exists(to) || canGrow(node);
  const isList = isAny ? index !== undefined || name === undefined : node.kind === 'sequence';
  if (isList && given.key === undefined) return { ...step, index: indexInList(target, to, given, leaving) };
  if (name === undefined)
    throw new Refusal(
      'VALUE_INVALID',
      `Cannot put an item of a list into ${shownPath(path)}: it has no key`,
      {},
      { advice: ['Give the "key" that it gets there'] },
    );
  if (isAny) return { ...step, key: name };
  if (node.kind !== 'mapping') throw notA('mapping', to);
  if (leaving?.container !== node || leaving.part.value !== valueNamed(node, name))
    requireNewKey(to, node, name);
  return { ...step, key: name, index: indexInMapping(to, node, given, leaving) };
}

function valueNamed({ entries }: MappingNode, name: string): SpanNode | undefined {
  return entries.find((entry) => entry.name === name)?.value;
}
