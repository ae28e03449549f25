// Finds patterns in the constraint of a rule that match more than they seem to, because they match a part of a text.
import type { DataPath, Json } from '../../../security/index.ts';

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

/** True if each alternative is anchored at both ends of the whole text; false if that is not certain. */
function isAnchored(pattern: string): boolean {
  if (/\(\?[a-zA-Z]*m|\\Q/u.test(pattern)) return false;
  return alternativesIn(pattern.replace(/^\(\?[a-zA-Z]+\)/u, '')).every((branch) => {
    const inner = /^\((?:\?(?:[a-zA-Z]*:|P?<\w+>))?(.*)\)$/su.exec(branch)?.[1];
    if (inner !== undefined && alternativesIn(branch.slice(0, -1)).length === 1 && isWhole(inner))
      return isAnchored(inner);
    return /^(?:\^|\\A)/u.test(branch) && /(?:^|[^\\])(?:\\\\)*(?:\$|\\z)$/u.test(branch);
  });
}

/** True if each closing bracket has its opening one in it. */
function isWhole(pattern: string): boolean {
  return levelsIn(pattern).every(({ level }) => level >= 0);
}

/** Returns the alternatives at the top level. */
function alternativesIn(pattern: string): readonly string[] {
  const cuts = levelsIn(pattern).flatMap(({ level, char, at }) => (level === 0 && char === '|' ? [at] : []));
  return [...cuts, pattern.length].map((end, index) =>
    pattern.slice(index === 0 ? 0 : (cuts[index - 1] ?? 0) + 1, end),
  );
}

/** Returns each character that is neither escaped nor in a class, with the number of groups around it. */
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
