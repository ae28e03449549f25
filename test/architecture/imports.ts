// Which of our own files imports which, types included, and what of that goes round in a circle.
import { posix } from 'node:path';
import { factsOf } from './facts.ts';

/** File (posix, relative to the project) → source text. */
type Sources = ReadonlyMap<string, string>;

/** File → the files of `sources` that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importGraph(sources: Sources): ImportGraph {
  return new Map(
    [...sources].map(([file, text]) => [file, ownImports(file, text).filter((to) => sources.has(to))]),
  );
}

/** What a file imports by a relative path, as paths of the project. */
export function ownImports(file: string, text: string): readonly string[] {
  const specifiers = factsOf(file, text).imports.map(({ specifier }) => specifier ?? '');
  const own = specifiers.filter((specifier) => specifier.startsWith('.'));
  // A worker is named by what it is built to.
  return own.map((specifier) => posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'));
}

/** Groups of files of which each imports, directly or not, each other one (Tarjan's algorithm). */
export function importCycles(graph: ImportGraph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    open.push(file);
    let low = own;
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, lowest.get(target) ?? order.get(target) ?? low);
    }
    lowest.set(file, low);
    if (low === own) {
      const cycle = open.splice(open.indexOf(file));
      if (cycle.length > 1 || graph.get(file)?.includes(file)) cycles.push(cycle);
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
