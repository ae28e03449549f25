// `merge` changes several keys of a mapping at once, like JSON Merge Patch (RFC 7396) and Helm's value files. Mappings are merged key
// by key, null removes a key, and any other value replaces the old one. Each change is a step of its own.

import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { newPart } from '../edit/new-part.ts';
import { pieceOf } from '../edit/piece.ts';
import { isMembers, reconcile } from '../edit/reconcile.ts';
import { parseSource, type Source, type Target } from '../edit/source.ts';
import type { Step, Value } from '../edit/step.ts';
import { commentsWithin, headStart, trailingText } from '../tree/comments.ts';
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
import { toValue } from '../values/to-value.ts';
import { missingKeys, newLevels, notA } from './missing.ts';
import { A_VALUE, type Given, type OperationKind, sentValue } from './operation.ts';

export const merge = {
  name: 'merge',
  needs: [A_VALUE],
  may: ['create', 'if_missing'],
  steps: mergeSteps,
  notes: (target, path, given) => [
    ...newLevels(target, path, given),
    ...(given.if_missing === true ? [] : notesOf(target, path, sentValue(target, given))),
  ],
} as const satisfies OperationKind;

/** The change of one node. */
export interface Patch {
  readonly json: Json;
  readonly value: Value;
  /** The lines of the comment above a new key. */
  readonly above: readonly string[];
  /** For a mapping: the changes by key. */
  readonly members: ReadonlyMap<string, Patch> | undefined;
  readonly isNull: boolean;
}

/** Throws VALUE_INVALID if the value, and TYPE_MISMATCH or ALIAS_CROSSED if the node, is not a mapping. */
function mergeSteps(target: Target, path: NodePath, given: Given): readonly Step[] {
  const located = locate(target.document, path);
  const keys = missingKeys(located, path, 'merge into', given.create === false ? 'none' : 'all');
  const patch = patchOf(target, sentValue(target, given));
  if (patch.members === undefined)
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot merge this value: it is no mapping',
      {},
      { advice: ['Use op "set" for a list or a scalar'] },
    );
  if (keys.length > 0) {
    const value = hasNull(patch) ? { json: withoutNulls(patch) } : patch.value;
    return [newPart(target, located, { keys, isItem: false, value })];
  }
  if (!canGrow(located.node) && located.node.kind !== 'mapping') throw notA('mapping', located, 'merge into');
  return new Merge(target, given.if_missing === true).steps(located.node, located.path, patch);
}

class Merge {
  readonly #target: Target;
  /** True if existing values stay. */
  readonly #isOnlyMissing: boolean;

  constructor(target: Target, isOnlyMissing: boolean) {
    this.#target = target;
    this.#isOnlyMissing = isOnlyMissing;
  }

