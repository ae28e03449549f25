// What holds for every operation on every file: on the examples, on the official suite, and on generated
// files in every style. Where the design itself makes a law inexact, `where` says so and leaves it out.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument, parse as parseYaml } from 'yaml';
import { Refusal } from '../../src/security/errors/refusal.ts';
import { runs } from '../harness/runs.ts';
import { attemptOn, dataOf, edited, got, type Json, type Operation, parse } from './editing/attempt.ts';
import { type PlaceInFile, placesIn } from './editing/places.ts';
import { EXAMPLES, generated, type Source, SUITE_SOURCES } from './editing/sources.ts';

const SETTINGS = { seed: 42, numRuns: 250 } as const;

const sources: fc.Arbitrary<Source> = fc.oneof(
  { weight: 6, arbitrary: fc.nat().map(generated) },
  { weight: 3, arbitrary: fc.constantFrom(...SUITE_SOURCES) },
  { weight: 1, arbitrary: fc.constantFrom(...EXAMPLES.filter(({ language }) => language === 'yaml')) },
);

/** A file, and one of its places by number, so that a failure shows both. */
const spots = fc.tuple(sources, fc.nat());

interface Spot {
  readonly text: string;
  readonly place: PlaceInFile;
  /** The text afterwards; undefined where the file is in the way, which is no breach of any law. */
  made(operation: Operation): string | undefined;
}

function spotAt([{ text }, number]: [Source, number]): Spot {
  const stream = parse(text);
  const places = [...placesIn(stream)];
  const place = places[number % places.length];
  if (place === undefined) throw new Error('a file has at least one place');
  const made = (operation: Operation) => {
    const outcome = attemptOn(stream, operation);
    return outcome instanceof Refusal ? undefined : outcome.after;
  };
  return { text, place, made };
}

const set = ({ doc, path }: PlaceInFile, value: string): Operation => ({
  op: 'set',
  doc,
  path,
  value,
  create: false,
});

