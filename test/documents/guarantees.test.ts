// The guard of docs/guarantees.md is shown promises that nobody keeps.
import { expect, it } from 'vitest';
import { guaranteesIn, guaranteeViolations, promiseTable } from './guarantees.ts';

const DOCUMENT = `# G

## Links

- **LNK-1: No link is
  followed.** Whatever it is.
- **LNK-2: A loop ends**, too.
`;

const SOURCE = `
describe('links [LNK-1]', () => {
  it.each([1])('end $0 [LNK-2]', () => {});
  it.skipIf(false)('on Linux', () => {});
});`;

const violations = (source: string, document = DOCUMENT, ...citing: string[]): readonly string[] =>
  guaranteeViolations(guaranteesIn(document), new Map([['test/a.test.ts', source]]), citing);

it('reads ids, statements and areas, and makes the table of them', () => {
  expect(guaranteesIn(DOCUMENT)).toEqual([
    { id: 'LNK-1', statement: 'No link is followed', area: 'Links' },
    { id: 'LNK-2', statement: 'A loop ends', area: 'Links' },
  ]);
  expect(promiseTable(guaranteesIn(DOCUMENT))).toContain('| Links | LNK-1, LNK-2 |\n');
});

it('believes a guarantee whose id stands in the name of a group, of a table of tests or of a test that runs where it can', () => {
  expect(violations(SOURCE)).toEqual([]);
  expect(
    violations(SOURCE.replace('on Linux', 'on Linux [LNK-1]').replace('links [LNK-1]', 'links')),
  ).toEqual([]);
  expect(violations(SOURCE, DOCUMENT, 'as promised [LNK-1]')).toEqual([]);
});

it.each([
  { source: SOURCE.replace('[LNK-1]', ''), barks: 'LNK-1 is held by no test', why: 'no test has its id' },
  {
    source: SOURCE.replace('it.each([1])', 'it.skip'),
    barks: 'LNK-2 is held by no test',
    why: 'a skipped test holds nothing',
  },
  {
    source: `${SOURCE}// it('x [LNK-3]')`.replace('[LNK-1]', ''),
    barks: 'LNK-1 is held by no test',
    why: 'a comment holds nothing',
  },
  {
    source: SOURCE.replace('on Linux', 'on Linux [LNK-3]'),
    barks: 'LNK-3 is no guarantee',
    why: 'a test names a promise that nobody made',
  },
])('barks when $why', ({ source, barks }) => {
  expect(violations(source)).toEqual([barks]);
});

it('barks at a document that cites what is not promised, promises twice or promises nothing', () => {
  expect(violations(SOURCE, DOCUMENT, 'as promised [LNK-9]')).toEqual(['LNK-9 is no guarantee']);
  expect(violations(SOURCE, `${DOCUMENT}- **LNK-2: Again**\n`)).toEqual(['LNK-2 stands there twice']);
  expect(violations(SOURCE, '# G\n\n## Links\n\nAll is well.\n')).toEqual([
    'the document guarantees nothing',
  ]);
});
