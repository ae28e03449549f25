// Matches `key` of a search with the nodes of a document: by the last key alone, or by the end of the path, or by all of it.

import { unlessRefused } from '../../security/errors/refusal.ts';
import { keyOf, type NodePath } from '../../security/node-paths/node-path.ts';
import { parsePath } from '../../security/node-paths/parse-path.ts';
import { compilePattern } from '../tree/match-paths.ts';
import type { SpanNode } from '../tree/span-tree.ts';
import { compileWildcard, ignoringCase, withoutCase } from '../tree/wildcard.ts';

/** True for a node of the document with this path. */
type IsNamed = (node: SpanNode, path: NodePath) => boolean;

/**
 * Compiles a pattern. `image` is a key at any depth, `containers[*].image` the end of a path, and `/spec/replicas` a whole one.
 * A word is one step, as in an edit, and a key may hold wildcards. Throws ARGUMENT_INVALID.
 */
export function compileKeyPattern(pattern: string): (text: string, root: SpanNode) => IsNamed {
  const wanted = withoutRoot(withoutCase(pattern));
  const isInAnyCase = withoutCase(pattern) !== pattern;
  const compileKey = (key: string) => compileWildcard(isInAnyCase ? ignoringCase(key) : key);
  const isKey = compileKey(wanted);
  const isLastKey = (path: NodePath) => {
    if (isWhole && !wanted.startsWith('/')) return false;
    const key = keyOf(path.at(-1));
    return key !== undefined && isKey(key);
  };
  const isWhole = isFromRoot(withoutCase(pattern));
  const words = isWhole || /[.[]/.test(wanted) ? unlessRefused(() => parsePath(wanted)) : undefined;
  if (words === undefined) return () => (_, path) => isLastKey(path);
  const findPaths = compilePattern(isWhole ? words : [{ kind: 'deep' }, ...words], compileKey);
  return (text, root) => {
    const named = new Set<SpanNode>();
    findPaths(text, root, (node) => named.add(node).size > 0);
    return (node, path) => named.has(node) || isLastKey(path);
  };
}

/** True for a pattern of a whole path: `/a` or `$.a`. */
export function isFromRoot(pattern: string): boolean {
  return /^(?:\/|\$[.[])/u.test(pattern);
}

/** Removes the root of a pattern: `$.a` and `.a` become `a`. */
export function withoutRoot(pattern: string): string {
  return pattern.replace(/^\$(?=[.[])/, '').replace(/^\.(?=.)/, '');
}
