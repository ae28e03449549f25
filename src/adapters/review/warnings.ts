// Warns a reviewer of what the diff does not show, such as characters that make a reader see something else than what is there.
import {
  disguisedLetters,
  type Edit,
  keyOf,
  type NodePath,
  printNodePath,
  replaceLookAlikes,
} from '../../security/index.ts';
import { shownSpan } from '../shown/shown.ts';
import { visitNodes } from '../tree/keys.ts';
import type { DocumentSpans, MappingNode, SpanNode, Stream } from '../tree/span-tree.ts';
import { findChangedKinds, findEmptied, findReplacedKeys, isQuestion } from './changed-kind.ts';
import { type ChangedNode, changedNodes } from './changed-nodes.ts';
import { findLikelyTypos } from './likely-typos.ts';
import { findMergeEffects } from './merge-effects.ts';
import { findStaleNames } from './stale-names.ts';
import { findStaleVersion } from './stale-version.ts';
import { findTemplateNotes } from './template-notes.ts';
import { describeYaml11Reading, yaml11Key } from './yaml11-readings.ts';

const MAX_WARNINGS = 20;
/** The most changes that are looked over; nobody can follow more path by path, and the diff shows all of them. */
const MAX_CHANGES = 500;
const DECEIVES = 'In the new text';
const RUNS_CODE = 'makes some readers run code.';
/** The most renamed keys whose old names are looked for, each in the whole file. */
const MAX_RENAMED = 10;
/** The most keys that are compared, each with up to two thousand others. */
const MAX_COMPARED_KEYS = 20;

/**
 * Returns the hazards of what is new, each in one sentence that names its path or characters. Yields between its steps, so that
 * other calls can be served. `placed` are new keys whose place the call has named, so that they are no typing errors.
 */
export function* findWarnings(
  base: Stream,
  result: Stream,
  edits: readonly Edit[],
  { hasDialects, placed }: { readonly hasDialects: boolean; readonly placed: readonly string[] },
): Generator<void, string[]> {
  const everyChange = changedNodes(base, result);
  const changes = everyChange.slice(0, MAX_CHANGES);
  const found = new Set<string>();
  let newKeys = 0;
  let renamed = 0;
  for (const change of changes) {
    if (change.op === 'add' && newKeys++ < MAX_COMPARED_KEYS) yield;
    const isCompared = newKeys <= MAX_COMPARED_KEYS && !placed.includes(keyOf(change.path.at(-1)) ?? '');
    for (const warning of findLikelyTypos(base, result, change, isCompared)) found.add(warning);
    for (const question of findStaleVersion(base, result, change)) found.add(question);
    if (change.op === 'rename' && renamed++ < MAX_RENAMED)
      for (const warning of findStaleNames(result, change)) found.add(warning);
    if (change.op !== 'add' || newKeys <= MAX_COMPARED_KEYS)
      for (const warning of findChangedKinds(base, result, change)) found.add(warning);
  }
  for (const effect of findMergeEffects(base, changes)) found.add(effect);
  for (const question of findReplacedKeys(changes)) found.add(question);
  for (const place of findEmptied(changes)) found.add(place);
  const looked = new Set<MappingNode>();
  if (hasDialects)
    for (const change of changes) for (const warning of hazardsOf(result, change, looked)) found.add(warning);
  const inserted = edits.map(({ insert }) => insert).join('\n');
  for (const deception of findHiddenCharacters(inserted)) found.add(`${DECEIVES} ${deception}.`);
  const [sign, code] = SHOWN_CHARACTER.exec(inserted) ?? [];
  if (sign !== undefined && !base.text.includes(sign))
    found.add(
      `The new text spells out ${code} in brackets, as replies do for a character that is hard to see. Did you mean the character itself?`,
    );
  if (newKeys > MAX_COMPARED_KEYS)
    found.add(
      `Only the first ${MAX_COMPARED_KEYS} of ${newKeys} new keys and items were compared with those beside them.`,
    );
  for (const note of findTemplateNotes(base, result, changes, edits)) found.add(note);
  const all = mostUrgentFirst([...found]);
  const shown =
    all.length <= MAX_WARNINGS
      ? all
      : [...all.slice(0, MAX_WARNINGS), `… and ${all.length - MAX_WARNINGS} more.`];
  const isCut = everyChange.length > MAX_CHANGES;
  return isCut
    ? [
        ...shown,
        `Only the first ${MAX_CHANGES} of ${everyChange.length} changes were looked over for warnings.`,
      ]
    : shown;
}

/** Sorts urgent warnings first, so that none is hidden behind others where not all are shown; unimportant ones are easily provoked. */
function mostUrgentFirst(warnings: string[]): string[] {
  if (warnings.length <= MAX_WARNINGS) return warnings;
  const [questions, others] = [warnings.filter(isQuestion), warnings.filter((one) => !isQuestion(one))];
  const isUrgent = (warning: string) => warning.startsWith(DECEIVES) || warning.endsWith(RUNS_CODE);
  return [...questions, ...others.filter(isUrgent), ...others.filter((one) => !isUrgent(one))];
}

