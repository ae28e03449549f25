// Matches `key` of a search with a path: the last key alone, or the end of the path, or all of it.
import type { NodePath } from '../tree/node-path.ts';
import { printNodePath } from '../tree/node-path.ts';
import { compileWildcard, ignoringCase, withoutCase } from '../tree/wildcard.ts';

/**
 * Compiles a pattern. `image` is a key at any depth; `containers[*].image` or `containers.*.image` is a path, or the end of
 * one. `spec.*.image` allows any number of steps between. `named` answers the path with names of items, `containers[name=web]`.
 * Throws ARGUMENT_INVALID.
 */
export function compileKeyPattern(pattern: string): (path: NodePath, named: () => string) => boolean {
  const wanted = withoutRoot(withoutCase(pattern));
  const isInAnyCase = withoutCase(pattern) !== pattern;
  const inCase = (text: string) => (isInAnyCase ? ignoringCase(text) : text);
  const isKey = compileWildcard(inCase(wanted));
  if (!/[.[]/.test(wanted)) return (path) => isLastKey(path, isKey);
  const isEnd = compileWildcard(inCase(`*${wanted.startsWith('[') ? '' : '.'}${wanted}`));
  const hasBrackets = wanted.includes('[');
  const hasSelector = wanted.includes('=');
  return (path, named) => {
    if (isLastKey(path, isKey)) return true;
    const printed = hasSelector ? named() : printNodePath(path);
    if (isKey(printed) || isEnd(printed)) return true;
    if (hasBrackets) return false;
    const dotted = printed.replaceAll(/\[(\d+)\]/g, '.$1');
    return isKey(dotted) || isEnd(dotted);
  };
}

/** Removes the root of a pattern: `$.a` and `.a` become `a`. */
export function withoutRoot(pattern: string): string {
  return pattern.replace(/^\$(?=[.[])/, '').replace(/^\.(?=.)/, '');
}

function isLastKey(path: NodePath, isKey: (text: string) => boolean): boolean {
  const last = path.at(-1);
  return last?.kind === 'key' && isKey(last.key);
}
