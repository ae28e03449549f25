// Import cycles are found, however long they are and however they are spelled.
import { expect, it } from 'vitest';
import { importCycles, importGraph } from './imports.ts';

const cyclesOf = (sources: Readonly<Record<string, string>>) =>
  importCycles(importGraph(new Map(Object.entries(sources)))).map((cycle) => cycle.toSorted());

it.each([
  { why: 'two files', sources: { 'a.ts': "import './b.ts';", 'b.ts': "import './a.ts';" } },
  { why: 'a type', sources: { 'a.ts': "import './b.ts';", 'b.ts': "import type { A } from './a.ts';" } },
  {
    why: 'a type in place',
    sources: { 'a.ts': "import './b.ts';", 'b.ts': "export type A = import('./a.ts').A;" },
  },
  { why: 'handing on', sources: { 'a.ts': "export * from './b.ts';", 'b.ts': "import './a.ts';" } },
  { why: 'a late import', sources: { 'a.ts': "import './b.ts';", 'b.ts': "await import('./a.ts');" } },
])('finds a cycle by $why', ({ sources }) => {
  expect(cyclesOf(sources)).toEqual([['a.ts', 'b.ts']]);
});

it('finds each of several cycles, and no file beside them', () => {
  const sources = {
    'main.ts': "import './x/a.ts'; import './y.ts';",
    'x/a.ts': "import './b.ts'; import '../leaf.ts';",
    'x/b.ts': "import './c.ts';",
    'x/c.ts': "import './a.ts'; import './b.ts'; import '../y.ts';",
    'y.ts': "import './z.ts';",
    'z.ts': "import './y.ts'; import './leaf.ts';",
    'leaf.ts': "import 'node:path';",
  };
  expect(cyclesOf(sources).toSorted()).toEqual([
    ['x/a.ts', 'x/b.ts', 'x/c.ts'],
    ['y.ts', 'z.ts'],
  ]);
});

it('takes no path that divides and meets again for a cycle', () => {
  const sources = {
    'a.ts': "import './b.ts'; import './c.ts';",
    'b.ts': "import './d.ts';",
    'c.ts': "import './d.ts'; import './b.ts';",
    'd.ts': '// import "./a.ts"',
  };
  expect(cyclesOf(sources)).toEqual([]);
});

it('finds a file that imports itself', () => {
  expect(cyclesOf({ 'a.ts': "import './a.ts';" })).toEqual([['a.ts']]);
});
