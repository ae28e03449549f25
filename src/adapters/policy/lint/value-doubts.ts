// Doubts about the constraint of a rule: a pattern that matches more than it seems to, and a constraint that no value can meet,
// beyond what stops the start.
import type { ChangeLimits, DataPath, Json, ValueSchema } from '../../../security/index.ts';

interface Doubt {
  readonly at: DataPath;
  readonly message: string;
}

export function unanchored(schema: Json, at: DataPath): readonly Doubt[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]): readonly Doubt[] => {
    const place = [...at, Array.isArray(schema) ? Number(key) : key];
    if (key !== 'pattern' || typeof value !== 'string') return unanchored(value, place);
    if (isAnchored(value)) return [];
    return [
      { at: place, message: 'it holds for every text that has this in it: begin with ^ and end with $' },
    ];
  });
}

/** True where each alternative is anchored at both ends of the whole text; false where that is not certain. */
function isAnchored(pattern: string): boolean {
  if (/\(\?[a-zA-Z]*m|\\Q/u.test(pattern)) return false;
  return alternativesIn(pattern.replace(/^\(\?[a-zA-Z]+\)/u, '')).every((branch) => {
    const inner = /^\((?:\?(?:[a-zA-Z]*:|P?<\w+>))?(.*)\)$/su.exec(branch)?.[1];
    if (inner !== undefined && alternativesIn(branch.slice(0, -1)).length === 1 && isWhole(inner))
      return isAnchored(inner);
    return /^(?:\^|\\A)/u.test(branch) && /(?:^|[^\\])(?:\\\\)*(?:\$|\\z)$/u.test(branch);
  });
}

/** True where its brackets are closed in it. */
function isWhole(pattern: string): boolean {
  return levelsIn(pattern).every(({ level }) => level >= 0);
}

/** Answers the alternatives at the top level. */
function alternativesIn(pattern: string): readonly string[] {
  const cuts = levelsIn(pattern).flatMap(({ level, char, at }) => (level === 0 && char === '|' ? [at] : []));
  return [...cuts, pattern.length].map((end, index) =>
    pattern.slice(index === 0 ? 0 : (cuts[index - 1] ?? 0) + 1, end),
  );
}

/** Answers each character that is neither escaped nor in a class, with the number of groups around it. */
function levelsIn(
  pattern: string,
): readonly { readonly level: number; readonly char: string; readonly at: number }[] {
  let level = 0;
  return [...pattern.matchAll(/\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|./gsu)].map(
    ({ 0: char, index: at }) => {
      level += char === '(' ? 1 : char === ')' ? -1 : 0;
      return { level, char, at };
    },
  );
}

export function unmeetable(schema: ValueSchema, change: ChangeLimits | undefined): readonly Doubt[] {
  const isNumber = asksFor(schema, ['number', 'integer'], /minimum|maximum|multiple/iu);
  const isText = asksFor(schema, ['string'], /length|pattern/iu);
  const [low, high] = [boundsIn(schema, 'minimum'), boundsIn(schema, 'maximum')];
  const clashes = [
    change?.maxStep !== undefined && isText ? 'max_step is about numbers, and value asks for a text' : [],
    change?.semver !== undefined && isNumber ? 'semver is about texts, and value asks for a number' : [],
    Math.max(...low) > Math.min(...high) ? 'no number can meet all of its bounds' : [],
  ].flat();
  return clashes.map((message) => ({ at: ['value'], message: `no value can meet it: ${message}` }));
}

function asksFor(schema: ValueSchema, types: readonly string[], keywords: RegExp): boolean {
  const { type } = schema;
  const asked: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (asked.length > 0) return asked.every((one) => types.some((known) => known === one));
  return Object.keys(schema).some((key) => keywords.test(key));
}

/** Answers the bounds in the schema, and in all that must hold as well. */
function boundsIn(schema: Json, keyword: 'minimum' | 'maximum'): readonly number[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries(schema).flatMap(([key, value]) =>
    key === keyword && typeof value === 'number' ? [value] : [],
  );
  const all = Object.entries(schema).flatMap(([key, value]) =>
    key === 'allOf' && Array.isArray(value) ? value : [],
  );
  return [...own, ...all.flatMap((part) => boundsIn(part, keyword))];
}
