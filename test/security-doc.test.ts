// SECURITY.md, docs/guarantees.md, docs/threat-model.md and the tests agree. `UPDATE_README=1 npx vitest run test/security-doc.test.ts`
// writes the table of SECURITY.md again.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { guaranteesIn, guaranteeViolations, promiseTable } from './documents/guarantees.ts';
import { sectionOf, withSection } from './documents/tables.ts';
import { threatViolations } from './documents/threats.ts';

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
  const folders = below('src/security').flatMap(
    (file) => /^src\/security\/[\w-]+(?=\/)/.exec(file)?.[0] ?? [],
  );
  const facts = {
    exists: (path: string) => existsSync(new URL(path, HOME)),
    folders: [...new Set(folders)],
    guarantees: guarantees.map(({ id }) => id),
    tests: [...tests.values()].join('\n'),
  };
  expect(threatViolations(read('docs/threat-model.md'), facts)).toEqual([]);
});

function below(folder: string): readonly string[] {
  return readdirSync(new URL(folder, HOME), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file.replaceAll('\\', '/')}`,
  );
}
