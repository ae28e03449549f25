// `--verify full`: the result of an edit is read again by `yaml`, which shares no code with the scan that
// planned it. Every case comes out the same both ways.
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../../../src/adapters/formats/registry.ts';
import { parseWithYaml } from '../../../../../src/adapters/formats/yaml/parse-unusual.ts';
import { parseYaml } from '../../../../../src/adapters/formats/yaml/yaml-format.ts';
import { type Operation, planOperation } from '../../../../../src/adapters/index.ts';
import type { Format } from '../../../../../src/adapters/tree/format.ts';
import { DEFAULT_LIMITS, Refusal, splice, type Verify } from '../../../../../src/security/index.ts';
import { readCases } from '../../../editing/case-table.ts';
import { placesIn } from '../../../editing/places.ts';
import { NATIVE } from './native.ts';
import { REAL } from './texts.ts';

/** What comes out of one operation, or of the attempt. */
function outcome(text: string, operation: Operation, verify: Verify, format: Format = FORMATS.yaml): unknown {
  try {
    const file = { format, stream: format.parse(text, DEFAULT_LIMITS) };
    const progress = { base: file, current: file, earlierChanges: [] };
    const { edits, check } = planOperation(progress, operation, DEFAULT_LIMITS, verify);
    const after = splice(text, edits);
    return { after, changes: check(after) };
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, message: error.message };
    throw error;
  }
}

describe('an edit comes out the same, whoever proves it', () => {
  test.each(['yaml-cases.json', 'more-cases.json'])('%s', (table) => {
    // Lines within quotes that are not indented are taken by one of the two alone.
    const cases = readCases(table).filter(({ id }) => !id.startsWith('quoted-lines-'));
    for (const { id, input, language, op } of cases) {
      const singles = op.op === 'batch' ? op.edits : [op];
      for (const single of singles) {
        if (single.op === 'get') continue;
        const [fast, full] = (['fast', 'full'] as const).map((verify) =>
          outcome(input, single, verify, FORMATS[language]),
        );
        expect(full, id).toEqual(fast);
      }
    }
  });

  test('a set and a delete at the nodes of real and nasty files', () => {
    let done = 0;
    for (const { text } of [...REAL, ...NATIVE]) {
      const places = [...placesIn(parseYaml(text, DEFAULT_LIMITS))];
      for (const { doc, path } of places.filter((_, i) => i % Math.ceil(places.length / 6) === 0)) {
        for (const operation of [
          { op: 'set', doc, path, json: 'x: y', create: false },
          { op: 'delete', doc, path },
        ] as const) {
          expect(outcome(text, operation, 'full')).toEqual(outcome(text, operation, 'fast'));
          done += 1;
        }
      }
    }
    expect(done).toBeGreaterThan(300);
  });
});

test('what only one of the two reads is refused where both are asked', () => {
  const operation = { op: 'set', path: 'b', value: '2', create: false } as const;
  const answer = outcome("a: ['\nx']\nb: 1\n", operation, 'full');
  expect(answer).toMatchObject({ message: expect.stringContaining('the second reader of --verify full') });
});

/** A scan with a fault: it takes the last item of every list at the top for no part of the file. */
const FAULTY: Format = {
  ...FORMATS.yaml,
  parse: (text, limits) => parseWithYaml(text.replace(/^- lost\n/m, '######\n'), limits),
};

test('a fault of the reader that plans and proves is seen by the other one [EDT-3]', () => {
  const operation = { op: 'set', path: '[0]', value: 'b', create: false } as const;
  const text = '- a\n- lost\n';
  expect(outcome(text, operation, 'fast', FAULTY)).toHaveProperty('after');
  expect(outcome(text, operation, 'full', FAULTY)).toHaveProperty('code', 'VERIFICATION_FAILED');
});
