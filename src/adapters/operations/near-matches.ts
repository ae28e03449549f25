// Near matches of a pattern that matches nothing: how far its path leads, and where its last key occurs.
import { type PathWord, printNodePath, printPattern } from '../../security/node-paths/node-path.ts';
import { parsePath } from '../../security/node-paths/parse-path.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { matchPaths } from '../tree/match-paths.ts';
import { canGrow, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { documentsOf } from './expand.ts';
import type { Operation } from './registry.ts';

const MAX_NEAR = 5;

/** Returns where the last key of the path occurs in the documents that are meant. */
export function findNear({ stream }: ConfigFile, operation: Operation): readonly string[] {
  const { path = '' } = operation;
  const last = parsePath(path).at(-1);
  const near: string[] = [];
  if (last?.kind !== 'key') return near;
  for (const root of rootsOf(stream, operation))
    matchPaths(stream.text, root, [{ kind: 'deep' }, last], (_, found) => {
      near.push(printNodePath(found));
      return near.length < MAX_NEAR;
    });
  return near.slice(0, MAX_NEAR);
}

/** The node to which the longest part of a path leads. */
export interface Reach {
  /** The number of words of the path that lead there. */
  readonly depth: number;
  /** The path up to there, and the rest of it. */
  readonly path: string;
  readonly rest: string;
  readonly kind: 'mapping' | 'list' | 'scalar' | 'alias';
  /** True if the next words of the path are keys that can be created there. */
  readonly isCreatable: boolean;
}

/** Finds the reach of the path if it is longer than `known`. Mappings are preferred: the next key could be created there. */
export function findReach(
  { stream }: ConfigFile,
  operation: Operation,
  known: Reach | undefined,
): Reach | undefined {
  const { path = '' } = operation;
  const roots = rootsOf(stream, operation);
  const words = parsePath(path);
  const star = words.findLastIndex(({ kind }) => kind !== 'key');
  let best = known;
  // If no node matches the first words of the path, none matches more.
  for (
    let depth = (known?.depth ?? -1) + (known?.isCreatable === false ? 0 : 1);
    depth < words.length;
    depth++
  ) {
    const node = firstHolder(stream, roots, words.slice(0, depth));
    if (node === undefined) return best;
    best = {
      depth,
      path: printPattern(words.slice(0, depth), true),
      rest: printPattern(words.slice(depth), true),
      kind: node.kind === 'sequence' ? 'list' : node.kind,
      isCreatable: isHolder(node) && depth > star,
    };
  }
  return best;
}

/** Returns the first node at the path that can have keys, or else the last node. */
function firstHolder(
  { text }: Stream,
  roots: readonly SpanNode[],
  words: readonly PathWord[],
): SpanNode | undefined {
  let found: SpanNode | undefined;
  for (const root of roots)
    if (found === undefined || !isHolder(found))
      matchPaths(text, root, words, (node) => {
        found = node;
        return !isHolder(node);
      });
  return found;
}

function isHolder(node: SpanNode): boolean {
  return node.kind === 'mapping' || canGrow(node);
}

function rootsOf(stream: Stream, operation: Operation): readonly SpanNode[] {
  return documentsOf(stream, operation, true).flatMap((doc) => stream.documents[doc]?.root ?? []);
}