/** Yields the hazards of a change; `looked` holds the mappings whose keys were compared already. */
function* hazardsOf(
  stream: Stream,
  { op, path, step, next, after: document }: ChangedNode,
  looked: Set<MappingNode>,
): Generator<string> {
  if (next === undefined || document === undefined) return;
  if (op !== 'replace' && step?.next?.kind === 'mapping' && 'key' in step.part) {
    if (!looked.has(step.next)) yield* collisions(step.next, path.slice(0, -1));
    looked.add(step.next);
    yield* hazardsWithin(stream, step.part.key, path, 'key');
  }
  if (op === 'rename') return;
  yield* hazardsWithin(stream, next, path, 'value');
  yield* cyclesWithin(stream.text, document, next, path);
}

/** An alias stands behind its anchor, so one that leads in a circle is within the node that it means. */
function cyclesWithin(
  text: string,
  { aliasTargets }: DocumentSpans,
  root: SpanNode,
  above: NodePath,
): string[] {
  const found: string[] = [];
  visitNodes(text, root, (node, below) => {
    const target = node.kind === 'alias' ? aliasTargets.get(node) : undefined;
    if (node.kind !== 'alias' || target === undefined || target.start > node.start || node.end > target.end)
      return;
    found.push(
      `${nameOf([...above, ...below])}: the alias *${node.name} leads back into its own node, which most programs cannot read.`,
    );
  });
  return found;
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
    // Nobody takes a quoted key, or one without another reading, for another key.
    if (key.kind !== 'scalar' || (key.style !== 'plain' && key.style !== 'empty')) continue;
    const name = key.value;
    const reading = yaml11Key(name);
    const other = seen.get(reading);
    if (other !== undefined && other !== name)
      yield `${nameOf(path)}: the keys ${other} and ${name} are one key for YAML 1.1 readers.`;
    seen.set(reading, name);
  }
}

/** Tags by which YAML libraries build objects: in shorthand, by any handle, or written out. */
const CODE_TAG =
  /^!(?:[\w-]*!|<tag:yaml\.org,2002:)(?:js|python|ruby|perl|java|php)\b|^!(?:ruby|py|perl|php)\/|^!!?javax?\./;

function* tagHazard(stream: Stream, { properties }: SpanNode, path: NodePath): Generator<string> {
  const tag = properties?.tag;
  if (tag === undefined) return;
  const source = shownSpan(stream, tag);
  if (CODE_TAG.test(source)) yield `${nameOf(path)}: the tag ${source} ${RUNS_CODE}`;
}

function nameOf(path: NodePath): string {
  return path.length === 0 ? 'the root' : printNodePath(path);
}

/** Hidden, reordering or odd-space characters, by their effect. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u, 'reorders the text around it (bidirectional control)'],
  [
    /[\u00ad\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u2d7f\u3164\ufeff\uffa0\ufffc\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}\u{e0000}-\u{e007f}]|\u034f|\p{Variation_Selector}/u,
    'is invisible',
  ],
  [
    /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/u,
    'looks like a space or line break and is none',
  ],
  [/[^\P{Cc}\t\n\r]/u, 'is a control character'],
];

const SHOWN_CHARACTER = /<(U\+[0-9A-F]{4,6})>/u;
const MAX_LETTERS = 5;

/** Returns one clause for each hidden character (as U+XXXX), and one for letters that look like others. */
function findHiddenCharacters(text: string): string[] {
  const characters = new Set<string>();
  for (const character of text.match(/[^\x20-\x7e\n\t]/gu) ?? []) characters.add(character);
  const hidden = [...characters].flatMap((character) => {
    const kind = KINDS.find(([pattern]) => pattern.test(character));
    return kind === undefined ? [] : [`${codePoint(character)} ${kind[1]}`];
  });
  return [...hidden, ...lookAlikes(text)];
}

function lookAlikes(text: string): string[] {
  const found = new Set<string>();
  replaceLookAlikes(text, (letter) => {
    found.add(codePoint(letter));
    return letter;
  });
  if (found.size > 0) {
    const some = [...found].slice(0, MAX_LETTERS).join(', ');
    return [
      `${some} only ${found.size === 1 ? 'looks like another sign' : 'look like other signs'}: a Latin letter, a dot, a colon or a slash`,
    ];
  }
  const letters = disguisedLetters(text).slice(0, MAX_LETTERS).map(codePoint);
  if (letters.length === 0) return [];
  return [`letters of another alphabet could be taken for Latin ones: ${letters.join(', ')}`];
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
