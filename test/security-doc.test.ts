// SECURITY.md, docs/guarantees.md, docs/threat-model.md and the tests agree. `UPDATE_README=1 npx vitest run test/security-doc.test.ts`
// writes the table of SECURITY.md again.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { guaranteesIn, guaranteeViolations, promiseTable } from './documents/guarantees.ts';
import { sectionOf, withSection } from './documents/tables.ts';

const HOME = new URL('../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, HOME), 'utf8');

const guarantees = guaranteesIn(read('docs/guarantees.md'));
// What shows the checkers their faults holds ids that are made up.
const tests = new Map(
  below('test')
    .filter((file) => file.endsWith('.ts') && !file.startsWith('test/documents/'))
    .map((file) => [file, read(file)]),
);

it('every guarantee is held by a test, and every id of a test or a document is a guarantee', () => {
  const citing = ['README.md', 'SECURITY.md', 'docs/threat-model.md', 'docs/hardening.md'].map(read);
  expect(guaranteeViolations(guarantees, tests, citing)).toEqual([]);
});

it('SECURITY.md lists each promise with its ids', () => {
  const made = promiseTable(guarantees);
  if (process.env['UPDATE_README'] === '1')
    writeFileSync(new URL('SECURITY.md', HOME), withSection(read('SECURITY.md'), 'promises', made));
  expect(sectionOf(read('SECURITY.md'), 'promises')).toBe(made);
});

it('SECURITY.md counts the packages of which the bundle holds code, and names those that the project chose', () => {
  const { devDependencies } = JSON.parse(read('package.json'));
  const components: readonly { readonly name: string }[] = JSON.parse(
    read('bundle/sbom.cdx.json'),
  ).components;
  const line = /Its bundle holds the code of (\d+) packages[.:].*/.exec(read('SECURITY.md'));
  expect(Number(line?.[1])).toBe(components.length);
  const chosen = components.filter(({ name }) => name in devDependencies);
  expect(chosen.filter(({ name }) => line?.[0].includes(`\`${name}\``) !== true)).toEqual([]);
});

it('every threat has guards, guarantees and attacks that exist, and every folder of src/security a threat', () => {
  const rows = read('docs/threat-model.md')
    .split('\n')
    .map((line) => line.split(' | '))
    .filter((cells) => cells.length === 4 && cells[0] !== '| threat');
  const pathsIn = (cell = '') =>
    [...cell.matchAll(/`([\w.-]+(?:\/[\w./-]*)?)`/g)].map(([, path = '']) => path);
  const tried = [...tests.values()].join('\n');
  const ids = guarantees.map(({ id }) => id);
  const untrue = rows.flatMap(([threat = '', guard, held = '', attacks = '']) => [
    ...(pathsIn(guard).length === 0 || !/[A-Z]{3}-\d+/.test(held) ? [threat] : []),
    ...pathsIn(guard).filter((path) => !existsSync(new URL(path, HOME))),
    ...(held.match(/\b[A-Z]{3}-\d+\b/g) ?? []).filter((id) => !ids.includes(id)),
    ...(attacks.match(/[A-Z]{4}-\d{3}/g) ?? []).filter((id) => !tried.includes(id)),
  ]);
  expect([rows.length > 10, untrue]).toEqual([true, []]);
  const named = rows.flatMap(([, guard]) => pathsIn(guard));
  const folders = below('src/security').flatMap((file) => /^src\/security\/[\w-]+\//.exec(file)?.[0] ?? []);
  expect(folders.filter((folder) => !named.some((path) => path.startsWith(folder)))).toEqual([]);
});

function below(folder: string): readonly string[] {
  return readdirSync(new URL(folder, HOME), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file.replaceAll('\\', '/')}`,
  );
}
