// The guard of docs/threat-model.md is shown rows that are not true.
import { expect, it } from 'vitest';
import { threatViolations } from './threats.ts';

const FACTS = {
  exists: (path: string) => path.startsWith('src/security/walk/'),
  folders: ['src/security/walk'],
  guarantees: ['CON-1'],
  tests: "{ id: 'PATH-001' }",
};
const GUARD = '`src/security/walk/`';

const documentOf = (...rows: string[]): string =>
  ['# T', '', '| threat | guard | guarantees | attacks |', '|---|---|---|---|', ...rows, ''].join('\n');
const GOOD = `| A link | ${GUARD} | CON-1 | PATH-001 |`;

it.each([
  { rows: [GOOD], why: 'names what exists' },
  { rows: [GOOD, `| Another | ${GUARD} | CON-1 | |`], why: 'is about no attack of the list' },
])('believes a row that $why', ({ rows }) => {
  expect(threatViolations(documentOf(...rows), FACTS)).toEqual([]);
});

it.each([
  {
    row: '| A link | `src/gone.ts` | CON-1 | |',
    barks: 'src/gone.ts does not exist',
    why: 'a guard is gone',
  },
  { row: '| A link | care | CON-1 | |', barks: 'guarded by nothing: A link', why: 'nothing guards' },
  {
    row: `| A link | ${GUARD} | trust | |`,
    barks: 'no guarantee against: A link',
    why: 'nothing is promised',
  },
  { row: `| A link | ${GUARD} | CON-2 | |`, barks: 'CON-2 is no guarantee', why: 'the guarantee is gone' },
  {
    row: `| A link | ${GUARD} | CON-1 | PATH-002 |`,
    barks: 'no test tries PATH-002',
    why: 'an attack is only said to be tried',
  },
])('barks when $why', ({ row, barks }) => {
  expect(threatViolations(documentOf(GOOD, row), FACTS)).toEqual([barks]);
});

it('barks when a folder of the security layer has no row, and when there is no table', () => {
  const folders = [...FACTS.folders, 'src/security/new'];
  expect(threatViolations(documentOf(GOOD), { ...FACTS, folders })).toEqual(['src/security/new has no row']);
  expect(threatViolations('# T\n\nAll is well.\n', FACTS)).toEqual(['the document names no threat']);
});
