// The value of a literal block is the one that `yaml` gives to the whole text, for every header and whatever
// stands in the lines.
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { parseDocument } from 'yaml';
import { FORMATS } from '../../../../../src/adapters/formats/registry.ts';
import { literalValue } from '../../../../../src/adapters/formats/yaml/scalar/scalar-value.ts';
import { DEFAULT_LIMITS } from '../../../../../src/security/index.ts';
import { runs } from '../../../../harness/runs.ts';

/** Ours, whether it was read without `yaml`, and that of `yaml`; undefined for what is no such block. */
function read(text: string) {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  const [spans] = FORMATS.yaml.parse(text, DEFAULT_LIMITS).documents;
  const node = spans?.root.kind === 'mapping' ? spans.root.entries[0]?.value : undefined;
  if (node?.kind !== 'scalar' || node.block === undefined) return undefined;
  return {
    ours: node.value,
    isDirect: literalValue(text, node.block, node.end) !== undefined,
    theirs: String(document.get('a')),
  };
}

test.each([
  ['a: |\n  x\n  y\n', 'x\ny\n'],
  ['a: |-\n  x\n\n', 'x'],
  ['a: |+\n  x\n\n  \n', 'x\n\n\n'],
  ['a: |\n\n  x\n    deeper\n\n  y\n\n', '\nx\n  deeper\n\ny\n'],
  ['a: |2\n    x\n  y\n', '  x\ny\n'],
  ['a: |\n  x\n   \n', 'x\n \n'],
  ['a: |\n  \tx\n  # no comment\n# a comment\nb: 1\n', '\tx\n# no comment\n'],
])('%j says %j, without the help of yaml', (text, value) => {
  expect(read(text)).toEqual({ ours: value, isDirect: true, theirs: value });
});

it('says what yaml says, whatever the header and the lines are', () => {
  const line = fc.constantFrom('', ' ', '  x', '   x', '    y', '  \t', '  - a', '  # c', '  x  ');
  const header = fc.constantFrom('|', '|-', '|+', '|1', '|2', '|2-', '|2+', '| # c');
  // Neither lines of more spaces than the indentation nor the end of a text without a line break: there `yaml`
  // says less, or more, than the text does.
  const end = fc.constantFrom('b: 1\n', '\nb: 1\n', '\r\nb: 1\n');
  let direct = 0;
  fc.assert(
    fc.property(header, fc.array(line, { maxLength: 6 }), end, (sign, lines, rest) => {
      const found = read(`a: ${sign}\n${lines.map((each) => `${each}\n`).join('')}${rest}`);
      if (found === undefined) return;
      direct += found.isDirect ? 1 : 0;
      expect(found.ours).toBe(found.theirs);
    }),
    { numRuns: runs(3_000), seed: 5 },
  );
  expect(direct).toBeGreaterThan(runs(3_000) / 3);
});
