// What a reviewer should know of a change that the diff does not say by itself.

import type { Change, Edit } from '../../security/index.ts';
import { shownSpan } from '../shown/shown-source.ts';
import { locateIfClear } from '../tree/locate.ts';
import { type NodePath, parseNodePath, printNodePath } from '../tree/node-path.ts';
import type { MappingNode, SpanNode, Stream } from '../tree/span-tree.ts';
import { visitNodes } from '../tree/visit-nodes.ts';
import { findHiddenCharacters } from './hidden-characters.ts';
import { findLikelyTypos } from './likely-typos.ts';
import { type MergedEntries, mergeEffects } from './merge-effects.ts';
import { describeYaml11Reading, yaml11Key } from './yaml11-readings.ts';

const MAX_WARNINGS = 20;
/** Each is held against up to two thousand others. */
const MAX_COMPARED_KEYS = 20;

/** Hazards of what is new, each in one sentence that names its path or characters. Yields where others may be heard. */
export function* findWarnings(
  base: Stream,
  result: Stream,
  changes: readonly Change[],
  edits: readonly Edit[],
  hasDialects: boolean,
): Generator<void, string[]> {
  const found = new Set<string>();
  if (edits.length > 0 && changes.length === 0)
    found.add('No data changes: only comments, layout or spelling.');
  const merged: MergedEntries = new Map();
  let newKeys = 0;
  for (const change of changes) {
    if (change.op === 'add' && newKeys++ < MAX_COMPARED_KEYS) yield;
    for (const slip of findLikelyTypos(base, result, change, newKeys <= MAX_COMPARED_KEYS)) found.add(slip);
    for (const effect of mergeEffects(base, result, change, merged)) found.add(effect);
  }
  const looked = new Set<MappingNode>();
  if (hasDialects)
    for (const change of changes) for (const warning of hazardsOf(result, change, looked)) found.add(warning);
  for (const deception of findHiddenCharacters(edits.map(({ insert }) => insert).join('\n')))
    found.add(`In the new text ${deception}.`);
  if (newKeys > MAX_COMPARED_KEYS)
    found.add(
      `Only the first ${MAX_COMPARED_KEYS} of ${newKeys} new keys and items were compared with those beside them.`,
    );
  const all = [...found];
  return all.length <= MAX_WARNINGS
    ? all
    : [...all.slice(0, MAX_WARNINGS), `… and ${all.length - MAX_WARNINGS} more.`];
}

/** `looked`: mappings whose keys were compared with each other already. */
function* hazardsOf(stream: Stream, change: Change, looked: Set<MappingNode>): Generator<string> {
  const document = stream.documents[change.doc];
  if (change.op === 'remove' || change.op === 'comment' || document === undefined) return;
  const path = parseNodePath(change.path);
  const located = locateIfClear(document, path);
  if (located === undefined || located.missing.length > 0) return;
  const step = located.steps.at(-1);
  if (change.op !== 'replace' && step?.kind === 'entry') {
    if (!looked.has(step.container)) yield* collisions(step.container, path.slice(0, -1));
    looked.add(step.container);
    yield* hazardsWithin(stream, step.entry.key, path, 'key');
  }
  if (change.op !== 'rename') yield* hazardsWithin(stream, located.node, path, 'value');
}

function hazardsWithin(stream: Stream, root: SpanNode, above: NodePath, role: 'value' | 'key'): string[] {
  const found: string[] = [];
  visitNodes(stream.text, root, (node, below, key) => {
    const path = [...above, ...below];
    if (key !== undefined) found.push(...hazardsWithin(stream, key, path, 'key'));
    found.push(...hazardsOfNode(stream, node, path, below.length === 0 ? role : 'value'));
  });
  return found;
}

function* hazardsOfNode(
  stream: Stream,
  node: SpanNode,
  path: NodePath,
  role: 'value' | 'key',
): Generator<string> {
  yield* tagHazard(stream, node, path);
  if (node.kind === 'mapping') yield* collisions(node, path);
  if (node.kind !== 'scalar' || node.style !== 'plain' || node.properties?.tag !== undefined) return;
  const reading = describeYaml11Reading(shownSpan(stream, node), role);
  if (reading === undefined) return;
  yield `${nameOf(path)}: ${role === 'key' ? 'the key ' : ''}${reading}. Quote it if it is meant as text.`;
}

function* collisions(mapping: MappingNode, path: NodePath): Generator<string> {
  const seen = new Map<string, string>();
  for (const { key } of mapping.entries) {
    // What is quoted, or has no other reading, nobody takes for another key.
    if (key.kind !== 'scalar' || (key.style !== 'plain' && key.style !== 'empty')) continue;
    const name = key.value;
    const reading = yaml11Key(name);
    const other = seen.get(reading);
    if (other !== undefined && other !== name)
      yield `${nameOf(path)}: the keys ${other} and ${name} are one key for YAML 1.1 readers.`;
    seen.set(reading, name);
  }
}

/** Tags by which YAML libraries build objects, in shorthand, by any handle, or written out. */
const CODE_TAG =
  /^!(?:[\w-]*!|<tag:yaml\.org,2002:)(?:js|python|ruby|perl|java|php)\b|^!(?:ruby|py|perl|php)\/|^!!?javax?\./;

function* tagHazard(stream: Stream, { properties }: SpanNode, path: NodePath): Generator<string> {
  const tag = properties?.tag;
  if (tag === undefined) return;
  const source = shownSpan(stream, tag);
  if (CODE_TAG.test(source)) yield `${nameOf(path)}: the tag ${source} makes some readers run code.`;
}

function nameOf(path: NodePath): string {
  return path.length === 0 ? 'the root' : printNodePath(path);
}
