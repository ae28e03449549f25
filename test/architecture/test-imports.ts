// Tests know a layer as its users do: they import its entry point. What a test may import besides is the file that it
// is named after and the files beside that one: test/a/b.test.ts may import src/a/b.ts and src/a/*.ts.
import { posix } from 'node:path';
import { ownImports } from './imports.ts';
import type { Table } from './layers.ts';

/** File (posix, relative to the project) → source text. */
type Sources = ReadonlyMap<string, string>;

interface Inner {
  readonly file: string;
  readonly why: string;
}

/** One line for each import behind an entry point, and one for each file of `inner` that no test imports any more. */
export function testImportViolations(
  tests: Sources,
  { layers }: Table,
  inner: readonly Inner[],
): readonly string[] {
  const entryPoints = layers.map(({ entryPoint }) => entryPoint);
  const used = new Set<string>();
  const breaches = [...tests].flatMap(([test, text]) => {
    const mirrored = posix.dirname(test).replace(/^test\b/, 'src');
    const behind = ownImports(test, text).filter(
      (target) =>
        target.startsWith('src/') && !entryPoints.includes(target) && posix.dirname(target) !== mirrored,
    );
    for (const target of behind) used.add(target);
    return behind
      .filter((target) => !inner.some(({ file }) => file === target))
      .map((target) => `${test} imports ${target}, which is behind an entry point`);
  });
  const unused = inner.filter(({ file }) => !used.has(file));
  return [...breaches, ...unused.map(({ file }) => `no test needs the exception for ${file}`)];
}
