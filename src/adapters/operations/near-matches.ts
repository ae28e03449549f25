// Says for a pattern that matches nothing what there is: how far its path leads, and where its last key stands.
import type { ConfigFile } from '../formats/registry.ts';
import { matchPaths } from '../tree/match-paths.ts';
import { printNodePath } from '../tree/node-path.ts';
import { parsePath } from '../tree/path-syntax.ts';
import { canGrow, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { documentsOf } from './expand.ts';
import type { Operation } from './registry.ts';

const MAX_NEAR = 5;

/** Answers where the last key of the path occurs at all, in the documents that are meant. */
export function findNear({ stream }: ConfigFile, operation: Operation): readonly string[] {
  const { path = '' } = operation;
  const last = parsePath(path).at(-1);
  const near: string[] = [];
  if (last?.kind !== 'key') return near;
  for (const root of rootsOf(stream, operation))
    matchPaths(stream.text, root, [{ kind: 'deep', end: 0 }, last], (_, found) => {
      near.push(printNodePath(found));
      return near.length < MAX_NEAR;
    });
  return near.slice(0, MAX_NEAR);
}

/** The node to which the longest part of a path leads. */
export interface Reach {
  /** The number of words of the path that lead there. */
  readonly depth: number;
  /** The path up to there, and what is asked for below it. */
  readonly path: string;
  readonly rest: string;
  readonly kind: 'mapping' | 'list' | 'scalar' | 'alias';
  /** True where the next words of the path are keys that can be made there. */
  readonly isCreatable: boolean;
}

/** Finds the reach of the path, where it is longer than `known`. A mapping is preferred, because the next key would be made there. */
export function findReach(
  { stream }: ConfigFile,
  operation: Operation,
  known: Reach | undefined,
): Reach | undefined {
  const { path = '' } = operation;
  const roots = rootsOf(stream, operation);
  const words = parsePath(path);
  const star = words.findLastIndex(({ kind }) => kind !== 'key');
  for (let depth = words.length - 1; depth > (known?.depth ?? -1); depth--) {
    let found: Reach | undefined;
    for (const root of roots)
      matchPaths(stream.text, root, words.slice(0, depth), (node) => {
        const isHolder = node.kind === 'mapping' || canGrow(node);
        const end = words[depth - 1]?.end ?? 0;
        if (found === undefined || isHolder)
          found = {
            depth,
            path: path.slice(0, end),
            rest: path.slice(end).replace(/^\./u, ''),
            kind: node.kind === 'sequence' ? 'list' : node.kind,
            isCreatable: isHolder && depth > star,
          };
        return !isHolder;
      });
    if (found !== undefined) return found;
  }
  return known;
}

function rootsOf(stream: Stream, operation: Operation): readonly SpanNode[] {
  return documentsOf(stream, operation, true).flatMap((doc) => stream.documents[doc]?.root ?? []);
}