describe('what is set can be got', () => {
  const LINES = ['x', "'q'", '"d\\n"', '[1, {k: v}]', '{a: [b]}', '!t v', '&new w', '12:30', '~'];
  const BLOCKS = ['k: 1\nz: 2', '- 1\n- 2', 'k:\n  - a: 1\n    b: 2\n  - c', '- - 1\n  - 2\n- k: v'];
  const TEXTS = ['|\n  text\n', '>-\n  f\n  g\n', '|+\n  t\n\n', '"m\n  n"', 'p\n  q'];

  test('with the same value, and to the letter where it is one line', () => {
    fc.assert(
      fc.property(spots, fc.constantFrom(...LINES, ...BLOCKS, ...TEXTS), (at, fragment) => {
        const { place, made } = spotAt(at);
        const result = made(set(place, fragment));
        if (result === undefined) return;
        const there = got(parse(result), place.doc, place.path);
        expect(there.value()).toEqual(dataOf(parse(fragment))[0]);
        if (fragment.includes('\n')) return;
        // A fragment without an anchor keeps the old one.
        const anchor = fragment.startsWith('&') ? undefined : place.node.properties?.anchor?.name;
        expect(there.source()).toBe(anchor === undefined ? fragment : `&${anchor} ${fragment}`);
      }),
      { ...SETTINGS, numRuns: 500 },
    );
  });
});

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 10 }),
  fc.string({
    unit: fc.constantFrom(...' \n\ta:#-\'"\\|>%~0.[]{},&*!?@`\u0085\u2028\uFEFF\u202E\u0007'),
    maxLength: 8,
  }),
  fc.constantFrom(
    'no',
    '1.10',
    '0o17',
    '12:30',
    '2024-01-01',
    '~',
    '',
    'null',
    '<<',
    '---',
    '...',
    '1_000',
    '0x1F',
  ),
);
const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => Math.abs(number) < 1e15),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(words, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe('a typed value comes back from every reader, whatever stood in its place', () => {
  const OLD = [
    'x',
    "'x'",
    '"x"',
    '|\n    x',
    '>-\n    x',
    '\n    - x',
    '',
    '[ x, { "a": \'x\' } ]',
    '[\n    "x",\n    [x],\n  ]',
  ];
  const MORE = [
    "\n    - 'x'\n    - |\n      x\n    - 'no': \"x\"\n      '~': x",
    '{"a":1,"b":[1]}',
    '{\n    a: "x",\n    b: [ \'x\' ]\n  }',
  ];
  /** JSON has no negative zero. */
  const normal = (value: Json): Json => JSON.parse(JSON.stringify(value));
  const deceiving = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

  test('of YAML 1.1 and 1.2', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(...OLD, ...MORE), fc.boolean(), (json, old, isFlow) => {
        const before = isFlow ? 'k:\n  v: [1, x]\n' : `k:\n  v: ${old}\n`;
        const after = edited(before, { op: 'set', path: isFlow ? 'k.v[1]' : 'k.v', json });
        expect(after).not.toMatch(deceiving);
        for (const version of ['1.1', '1.2'] as const) {
          const { errors, ...document } = parseDocument(after, { version, merge: false });
          expect(errors).toEqual([]);
          const wanted = isFlow ? [1, normal(json)] : normal(json);
          expect(parseYaml(after, { version, merge: false }), JSON.stringify(document)).toEqual({
            k: { v: wanted },
          });
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('of JSON', () => {
    fc.assert(
      fc.property(
        values,
        fc.constantFrom('1', '[1]', '{"a":1}', '[\n  1\n]', '{\n  "a": 1\n}'),
        (json, old) => {
          const after = edited(`{"v": ${old}}\n`, { op: 'set', path: 'v', json }, 'json');
          expect(JSON.parse(after)).toEqual({ v: normal(json) });
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

test('a block of text says what `yaml` says, whatever the header and the lines are', () => {
  const line = fc.constantFrom('', ' ', '  x', '   x', '    y', '  \t', '  - a', '  # c', '  x  ');
  const header = fc.constantFrom('|', '|-', '|+', '|1', '|2', '|2-', '|2+', '| # c', '>', '>-', '>+2');
  // Neither lines of more spaces than the indentation nor the end of a text without a line break: there `yaml`
  // says less, or more, than the text does.
  const end = fc.constantFrom('b: 1\n', '\nb: 1\n', '\r\nb: 1\n');
  let compared = 0;
  fc.assert(
    fc.property(header, fc.array(line, { maxLength: 6 }), end, (sign, lines, rest) => {
      const text = `a: ${sign}\n${lines.map((each) => `${each}\n`).join('')}${rest}`;
      const document = parseDocument(text);
      if (document.errors.length > 0) return;
      compared += 1;
      expect(got(parse(text), 0, 'a').value()).toBe(document.get('a'));
    }),
    { numRuns: 3_000, seed: 5 },
  );
  expect(compared).toBeGreaterThan(1_000);
});

describe('what is merged is what RFC 7396 says', () => {
  const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.constantFrom('x', 'no', 'a b'));
  const key = fc.constantFrom('a', 'b', 'c', 'd e', '<');
  const { mapping } = fc.letrec<{ any: Json; mapping: Record<string, Json> }>((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, leaf, fc.array(leaf, { maxLength: 2 }), tie('mapping')),
    mapping: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  }));

  test.each(['yaml', 'json'] as const)('in %s', (language) => {
    fc.assert(
      fc.property(mapping, mapping, (target, patch) => {
        const before = `${JSON.stringify(target, null, 2)}\n`;
        const after = edited(before, { op: 'merge', path: '', json: patch }, language);
        expect(dataOf(parse(after, language), language)).toEqual([merged(target, patch)]);
      }),
      { seed: 42, numRuns: 100 },
    );
  });
});

/** As the RFC writes it. */
function merged(target: Json | undefined, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isOther = typeof target !== 'object' || target === null || Array.isArray(target);
  const result: Record<string, Json> = {};
  if (!isOther) Object.assign(result, target);
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete result[name];
    else result[name] = merged(result[name], part);
  }
  return result;
}
