// SECURITY.md, docs/threat-model.md and the tests agree.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { guaranteeViolations } from './documents/guarantees.ts';
import { threatViolations } from './documents/threats.ts';

const HOME = new URL('../', import.meta.url);

const read = (file: string): string => readFileSync(new URL(file, HOME), 'utf8');
const sourceOf = (file: string): string | undefined =>
  existsSync(new URL(file, HOME)) ? read(file) : undefined;

it('every guarantee of SECURITY.md is held by a test that exists', () => {
  expect(guaranteeViolations(read('SECURITY.md'), sourceOf)).toEqual([]);
});

it('every threat of docs/threat-model.md has its guards, tests and attacks, and every guard its threat', () => {
  const guards = typeScriptBelow('src/security');
  // What shows the checker its faults holds made-up rows.
  const tests = typeScriptBelow('test').filter((file) => !file.startsWith('test/documents/'));
  const ground = { sourceOf, guards, tests: tests.map(read).join('\n') };
  expect(threatViolations(read('docs/threat-model.md'), ground)).toEqual([]);
});

function typeScriptBelow(folder: string): readonly string[] {
  return readdirSync(new URL(folder, HOME), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
}
