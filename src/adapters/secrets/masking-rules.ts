// Compiles the operator's rules about what is masked and what is shown. A node path that could be misread stops the start.

import { Refusal } from '../../security/errors/refusal.ts';
import { StartError } from '../../security/errors/start-error.ts';
import { misreadKey, type PathWord } from '../../security/node-paths/node-path.ts';
import { parsePath } from '../../security/node-paths/parse-path.ts';
import { compileMasked, compileShown } from '../../security/paths/masking-patterns.ts';
import type { SafePath } from '../../security/paths/safe-path.ts';
import type { MaskingPolicy, MaskingRules, Policy } from '../../security/policy/policy.ts';
import { quoted } from '../../security/text/visible.ts';
import { keyText } from '../tree/keys.ts';
import { targetOf } from '../tree/resolved.ts';
import type { DocumentSpans, Entry, MappingNode, SpanNode } from '../tree/span-tree.ts';
import { compileWildcard } from '../tree/wildcard.ts';

type List = 'mask-path' | 'show-path';

interface CompiledRules {
  /** The test for key names; undefined if no key is named. */
  readonly isKey: ((name: string) => boolean) | undefined;
  pathsIn(path: SafePath): readonly (readonly PathWord[])[];
}

/** Compiles the rules. Throws StartError for a pattern that cannot be used. */
export function rulesOf({ keys, paths }: MaskingRules, list: List, roots: Policy['roots']): CompiledRules {
  const compile = list === 'mask-path' ? compileMasked : compileShown;
  const places = paths.map((place) => ({
    matches: compile(place.files, roots),
    words: readings(wordsOf(place, list), list),
  }));
  return {
    isKey: keys.length === 0 ? undefined : anyOf(keys),
    pathsIn: (path) => places.flatMap((place) => (place.matches(path.components) ? place.words : [])),
  };
}

/** What is masked has its leading dot as a part of its key as well; what is shown has none. */
function readings(words: readonly PathWord[], list: List): readonly (readonly PathWord[])[] {
  const [first, ...rest] = words;
  return list === 'mask-path' && first?.kind === 'key' && first.hasDot === true
    ? [words, [{ ...first, key: `.${first.key}` }, ...rest]]
    : [words];
}

/** Throws StartError for a node path that cannot be used. */
export function requireMaskingPaths({ paths, shown }: MaskingPolicy): void {
  for (const place of paths) wordsOf(place, 'mask-path');
  for (const place of shown.paths) wordsOf(place, 'show-path');
}

/** Returns a test whether a key matches one of these patterns, in any case. */
export function anyOf(patterns: readonly string[]): (name: string) => boolean {
  const compiled = patterns.map((pattern) => compileWildcard(pattern.toLowerCase()));
  return (name) => compiled.some((isLike) => isLike(name.toLowerCase()));
}

function wordsOf({ files, path }: MaskingRules['paths'][number], list: List): readonly PathWord[] {
  const refuse = (reason: string): never => {
    throw new StartError(`bad --${list} ${quoted(`${files}:${path}`)}: ${reason}`);
  };
  if (path !== path.trim())
    refuse(`its node path begins or ends with a space; write ${quoted(`${files}:${path.trim()}`)}`);
  if (/^\.{1,2}\//u.test(path)) refuse('a node path does not begin as a file does; write spec.license');
  try {
    const words = parsePath(path);
    for (const word of words) if (word.kind === 'key') misreadOf(word, path.startsWith('/')).forEach(refuse);
    return words;
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message);
    throw error;
  }
}

/** Returns why a key could be misread; empty if it cannot. */
function misreadOf(
  { key, isBare }: Extract<PathWord, { readonly kind: 'key' }>,
  isPointer: boolean,
): readonly string[] {
  const reason = isBare ? misreadKey(key) : undefined;
  if (reason !== undefined) return [reason];
  if (isBare && key.includes('/'))
    return [
      `${quoted(key)} is a key as it stands here; one with dots and slashes is written ["app.kubernetes.io/name"]`,
    ];
  return isPointer && /[*{}]/u.test(key) ? ['a JSON pointer has no patterns; write spec.*.license'] : [];
}

/** A member of a mapping as any reader of YAML may see it: by the text that an alias key means, or brought by a merge. */
export type Member = Pick<Entry, 'name' | 'value'>;

/** Returns the name of a key, also behind an alias. */
export function nameOf(document: DocumentSpans, { key, name }: Entry): string | undefined {
  const target = key.kind === 'alias' ? targetOf(document, key) : undefined;
  return (target && keyText(target)) ?? name;
}

/** Returns the members of the mapping itself. */
export function ownMembers(document: DocumentSpans, { entries }: MappingNode): readonly Member[] {
  if (document.aliasTargets.size === 0) return entries;
  return entries.map((entry) => ({ name: nameOf(document, entry), value: entry.value }));
}

/** Returns the nodes that an entry merges to any reader: by `<<`, in quotes or behind an alias as well, or by the tag `!!merge`. */
export function mergedBy(text: string, document: DocumentSpans, entry: Entry): readonly SpanNode[] {
  const tag = entry.key.properties?.tag;
  const isTagged = tag !== undefined && text.slice(tag.start, tag.end).includes('merge');
  if (!isTagged && nameOf(document, entry) !== '<<') return [];
  const source = targetOf(document, entry.value);
  return source?.kind === 'sequence' ? source.items.map(({ value }) => value) : source ? [source] : [];
}

/** Returns the members, including all merged ones; none of these hides another, so that more is masked. */
export function membersOf(text: string, document: DocumentSpans, mapping: MappingNode): readonly Member[] {
  const visited = new Set<SpanNode>();
  const members: Member[] = [];
  const ahead: SpanNode[] = [mapping];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const source = targetOf(document, next);
    if (source?.kind !== 'mapping' || visited.has(source)) continue;
    visited.add(source);
    for (const entry of source.entries) ahead.push(...mergedBy(text, document, entry));
    for (const member of ownMembers(document, source)) members.push(member);
  }
  return members;
}

/** Returns the text of a scalar, also behind an alias; undefined for other nodes. */
export function scalarText(document: DocumentSpans, node: SpanNode): string | undefined {
  const target = targetOf(document, node);
  return target?.kind === 'scalar' ? target.value : undefined;
}
