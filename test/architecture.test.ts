// The code has the structure that the table draws: layers and folders with one-way imports, what each may use, the
// packages, and how much code there is. test/architecture/ holds the laws and shows them faults;
// `npm run lint` (biome.json) holds the rest: cycles, casts, `node:`, the length of files and functions.
import { expect, it } from 'vitest';
import { layerViolations } from './architecture/layers.ts';
import { packageViolations } from './architecture/packages.ts';
import { filesIn, jsonIn } from './architecture/sources.ts';
import { KNOWN_TO_TESTS, TABLE } from './architecture/table.ts';
import { testImportViolations } from './architecture/test-imports.ts';

/** Imports behind an entry point that are still to be mended. This number only becomes smaller, and ends as 0. */
const LEFT_TEST_IMPORTS = 42;
/** Lines of TypeScript, comments included. They were 28,371 and 39,900 before the agent's whole job was built; look twice before you raise them. */
const MOST = { src: 66_250, test: 70_000 };

it('the layers and their folders keep the import table [SRV-13]', () => {
  const sources = filesIn('src');
  expect(sources.size).toBeGreaterThan(10);
  expect(layerViolations(sources, TABLE)).toEqual([]);
});

it('tests import a layer by its entry point', () => {
  const breaches = testImportViolations(filesIn('test'), TABLE, KNOWN_TO_TESTS);
  expect(breaches.length, breaches.join('\n')).toBeLessThanOrEqual(LEFT_TEST_IMPORTS);
});

it('there is no more code than this', () => {
  const [src, test] = ['src', 'test'].map((folder) => linesIn(filesIn(folder)));
  process.stdout.write(`${src} lines in src, ${test} in test\n`);
  expect(src).toBeLessThanOrEqual(MOST.src);
  expect(test).toBeLessThanOrEqual(MOST.test);
});

// ENVI-006.
it('the packages are pinned, known to the import table, and run nothing when they are installed [SRV-15]', () => {
  const known = [...new Set(Object.values(TABLE.allowances).flatMap(Object.keys).filter(isPackage))];
  const installed = (place: string): unknown => jsonIn(`${place}/package.json`);
  expect(packageViolations(jsonIn('package.json'), jsonIn('package-lock.json'), installed, known)).toEqual(
    [],
  );
});

function linesIn(files: ReadonlyMap<string, string>): number {
  return [...files.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}

function isPackage(what: string): boolean {
  return !what.startsWith('node:') && !/^(process|console|globalThis|Function|Worker|fetch)\b/.test(what);
}
