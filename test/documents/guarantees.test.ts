// The guard of SECURITY.md is shown promises that nobody keeps.
import { expect, it } from 'vitest';
import { guaranteeViolations } from './guarantees.ts';

const SOURCE = `
describe('links', () => {
  it('are refused', () => {});
  it.each([1])('refuse $0', () => {});
  it.skipIf(false)('on Linux', () => {});
  it.skip('some day', () => {});
  // it('only said', () => {});
});`;

const sourceOf = (file: string): string | undefined => (file === 'test/a.test.ts' ? SOURCE : undefined);
const documentOf = (bullets: string): string =>
  `# S\n\n## Guarantees\n\nWords.\n\n${bullets}\n\n## After\n\n- not one\n`;

it.each([
  { name: 'are refused', why: 'a plain test' },
  { name: 'refuse $0', why: 'a table of tests, by its name as written' },
  { name: 'on Linux', why: 'a test that runs where it can' },
  { name: 'links', why: 'a group of tests' },
])('believes a guarantee held by $why', ({ name }) => {
  expect(
    guaranteeViolations(
      documentOf(`- **Links.** None.\n  Held by \`test/a.test.ts\`:\n  "${name}".`),
      sourceOf,
    ),
  ).toEqual([]);
});

it.each([
  { bullets: '- **Links.** Trust us.', barks: 'held by no test', why: 'no test is named' },
  {
    bullets: '- Fine: `test/a.test.ts`: "are refused"\n- **More.** Trust us.',
    barks: 'held by no test',
    why: 'the second',
  },
  {
    bullets: '- X `test/b.test.ts`: "are refused"',
    barks: 'test/b.test.ts does not exist',
    why: 'the file is gone',
  },
  { bullets: '- X `test/a.test.ts`: "are renamed"', barks: 'no test "are renamed"', why: 'the test is gone' },
  {
    bullets: '- X `test/a.test.ts`: "only said"',
    barks: 'no test "only said"',
    why: 'a comment holds nothing',
  },
  {
    bullets: '- X `test/a.test.ts`: "some day"',
    barks: 'no test "some day"',
    why: 'a skipped test holds nothing',
  },
  { bullets: 'Nothing here.', barks: 'guarantees nothing', why: 'an empty section promises nothing' },
])('barks when $why', ({ bullets, barks }) => {
  expect(guaranteeViolations(documentOf(bullets), sourceOf).join('\n')).toContain(barks);
});
