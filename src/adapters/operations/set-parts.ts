// Plans `set` of an existing mapping or list to data without comments: only the keys that differ change, or the items of a list move,
// so that the comments of the others stay. Where that would not give the same data in the same order, all of it is replaced.
import { type NodePath, printNodePath, unlessRefused } from '../../security/index.ts';
import { withoutComments } from '../edit/fragment.ts';
import type { PlanContext } from '../edit/intent.ts';
import type { Json } from '../tree/json.ts';
import { locate } from '../tree/locate.ts';
import { type DocumentSpans, isSectional, type MappingNode, type SpanNode } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { argumentsOf, type Patch, patchOfValue } from './merge.ts';
import { type Given, newValue, type Step } from './operation.ts';
import { hasComments, isFree, reorderSteps } from './reorder.ts';

/** The most steps, each of which may read the file anew. */
const MAX_STEPS = 40;

/** Returns the steps; none if the node has this data already, and undefined if it has to be replaced as a whole. */
export function stepsToData(context: PlanContext, path: NodePath, given: Given): readonly Step[] | undefined {
  const steps = stepsBetween(context, path, given);
  if (steps !== undefined && steps.length <= MAX_STEPS) return steps;
  const moves = reorderSteps(context, path, given);
  // Items that are sent as text are written in the style of that text.
  return moves?.length === 0 && given.value !== undefined ? undefined : moves;
}

/** Returns the steps for the keys that differ; undefined if they cannot be told. */
function stepsBetween(context: PlanContext, path: NodePath, given: Given): readonly Step[] | undefined {
  const { stream, document } = context;
  const { node, missing, path: there } = locate(document, path);
  if (missing.length > 0 || (node.kind !== 'mapping' && node.kind !== 'sequence') || isSectional(node))
    return undefined;
  if (stream.actions !== undefined || !hasComments(context, node) || !isFree(node)) return undefined;
  const json = given.value === undefined ? given.json : dataOf(context, given.value);
  if (typeof json !== 'object' || json === null) return undefined;
  return partSteps(document, node, there, { json, patch: patchOfValue(newValue(given), context) });
}

/** Returns the data of a source; undefined if that brings comments of its own, or is refused anyway. */
function dataOf(context: PlanContext, source: string): Json | undefined {
  return unlessRefused(() => {
    const plain = withoutComments(source, context);
    return plain && toValue(plain.document, plain.document.root);
  });
}

interface Wanted<Data extends Json = Json> {
  readonly json: Data;
  /** The same data as the caller wrote it; undefined within a list. */
  readonly patch: Patch | undefined;
}

type Members = { readonly [key: string]: Json };

function isMembers(json: Json | undefined): json is Members {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function changesOf(
  document: DocumentSpans,
  { entries }: MappingNode,
  path: NodePath,
  { json, patch }: Wanted<Members>,
): readonly Step[] | undefined {
  const names = entries.map(({ name }) => name);
  const keys = Object.keys(json);
  const stays = names.filter((name) => name !== undefined && Object.hasOwn(json, name));
  const isOrdered = keys.filter((key) => names.includes(key)).join('\n') === stays.join('\n');
  const [first] = stays;
  if (first === undefined || !isOrdered || new Set(names).size < names.length || names.includes(undefined))
    return undefined;
  const at = (name: string) => printNodePath([...path, name]);
  const steps: Step[] = names.flatMap((name) =>
    name === undefined || Object.hasOwn(json, name) ? [] : [{ op: 'delete', path: at(name) } as const],
  );
  const last = keys.findLastIndex((key) => names.includes(key));
  for (const [place, key] of keys.entries()) {
    const value = json[key] ?? null;
    const wanted = { json: value, patch: patch?.members?.get(key) };
    const old = entries[names.indexOf(key)]?.value;
    if (old !== undefined) steps.push(...valueSteps(document, old, [...path, key], wanted));
    else if (place > last) steps.push({ op: 'set', path: at(key), ...written(wanted) });
    else {
      const before = keys[place - 1];
      const beside = before === undefined ? { before: first } : { after: before };
      steps.push({ op: 'insert', path: printNodePath(path), key, ...beside, ...written(wanted) });
    }
  }
  return steps;
}

/** Returns the steps for a part; undefined if the value is of another kind, or its parts cannot be matched. */
function partSteps(
  document: DocumentSpans,
  node: SpanNode,
  path: NodePath,
  { json, patch }: Wanted,
): readonly Step[] | undefined {
  if (node.kind === 'mapping' && isMembers(json)) return changesOf(document, node, path, { json, patch });
  if (node.kind !== 'sequence' || !Array.isArray(json) || node.items.length !== json.length) return undefined;
  const pairs = node.items.map(({ value }, index) => ({ value, index, wanted: json[index] ?? null }));
  if (!pairs.every(({ value, wanted }) => isSameItem(document, value, wanted))) return undefined;
  return pairs.flatMap(({ value, index, wanted }) =>
    valueSteps(document, value, [...path, index], { json: wanted, patch: undefined }),
  );
}

/** True for an item that is as it was, or a mapping whose first entry is. */
function isSameItem(document: DocumentSpans, node: SpanNode, json: Json): boolean {
  const [first] = node.kind === 'mapping' ? node.entries : [];
  if (first?.name === undefined || !isMembers(json)) return isSame(document, node, json);
  return Object.hasOwn(json, first.name) && isSame(document, first.value, json[first.name] ?? null);
}

function isSame(document: DocumentSpans, node: SpanNode, json: Json): boolean {
  const data = unlessRefused(() => toValue(document, node));
  return data !== undefined && JSON.stringify(data) === JSON.stringify(json);
}

function valueSteps(
  document: DocumentSpans,
  node: SpanNode,
  path: NodePath,
  wanted: Wanted,
): readonly Step[] {
  if (isSame(document, node, wanted.json)) return [];
  return (
    partSteps(document, node, path, wanted) ?? [{ op: 'set', path: printNodePath(path), ...written(wanted) }]
  );
}

function written({ json, patch }: Wanted): Pick<Step, 'value' | 'json'> {
  return patch === undefined ? { json } : argumentsOf(patch.value);
}
