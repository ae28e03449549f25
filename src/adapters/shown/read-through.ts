// Reads the data at a path: a node of the file, or what an alias or a merge (<<) brings there.
import { type NodePath, printNodePath, Refusal, unlessRefused } from '../../security/index.ts';
import { findAnchored } from '../tree/anchored.ts';
import { isMerge } from '../tree/keys.ts';
import { type Located, locate, notFound } from '../tree/locate.ts';
import { type Place, resolvePath } from '../tree/resolve-path.ts';

/** The most aliases and merges that are followed for one path. */
const MAX_HOPS = 32;

export interface Read {
  readonly located: Located;
  /** The way by which the node comes to the path that was asked for, where it stands at another one. */
  readonly inherited: 'alias' | 'merge' | undefined;
}

/** Reads the path. Throws as `resolvePath` does, and NODE_NOT_FOUND about the path that was asked for. */
export function readThrough(place: Place, path: string): Read {
  let hops = 0;
  let inherited: Read['inherited'];
  const located = read(path);
  return { located, inherited };

  function read(at: string): Located {
    const asked = resolveOrFollow(at);
    if (typeof asked === 'string') return read(asked);
    const found = locate(place.document, asked);
    const there = found.missing.length === 0 ? found : merged(found);
    if (there === undefined) throw notFound(found, asked, 'get');
    return there;
  }

  /** Returns the path; where it goes through an alias, the text of the path below the anchored node. */
  function resolveOrFollow(at: string): NodePath | string {
    try {
      return resolvePath(place, at, false);
    } catch (error) {
      const isCrossed = error instanceof Refusal && error.code === 'ALIAS_CROSSED';
      const anchored = isCrossed ? error.clues.nearestPaths?.[0] : undefined;
      if (anchored === undefined || hops >= MAX_HOPS) throw error;
      hops += 1;
      inherited = 'alias';
      return anchored;
    }
  }

  /** Returns the part from the first merged source that has it. */
  function merged({ node, missing }: Located): Located | undefined {
    if (node.kind !== 'mapping') return undefined;
    const values = node.entries.filter(isMerge).map(({ value }) => value);
    const sources = values.flatMap((value) =>
      value.kind === 'sequence' ? value.items.map((item) => item.value) : [value],
    );
    for (const source of sources) {
      const anchored =
        source.kind === 'alias' ? findAnchored(place.stream, place.document, source) : undefined;
      if (anchored === undefined || hops >= MAX_HOPS) continue;
      hops += 1;
      inherited ??= 'merge';
      const found = unlessRefused(() => read(printNodePath([...anchored, ...missing])), ['NODE_NOT_FOUND']);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
