// The guard of docs/threat-model.md is shown rows that are not true.
import { expect, it } from 'vitest';
import { threatViolations } from './threats.ts';

const FILES: Readonly<Record<string, string>> = {
  'test/a.test.ts': "it('refuses links', () => {});",
  'src/security/walk.ts': '',
};
const GROUND = {
  sourceOf: (file: string) => FILES[file],
  guards: ['src/security/walk.ts'],
  tests: "{ id: 'PATH-001' }",
};
const GUARD = '`src/security/walk.ts`';
const TEST = '`test/a.test.ts`: "refuses links"';

const documentOf = (...rows: string[]): string =>
  ['# T', '', '| threat | guard | test | attacks |', '|---|---|---|---|', ...rows, ''].join('\n');
const GOOD = `| A link | ${GUARD} | ${TEST} | PATH-001 |`;

it.each([
  { rows: [GOOD], why: 'names what exists' },
  { rows: [GOOD, `| A person | | not yet: issue 5 | WORK-013 |`], why: 'says that it is not met yet' },
  { rows: [GOOD, `| Another | ${GUARD} | ${TEST} | |`], why: 'is about no attack of the list' },
])('believes a row that $why', ({ rows }) => {
  expect(threatViolations(documentOf(...rows), GROUND)).toEqual([]);
});

it.each([
  {
    row: `| A link | \`src/gone.ts\` | ${TEST} | |`,
    barks: 'src/gone.ts does not exist',
    why: 'a guard is gone',
  },
  { row: `| A link | care | ${TEST} | |`, barks: 'guarded by no file: A link', why: 'nothing guards' },
  { row: `| A link | ${GUARD} | trust | |`, barks: 'held by no test: A link', why: 'nothing tests' },
  {
    row: `| A link | ${GUARD} | \`test/b.test.ts\`: "x" | |`,
    barks: 'test/b.test.ts does not exist',
    why: 'the test file is gone',
  },
  {
    row: `| A link | ${GUARD} | \`test/a.test.ts\`: "follows" | |`,
    barks: 'test/a.test.ts has no test "follows"',
    why: 'the test is gone',
  },
  {
    row: `| A link | ${GUARD} | ${TEST} | PATH-002 |`,
    barks: 'no test tries PATH-002',
    why: 'an attack is only said to be tried',
  },
])('barks when $why', ({ row, barks }) => {
  expect(threatViolations(documentOf(GOOD, row), GROUND)).toEqual([barks]);
});

it('barks when a file of the security room has no row', () => {
  const guards = [...GROUND.guards, 'src/security/new.ts'];
  expect(threatViolations(documentOf(GOOD), { ...GROUND, guards })).toEqual([
    'src/security/new.ts has no row',
  ]);
});

it('barks when there is no table', () => {
  expect(threatViolations('# T\n\nAll is well.\n', GROUND)).toEqual(['the document names no threat']);
});
