// Warns a reviewer of what the diff does not show, such as characters that make a reader see something else than what is there.

import type { Edit } from '../../security/edits/edit.ts';
import { keyOf, type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { disguisedLetters, replaceLookAlikes } from '../../security/text/look-alikes.ts';
import { type ChangedNode, changedNodes } from '../compare/find-changes.ts';
import { shownSpan } from '../shown/shown.ts';
import { visitNodes } from '../tree/keys.ts';
import type { SpanNode, Stream } from '../tree/span-tree.ts';
import { findChangedKinds, findReplacedKeys, isQuestion } from './changed-kind.ts';
import { findLikelyTypos } from './likely-typos.ts';
import { findStaleNames, findStaleVersion } from './stale-references.ts';
import { findTemplateNotes } from './template-notes.ts';
import { describeYaml11Reading } from './yaml11-readings.ts';

const MAX_WARNINGS = 20;
/** The most changes that are examined: no one can follow more path by path, and the diff shows all of them. */
const MAX_CHANGES = 500;
const DECEIVES = 'In the new text';
const RUNS_CODE = 'makes some readers run code.';
/** The most renamed keys whose old names are looked for, each in the whole file. */
const MAX_RENAMED = 10;
/** The most new keys that are compared, each with up to two thousand others. */
const MAX_COMPARED_KEYS = 20;

/** Returns the hazards of what is new, each in one sentence. `placed` are new keys whose place the call has named: no typing errors. */
export function findWarnings(
  base: Stream,
  result: Stream,
  edits: readonly Edit[],
  { hasDialects, placed }: { readonly hasDialects: boolean; readonly placed: readonly string[] },
): string[] {
  const everyChange = changedNodes(base, result);
  const changes = everyChange.slice(0, MAX_CHANGES);
  const [added, renamed] = (['add', 'rename'] as const).map((op) => changes.filter((one) => one.op === op));
  const compared = new Set(added?.slice(0, MAX_COMPARED_KEYS));
  const inserted = edits.map(({ insert }) => insert).join('\n');
  const found = new Set([
    ...changes.flatMap((change) => {
      const isCompared = compared.has(change) && !placed.includes(keyOf(change.path.at(-1)) ?? '');
      return [
        ...findLikelyTypos(result, change, isCompared),
        ...findStaleVersion(base, result, change),
        ...(change.op !== 'add' || compared.has(change) ? findChangedKinds(base, result, change) : []),
        ...(hasDialects ? hazardsOf(result, change) : []),
      ];
    }),
    ...(renamed ?? []).slice(0, MAX_RENAMED).flatMap((change) => [...findStaleNames(result, change)]),
    ...findReplacedKeys(changes),
    ...findHiddenCharacters(inserted).map((deception) => `${DECEIVES} ${deception}.`),
    ...spelledOut(base, inserted),
    ...findTemplateNotes(base, result, changes, edits),
    ...boundNote(
      compared.size,
      added?.length ?? 0,
      'new keys and items were compared with those beside them',
    ),
  ]);
  const all = mostUrgentFirst([...found]);
  const more = all.length > MAX_WARNINGS ? [`… and ${all.length - MAX_WARNINGS} more.`] : [];
  const cut = boundNote(changes.length, everyChange.length, 'changes were looked over for warnings');
  return [...all.slice(0, MAX_WARNINGS), ...more, ...cut];
}

function boundNote(looked: number, all: number, what: string): readonly string[] {
  return looked < all ? [`Only the first ${looked} of ${all} ${what}.`] : [];
}

/** A character by its number, as replies show one that is hard to see. */
function spelledOut(base: Stream, inserted: string): readonly string[] {
  const [sign, code] = SHOWN_CHARACTER.exec(inserted) ?? [];
  if (sign === undefined || base.text.includes(sign)) return [];
  return [
    `The new text spells out ${code} in brackets, as replies do for a character that is hard to see. Did you mean the character itself?`,
  ];
}

/** Sorts urgent warnings first, so that none is hidden behind others where not all are shown; unimportant ones are easily provoked. */
function mostUrgentFirst(warnings: string[]): string[] {
  if (warnings.length <= MAX_WARNINGS) return warnings;
  const [questions, others] = [warnings.filter(isQuestion), warnings.filter((one) => !isQuestion(one))];
  const isUrgent = (warning: string) => warning.startsWith(DECEIVES) || warning.endsWith(RUNS_CODE);
  return [...questions, ...others.filter(isUrgent), ...others.filter((one) => !isUrgent(one))];
}

/** Yields what readers of YAML take differently in what is new. */
function* hazardsOf(stream: Stream, { op, path, step, next }: ChangedNode): Generator<string> {
  if (next === undefined) return;
  if (op !== 'replace' && step !== undefined && 'key' in step.part)
    yield* hazardsWithin(stream, step.part.key, path, 'key');
  if (op !== 'rename') yield* hazardsWithin(stream, next, path, 'value');
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
  const name = path.length === 0 ? 'the root' : printNodePath(path);
  const tag = node.properties?.tag;
  if (tag !== undefined) {
    const source = shownSpan(stream, tag);
    if (CODE_TAG.test(source)) yield `${name}: the tag ${source} ${RUNS_CODE}`;
  } else if (node.kind === 'scalar' && node.style === 'plain') {
    const reading = describeYaml11Reading(shownSpan(stream, node), role);
    if (reading === undefined) return;
    yield `${name}: ${role === 'key' ? 'the key ' : ''}${reading}. Quote it if it is meant as text.`;
  }
}

/** Tags by which YAML libraries build objects: in shorthand, by any handle, or written out. */
const CODE_TAG =
  /^!(?:[\w-]*!|<tag:yaml\.org,2002:)(?:js|python|ruby|perl|java|php)\b|^!(?:ruby|py|perl|php)\/|^!!?javax?\./;

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