  /** Returns the steps for an existing node. */
  steps(old: SpanNode, path: NodePath, patch: Patch): readonly Step[] {
    const { members, isNull: isRemoved, value } = patch;
    if (this.#isOnlyMissing && (isRemoved || members === undefined || !canHold(old))) return [];
    if (isRemoved) return [{ do: 'remove', path }];
    if (members === undefined) return this.#replaced(old, path, patch);
    if (old.kind === 'alias') {
      const [key = ''] = members.keys();
      // Throws ALIAS_CROSSED.
      locate(this.#target.document, [...path, key]);
    }
    if (old.kind === 'mapping')
      return [...members].flatMap(([key, member]) => this.#key(old, path, key, member));
    if (isWritten(old) && (members.size > 0 || this.#mayBeMapping(old)))
      return [...members].flatMap(([key, { value, isNull: isAbsent }]): Step[] =>
        isAbsent ? [] : [{ do: 'insert', path, key, value }],
      );
    return [{ do: 'replace', path, value: hasNull(patch) ? { json: withoutNulls(patch) } : value }];
  }

  #key(node: SpanNode, path: NodePath, key: string, member: Patch): readonly Step[] {
    const old = valueAt(node, key);
    if (old !== undefined) return this.steps(old, [...path, key], member);
    if (member.isNull) return [];
    return [{ do: 'insert', path, key, value: this.#newValue(member) }];
  }

  #newValue(patch: Patch): Value {
    const { value, above } = patch;
    if (hasNull(patch)) return { json: withoutNulls(patch) };
    if (above.length === 0 || !('text' in value)) return value;
    return { taken: { ...parseSource(value.text, this.#target), above } };
  }

  #replaced(old: SpanNode, path: NodePath, patch: Patch): readonly Step[] {
    const isSame = 'json' in patch.value && isData(this.#target, old, patch.json);
    const steps = isSame
      ? []
      : old.kind === 'sequence'
        ? reconcile(this.#target, old, path, patch)
        : undefined;
    return steps ?? [{ do: 'replace', path, value: patch.value }];
  }

  /** True if template actions may write a mapping there, which cannot be merged into. On a single line they write a scalar. */
  #mayBeMapping({ start, end }: SpanNode): boolean {
    return /\n|\bn?indent\b|\btoYaml\b/.test(this.#target.stream.text.slice(start, end));
  }
}

function isData({ document }: Target, node: SpanNode, json: Json): boolean {
  return unlessRefused(() => JSON.stringify(toValue(document, node))) === JSON.stringify(json);
}

/** True if keys can be merged into it. */
function canHold(node: SpanNode): boolean {
  return node.kind === 'mapping' || canGrow(node) || isWritten(node);
}

/** Notes nulls that have no effect: null is often meant as a value, as in a list of volumes. */
function notesOf(target: Target, path: NodePath, value: Value): readonly string[] {
  const { node, missing } = locate(target.document, path);
  const old = missing.length === 0 ? node : undefined;
  const paths = absentKeys(old, path, patchOf(target, value)).map((one) => printNodePath(one));
  if (paths.length === 0) return [];
  const named = paths.slice(0, MOST_NAMED).map(visibleLine).join(', ');
  const rest = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return [
    `${named}${rest}: null takes a key away in a merge, and there is none. To write null use op "set".`,
  ];
}

const MOST_NAMED = 3;

/** Returns the keys that null would remove but that do not exist. */
function absentKeys(old: SpanNode | undefined, path: NodePath, patch: Patch): readonly NodePath[] {
  if (patch.isNull) return old === undefined ? [path] : [];
  return [...(patch.members ?? [])].flatMap(([key, member]) =>
    absentKeys(valueAt(old, key), [...path, key], member),
  );
}

function valueAt(node: SpanNode | undefined, key: string): SpanNode | undefined {
  if (node?.kind !== 'mapping') return undefined;
  const [index] = indexesOf(node, key);
  return index === undefined ? undefined : node.entries[index]?.value;
}

function hasNull({ members }: Patch): boolean {
  return members !== undefined && [...members.values()].some((one) => one.isNull || hasNull(one));
}

/** Returns the data of a patch that is applied to nothing. */
function withoutNulls({ json, members }: Patch): Json {
  if (members === undefined) return json;
  const kept = [...members].filter(([, { isNull: isAbsent }]) => !isAbsent);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Returns the patch that a value describes. Throws VALUE_INVALID. */
export function patchOf(target: Target, value: Value): Patch {
  if ('json' in value) return patchOfJson(value.json);
  const source = 'taken' in value ? value.taken : parseSource(value.text, target);
  return patchOfNode(target, source, source.node, '', '');
}

function patchOfJson(json: Json): Patch {
  const members = isMembers(json)
    ? new Map(Object.entries(json).map(([key, part]) => [key, patchOfJson(part)]))
    : undefined;
  return { json, value: { json }, above: [], members, isNull: json === null };
}

/** `above` is the comment above the key, `behind` the one at the end of its line. */
function patchOfNode(target: Target, source: Source, node: SpanNode, above: string, behind: string): Patch {
  const text = sliceOf(source.text, node) + behind;
  // A value with an anchor or a tag replaces the old one as a whole.
  const isMerged = node.kind === 'mapping' && node.properties === undefined;
  const members = isMerged
    ? new Map(node.entries.map((entry) => [nameOf(entry), memberOf(target, source, node, entry)]))
    : undefined;
  return {
    // An alias has no data outside of its document.
    json:
      unlessRefused(() =>
        toValue({ ...target.document, root: source.node, aliasTargets: new Map() }, node),
      ) ?? null,
    value: { text },
    above: above === '' ? [] : above.split('\n'),
    members,
    isNull: isNull(node),
  };
}

function memberOf(target: Target, source: Source, node: SpanNode, entry: Entry): Patch {
  const { text, comments } = source;
  const { start, value } = entry;
  const stream = { ...target.stream, text, comments };
  const above = text
    .slice(headStart(stream, start), start)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
  if (!isFlowCollection(node)) return patchOfNode(target, source, value, above, trailingText(stream, value));
  const last = commentsWithin(comments, entry.end, pieceOf(stream, entry).stop).at(-1);
  return patchOfNode(
    target,
    source,
    value,
    above,
    last === undefined ? '' : ` ${text.slice(last.start, last.end)}`,
  );
}

function nameOf({ name }: Entry): string {
  if (name !== undefined) return name;
  throw new Refusal('VALUE_INVALID', 'Cannot merge this value: a key of it is a list or a mapping', {}, {});
}
