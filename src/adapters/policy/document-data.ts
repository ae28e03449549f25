// The data of a document for judging a change: the value at a path, with aliases and merges followed as readers do. Where
// readers may differ, the result is `unclear`: a tag, a repeated key, a scalar that YAML 1.1 reads in another way, a text that a
// template fills in, too many values.

import { unlessRefused } from '../../security/errors/refusal.ts';
import type { DataPath } from '../../security/node-paths/node-path.ts';
import { isAlike } from '../../security/policy/alike.ts';
import type { DocumentData, Found } from '../../security/policy/facts.ts';
import { mayHoldActions } from '../formats/template/lex-actions.ts';
import { isPlainScalar } from '../prove/expected.ts';
import { describeYaml11Reading } from '../review/yaml11-readings.ts';
import { isMerge, isQuotedMerge, keyText } from '../tree/keys.ts';
import { isDoubtfulMerge, mergedMappings, overridable, targetOf } from '../tree/resolved.ts';
import {
  type DocumentSpans,
  type Entry,
  type MappingNode,
  type ScalarNode,
  type SpanNode,
  type Stream,
  walk,
} from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { nodesWrittenInto } from './action-changes.ts';

/** In which ways readers may take a file differently. */
interface Readings {
  /** Whether there are several dialects of the format, as of YAML. */
  readonly hasDialects: boolean;
  /** Whether it is not a template, so that an action is a text like any other. */
  readonly isLiteral: boolean;
  /** Whether some readers see more lines, which may bring any key, also in a comment. */
  readonly hasOtherBreak: boolean;
}

/** What is asked of a mapping's keys, once for each mapping. */
interface Keys {
  readonly named: ReadonlyMap<string | undefined, readonly Entry[]>;
  /** The entries that only some readers merge. */
  readonly doubtful: readonly Entry[];
  /** The texts of keys that are aliases. */
  readonly aliased: ReadonlySet<string | undefined>;
  readonly merges: number;
  /** The entries that a merge below them may bring again. */
  readonly isOverridable: ReadonlySet<Entry>;
  readonly mayBeActions: boolean;
}

export class ParsedData implements DocumentData {
  readonly #text: string;
  readonly #stream: Stream;
  readonly #document: DocumentSpans;
  /** See action-places.ts. */
  #writtenInto: ReadonlySet<SpanNode> | undefined;
  readonly #readings: Readings;
  /** The results so far, because many rules ask for the same nodes. */
  readonly #found = new Map<string, Found>();
  readonly #keys = new Map<MappingNode, Keys>();

  constructor(stream: Stream, document: DocumentSpans, readings: Readings) {
    this.#text = stream.text;
    this.#stream = stream;
    this.#document = document;
    this.#readings = readings;
  }

  at(path: DataPath): Found {
    const key = JSON.stringify(path);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#read(path);
    this.#found.set(key, found);
    return found;
  }

