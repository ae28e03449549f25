// `set` replaces the node at a path, or creates the mapping keys that lead to it.

import { unlessRefused } from '../../security/errors/refusal.ts';
import type { NodePath } from '../../security/node-paths/node-path.ts';
import { isUnmarkedNothing } from '../edit/documents.ts';
import { newPart } from '../edit/new-part.ts';
import { hasComments, reconcile, type Wanted } from '../edit/reconcile.ts';
import { parseSource, type Target } from '../edit/source.ts';
import type { Step, Value } from '../edit/step.ts';
import type { Json } from '../tree/json.ts';
import { type Located, locate } from '../tree/locate.ts';
import { isCollection, outerStart, type SpanNode, sliceOf } from '../tree/span-tree.ts';
import { holdsActions } from '../tree/word-ends.ts';
import { toValue } from '../values/to-value.ts';
import { likelyPair } from './likely-pair.ts';
import { patchOf } from './merge.ts';
import { missingKeys, newLevels, pathExists } from './missing.ts';
import { A_VALUE, type Given, type OperationKind, sentValue } from './operation.ts';

export const set = {
  name: 'set',
  needs: [A_VALUE],
  may: ['create', 'if_missing'],
  steps: (target, path, given) =>
    given.if_missing === true && pathExists(target, path) ? [] : setSteps(target, path, given),
  notes: (target, path, given) => [
    ...newLevels(target, path, given),
    ...likelyPair(target, path, given, false),
  ],
} as const satisfies OperationKind;

/** Throws NODE_NOT_FOUND, TYPE_MISMATCH, DUPLICATE_KEY, ALIAS_CROSSED, VALUE_INVALID. */
function setSteps(target: Target, path: NodePath, { create = true, ...given }: Given): readonly Step[] {
  const located = locate(target.document, path);
  if (located.missing.length > 0) {
    const keys = missingKeys(located, path, 'set', create ? 'all' : 'none');
    return [newPart(target, located, { keys, isItem: false, value: sentValue(target, given) })];
  }
  const { value: text } = given;
  const sent = text === undefined || path.length > 0 ? text : withoutSurroundings(target, text);
  const isNewRoot = path.length === 0 && !isCollection(located.node);
  const value =
    isNewRoot && sent !== undefined ? { text: sent } : sentValue(target, { ...given, value: sent });
  if (isThere(target, located, sent, value)) return [];
  const { node } = located;
  const wanted = wantedOf(target, node, value);
  const steps = wanted && reconcile(target, node, located.path, wanted);
  if (steps !== undefined && (steps.length > 0 || 'json' in value)) return steps;
  return [{ do: 'replace', path: located.path, value }];
}

/** Removes the header and the last comments from a whole file that `config_get` returned: they stay where they are. */
function withoutSurroundings({ stream, document: { root } }: Target, source: string): string {
  const { text, documents } = stream;
  const head = text.slice(text.startsWith('\uFEFF') ? 1 : 0, outerStart(root));
  const tail = text.slice(root.end);
  if (documents.length > 1 || !source.startsWith(head) || !source.endsWith(tail)) return source;
  const isWhole = (head + tail).trim() !== '' && source.length >= head.length + tail.length;
  return isWhole ? source.slice(head.length, source.length - tail.length) : source;
}

/** True if the node is written so already. */
function isThere(
  { stream, document }: Target,
  { node, steps }: Located,
  sent: string | undefined,
  value: Value,
): boolean {
  // A slice as `config_get` returned it changes nothing, whatever its indentation.
  if (sent !== undefined) return sent === sliceOf(stream.text, node);
  if (!('json' in value)) return false;
  // Without a `---` nothing is written for null, and the file would get an empty line.
  if (steps.length === 0 && value.json === null && isUnmarkedNothing(stream.text, document)) return true;
  return isSameText(node, value.json);
}

/** True for the same string in quotes. A plain one is written again: some readers could read it as another value. */
function isSameText(node: SpanNode, json: Json): boolean {
  if (node.kind !== 'scalar' || node.properties?.tag !== undefined) return false;
  return (
    node.typedValue === json && typeof json === 'string' && (node.style !== 'plain' || holdsActions(node))
  );
}

/** Returns the data with which to reconcile the node; undefined for a text with comments of its own, or if there is nothing to keep. */
function wantedOf(target: Target, node: SpanNode, value: Value): Wanted | undefined {
  if ('json' in value) return { json: value.json, value };
  if (!('text' in value) || !hasComments(target, node)) return undefined;
  return unlessRefused(() => {
    const source = parseSource(value.text, target);
    if (source.comments.length > 0) return undefined;
    const json = toValue({ ...target.document, root: source.node, aliasTargets: new Map() }, source.node);
    const items =
      source.node.kind === 'sequence'
        ? source.node.items.map((item) => ({ text: sliceOf(source.text, item.value) }))
        : undefined;
    return { ...patchOf(target, value), json, items };
  });
}
