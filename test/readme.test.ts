// The README says what the code says. `UPDATE_README=1 npx vitest run test/readme.test.ts` writes the two
// generated tables anew; what a person wrote is only checked.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { envName } from '../src/cli/option.ts';
import { ALL_OPTIONS } from '../src/cli/options.ts';
import { ERROR_CATEGORIES } from '../src/security/index.ts';
import { TOOLS } from '../src/tools/index.ts';
import { codesIn, optionTable, sectionOf, toolTable, withSection } from './documents/tables.ts';

const FILE = new URL('../README.md', import.meta.url);

it.each([
  { name: 'tools', made: toolTable(TOOLS) },
  { name: 'options', made: optionTable(ALL_OPTIONS, envName) },
])('the table of $name is the one that the code makes', ({ name, made }) => {
  if (process.env['UPDATE_README'] === '1') writeFileSync(FILE, withSection(readme(), name, made));
  expect(sectionOf(readme(), name)).toBe(made);
});

it('the table of error codes names every code with its category, and no other', () => {
  const listed = codesIn(sectionOf(readme(), 'codes') ?? '');
  expect(Object.fromEntries(listed)).toEqual(ERROR_CATEGORIES);
});

it('every piece of JSON in it can be read', () => {
  const pieces = [...readme().matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(pieces.length).toBeGreaterThanOrEqual(5);
  for (const piece of pieces) expect(() => JSON.parse(piece)).not.toThrow();
});

it.each([...readme().matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = '']) => target))(
  'its link to %s leads somewhere',
  (target) => {
    expect(() => readFileSync(new URL(target, FILE))).not.toThrow();
  },
);

function readme(): string {
  return readFileSync(FILE, 'utf8');
}