  keysAt(path: DataPath): readonly string[] {
    const node = this.#nodeAt(path);
    const meant = typeof node === 'string' ? undefined : targetOf(this.#document, node);
    if (meant?.kind !== 'mapping') return [];
    return [...mergedMappings(this.#document, meant)].flatMap((source) =>
      (source?.entries ?? []).flatMap((entry) => (isMerge(entry) ? [] : this.#namesOf(entry))),
    );
  }

  /** A key that is an alias is also what it means to its readers. */
  #namesOf({ key, name }: Entry): readonly string[] {
    const target = key.kind === 'alias' ? targetOf(this.#document, key) : undefined;
    return [name, target && keyText(target)].filter((one) => one !== undefined);
  }

  lengthAt(path: DataPath): number | undefined {
    const node = this.#nodeAt(path);
    const meant = typeof node === 'string' ? undefined : targetOf(this.#document, node);
    const isList = meant?.kind === 'sequence' && meant.properties?.tag === undefined;
    return isList ? meant.items.length : undefined;
  }

  #nodeAt(path: DataPath): SpanNode | 'none' | 'unclear' {
    let node: SpanNode | 'none' | 'unclear' = this.#document.root;
    for (const part of path) {
      node = this.#partOf(targetOf(this.#document, node), part);
      if (typeof node === 'string') return node;
    }
    return node;
  }

  #read(path: DataPath): Found {
    if (this.#readings.hasOtherBreak) return 'unclear';
    const node = this.#nodeAt(path);
    if (typeof node === 'string') return node;
    const meant = targetOf(this.#document, node);
    if (meant === undefined || !this.#isClear(meant)) return 'unclear';
    return unlessRefused(() => ({ value: toValue(this.#document, meant) })) ?? 'unclear';
  }

  #partOf(node: SpanNode | undefined, part: string | number): SpanNode | 'none' | 'unclear' {
    if (node === undefined || node.properties?.tag !== undefined) return 'unclear';
    const found = this.#knownPart(node, part);
    return found === 'none' && this.#mayBeWritten(node) ? 'unclear' : found;
  }

  #knownPart(node: SpanNode, part: string | number): SpanNode | 'none' | 'unclear' {
    if (node.kind === 'sequence')
      return typeof part === 'number' ? (node.items[part]?.value ?? 'none') : 'none';
    if (node.kind !== 'mapping' || typeof part === 'number') return 'none';
    return this.#valueIn(node, part);
  }

  /** True if an action may write a missing part: in place of the node, as a key of it, or next to it. */
  #mayBeWritten(node: SpanNode): boolean {
    if (this.#readings.isLiteral) return false;
    if (isOpen(node)) return true;
    if (node.kind === 'mapping' && this.#keysOf(node).mayBeActions) return true;
    this.#writtenInto ??= nodesWrittenInto(this.#stream, this.#document);
    return this.#writtenInto.has(node);
  }

  /** Returns the key's own value, or else that of the first merge; `unclear` for a key that a merge below it brings again. */
  #valueIn(mapping: MappingNode, key: string): SpanNode | 'none' | 'unclear' {
    let found: SpanNode | 'none' = 'none';
    for (const source of mergedMappings(this.#document, mapping)) {
      if (source === undefined) return 'unclear';
      const { named, doubtful, aliased, merges, isOverridable } = this.#keysOf(source);
      const [own, second] = named.get(key) ?? [];
      // Another entry may be this key: one with an alias or a tag as its key, or what only some readers merge.
      const isElsewhere = aliased.has(key) || doubtful.some(({ name }) => name !== key);
      if (second !== undefined || isElsewhere || merges > 1) return 'unclear';
      if (own === undefined) continue;
      if (found !== 'none') return 'unclear';
      found = own.value;
      if (!isOverridable.has(own)) return found;
    }
    return found;
  }

  #keysOf(mapping: MappingNode): Keys {
    const known = this.#keys.get(mapping);
    if (known !== undefined) return known;
    const { entries } = mapping;
    const named = new Map<string | undefined, Entry[]>();
    const aliased = new Set<string | undefined>();
    for (const entry of entries) {
      const same = named.get(entry.name);
      if (same === undefined) named.set(entry.name, [entry]);
      else same.push(entry);
      const target = entry.key.kind === 'alias' ? this.#document.aliasTargets.get(entry.key) : undefined;
      if (target !== undefined) aliased.add(keyText(target));
    }
    const keys = {
      ...{ named, aliased },
      doubtful: entries.filter((entry) => isDoubtfulMerge(this.#document, entry)),
      merges: entries.filter(isMerge).length,
      isOverridable: new Set(overridable(mapping)),
      mayBeActions: entries.some(({ name = '' }) => mayHoldActions(name)),
    };
    this.#keys.set(mapping, keys);
    return keys;
  }

  #isDoubtful(node: ScalarNode): boolean {
    const { hasDialects, isLiteral } = this.#readings;
    const source = this.#text.slice(node.start, node.end);
    return hasDialects && ((!isLiteral && mayHoldActions(source)) || isReadDifferently(node, source));
  }

  /** True if the node is clear to all readers, with all that its aliases lead to. */
  #isClear(root: SpanNode, asked = new Set<SpanNode>()): boolean {
    if (asked.has(root)) return true;
    asked.add(root);
    for (const node of walk(root)) {
      if (node.properties?.tag !== undefined) return false;
      if (node.kind === 'mapping' && node.entries.some((entry) => isDoubtfulMerge(this.#document, entry)))
        return false;
      if (node.kind === 'scalar' && this.#isDoubtful(node)) return false;
      // A date of TOML is no text.
      const isPlain = !this.#readings.hasDialects && node.kind === 'scalar' && node.style === 'plain';
      if (isPlain && typeof node.typedValue === 'string') return false;
      const target = node.kind === 'alias' ? targetOf(this.#document, node) : undefined;
      if (target !== undefined && !this.#isClear(target, asked)) return false;
    }
    return true;
  }
}

/** A number that ends in a zero is the same number to all, and what a merge brings is looked at where it stands. */
const TRAILING_ZERO = /^[-+]?[0-9]+\.[0-9]*0$/;
/** A number too long to be tested for other readings. */
const LONG_NUMBER = /^[-+]?(?:[0-9][0-9_:.]{60,}|0[xXoObB][0-9a-fA-F_]{60,})$/;
/** Numbers of YAML that JSON does not have. */
const NO_NUMBER_OF_JSON = /^[-+]?\.(?:inf|nan)$/i;
/** Line breaks for readers of YAML 1.1. */
const OTHER_BREAK = /\r(?!\n)|[\u0085\u2028\u2029]/;

function isReadDifferently(node: ScalarNode, source: string): boolean {
  if (OTHER_BREAK.test(source)) return true;
  if (node.style !== 'plain') return false;
  if (LONG_NUMBER.test(source) || NO_NUMBER_OF_JSON.test(source)) return true;
  // A number that JSON cannot hold exactly has its source text as its value here.
  if (typeof node.typedValue === 'string' && !Number.isNaN(Number(source.replaceAll('_', '')))) return true;
  return source !== '<<' && !TRAILING_ZERO.test(source) && describeYaml11Reading(source) !== undefined;
}

/** True for a key with a tag, one that a template fills in, or one that some readers take for a merge. `name` is what it means. */
export function isAnyKey(entry: Entry, name: string): boolean {
  const isDoubtfulMerge = isQuotedMerge(entry) || (entry.key.kind === 'alias' && name === '<<');
  return isDoubtfulMerge || entry.key.properties?.tag !== undefined || mayHoldActions(name);
}

/** True for a scalar without quotes in which an action of a template may write a collection. */
export function isOpen(node: SpanNode): boolean {
  return node.kind === 'scalar' && isPlainScalar(node) && mayHoldActions(node.value);
}

/** True if to some readers the order of the keys decides: which of a merge and a key comes later, or of two spellings of one key. */
export function isOrderDecisive(node: SpanNode | undefined): boolean {
  return node?.kind === 'mapping' && (node.entries.some(isMerge) || hasAlikeKeys(node));
}

/** The most keys that are compared with one another; with more, any two may be alike. */
const MAX_SPELLINGS = 100;

/** True if some reader takes two keys for one, such as `yes` and `true`, or `80` and `0x50`. */
function hasAlikeKeys({ entries }: MappingNode): boolean {
  const names = entries.flatMap(({ name }) => (name !== undefined && SPELLED.test(name) ? [name] : []));
  if (names.length > MAX_SPELLINGS) return true;
  return names.some((name, at) => names.slice(0, at).some((other) => isAlike(name, other)));
}

const SPELLED = /^(?:[-+.]?\d.*|y|yes|n|no|on|off|true|false|null|~|)$/iu;
