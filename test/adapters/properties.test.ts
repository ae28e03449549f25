// What holds for every operation on every file: on the examples, on the official suite, and on generated
// files in every style. Where the design itself makes a law inexact, `where` says so and leaves it out.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/adapters/formats/registry.ts';
import { isPlainSafe } from '../../src/adapters/formats/yaml/write-scalar.ts';
import { findNode, type Operation } from '../../src/adapters/index.ts';
import { columnOf } from '../../src/adapters/tree/lines.ts';
import { isEmpty, partsOf, type Stream, sliceOf } from '../../src/adapters/tree/span-tree.ts';
import { compose } from '../../src/security/edits/edit.ts';
import { type Edit, printNodePath, Refusal, splice } from '../../src/security/index.ts';
import { attempt, attemptOn, edited, editedInOrder, parse } from './editing/attempt.ts';
import { operationsOn } from './editing/operations.ts';
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

function spotAt([source, number]: [Source, number]): Spot {
  const stream = parse(source.text, source.language);
  return { source, stream, ...picked([...placesIn(stream)], number) };
}

interface Spot {
  readonly source: Source;
  readonly stream: Stream;
  readonly picked: PlaceInFile;
}

function picked<Item>(items: readonly Item[], number: number): { readonly picked: Item } {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('a file has at least one place');
  return { picked: item };
}

function set(place: PlaceInFile, source: string): Operation {
  return { op: 'set', doc: place.doc, path: place.path, value: source, create: false };
}

/** A refusal where the file is in the way is no breach of any law. */
function resultOf(stream: Stream, operation: Operation): string | undefined {
  const outcome = attemptOn(stream, operation);
  return outcome instanceof Refusal ? undefined : outcome.after;
}

/** A block scalar that the end of the file cuts off is written as `|-` before a line comes below it: for good. */
function isCutOff({ source: { text } }: Spot): boolean {
  return !text.endsWith('\n');
}

function holdsFor(where: (spot: Spot) => boolean, law: (spot: Spot) => void): void {
  let tried = 0;
  fc.assert(
    fc.property(spots, (at) => {
      const spot = spotAt(at);
      if (!where(spot)) return;
      tried += 1;
      law(spot);
    }),
    SETTINGS,
  );
  expect(tried, 'the law was put to the test').toBeGreaterThan(10);
}

describe('the bytes that an operation has no business with stay', () => {
  test('what was got and is set again changes nothing', () => {
    holdsFor(
      () => true,
      ({ source: { text }, stream, picked: place }) => {
        const outcome = attemptOn(stream, set(place, sliceOf(text, place.node)));
        expect(outcome).toMatchObject({ after: text, edits: [], changes: [] });
      },
    );
  });
});

describe('what is set can be got', () => {
  const FRAGMENTS = ['x', "'q'", '"d\\n"', '[1, {k: v}]', '{a: [b]}', '!t v', '&new w', '12:30', '~'];
  const BLOCKS = ['k: 1\nz: 2', '- 1\n- 2', 'k:\n  - a: 1\n    b: 2\n  - c', '- - 1\n  - 2\n- k: v'];

  test('to the letter, where it is one line', () => {
    fc.assert(
      fc.property(spots, fc.constantFrom(...FRAGMENTS), (at, fragment) => {
        const { stream, picked: place } = spotAt(at);
        const result = resultOf(stream, set(place, fragment));
        if (result === undefined) return;
        const got = sourceAt(result, place);
        // A fragment without an anchor keeps the old one.
        const anchor = fragment.startsWith('&') ? undefined : place.node.properties?.anchor?.name;
        expect(got).toBe(anchor === undefined ? fragment : `&${anchor} ${fragment}`);
      }),
      SETTINGS,
    );
  });

  test('but for its indentation, where it is a block', () => {
    fc.assert(
      fc.property(spots, fc.constantFrom(...BLOCKS), (at, fragment) => {
        const { stream, picked: place } = spotAt(at);
        // Within [ ] and { } a block becomes flow, and a kept anchor stands on the line above.
        if (isInFlow(stream, place) || place.node.properties?.anchor !== undefined) return;
        const result = resultOf(stream, set(place, fragment));
        if (result === undefined) return;
        // The comment on the line where the block begins is not the block's.
        expect(unindentedAt(result, place).replaceAll(/ +#.*$/gm, '')).toBe(fragment);
      }),
      SETTINGS,
    );
  });

  test('with the same value, whatever its style', () => {
    const ANY = [
      ...FRAGMENTS,
      ...BLOCKS,
      '|\n  text\n',
      '>-\n  f\n  g\n',
      '|+\n  t\n\n',
      '"m\n  n"',
      'p\n  q',
    ];
    fc.assert(
      fc.property(spots, fc.constantFrom(...ANY), (at, fragment) => {
        const { stream, picked: place } = spotAt(at);
        const result = resultOf(stream, set(place, fragment));
        if (result !== undefined) expect(nodeAt(result, place).value()).toEqual(valueIn(fragment));
      }),
      SETTINGS,
    );
  });
});

describe('there and back', () => {
  const VALUES = ['x', 'k: 1\nz: 2', '- 1\n- 2'];

  test('append, then delete the last item', () => {
    holdsFor(
      // A list that was empty before is [] afterwards.
      (spot) => !isCutOff(spot) && spot.picked.node.kind === 'sequence' && spot.picked.node.items.length > 0,
      ({ source: { text }, stream, picked: { doc, path, segments } }) => {
        const last = printNodePath([...segments, -1]);
        for (const source of VALUES) {
          const longer = resultOf(stream, { op: 'append', doc, path, value: source });
          if (longer !== undefined) expect(edited(longer, { op: 'delete', doc, path: last })).toBe(text);
        }
      },
    );
  });

  test('insert an item, then delete it', () => {
    holdsFor(
      (spot) => !isCutOff(spot) && spot.picked.node.kind === 'sequence' && spot.picked.node.items.length > 0,
      ({ source: { text }, stream, picked: { doc, path, segments, node } }) => {
        const { length } = node.kind === 'sequence' ? node.items : [];
        for (let index = 0; index < length; index++) {
          const longer = resultOf(stream, { op: 'insert', doc, path, index, value: 'x' });
          const there = printNodePath([...segments, index]);
          if (longer !== undefined) expect(edited(longer, { op: 'delete', doc, path: there })).toBe(text);
        }
      },
    );
  });

  test('insert a key, then delete it', () => {
    holdsFor(
      // A pair in [ ] that has grown keeps its braces; a mapping that was empty is {} afterwards.
      (spot) => !isCutOff(spot) && spot.picked.node.kind === 'mapping' && hasKeys(spot),
      ({ source: { text }, stream, picked: place }) => {
        const path = printNodePath([...place.segments, 'newkey']);
        for (const operation of operationsOn(place)) {
          if (operation.op !== 'insert') continue;
          const longer = resultOf(stream, operation);
          if (longer !== undefined) expect(edited(longer, { op: 'delete', doc: place.doc, path })).toBe(text);
        }
      },
    );
  });

  test('rename, then rename back', () => {
    holdsFor(
      // A key that a reader could take for a number, or with escapes, comes back quoted in our own way.
      ({ source: { text }, picked: { part } }) =>
        part !== undefined && 'key' in part && isPlainSafe(text.slice(part.key.start, part.key.end), true),
      ({ source: { text }, stream, picked: { doc, path, segments, part } }) => {
        const renamed = resultOf(stream, { op: 'rename', doc, path, new_key: 'an other' });
        if (renamed === undefined || part === undefined || !('key' in part)) return;
        const newKey = text.slice(part.key.start, part.key.end);
        const there = printNodePath([...segments.slice(0, -1), 'an other']);
        expect(edited(renamed, { op: 'rename', doc, path: there, new_key: newKey })).toBe(text);
      },
    );
  });

  test.each(['before', 'line_end'] as const)('set a comment (%s), then remove it', (where) => {
    holdsFor(
      // Where a comment stood it is replaced; blanks at the end of a line give way to the comment.
      ({ source: { text } }) => !/[ \t]\r?$/m.test(text),
      ({ source: { text }, stream, picked: { doc, path } }) => {
        const comment = { op: 'comment', doc, path, place: where } as const;
        if (resultOf(stream, { ...comment, comment: '' }) !== text) return;
        const longer = resultOf(stream, { ...comment, comment: 'note' });
        if (longer !== undefined) expect(edited(longer, { ...comment, comment: '' })).toBe(text);
      },
    );
  });
});

describe('a batch', () => {
  const numbers = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 2, maxLength: 5 });

  test('is its operations one by one, and one set of edits on the first text', () => {
    fc.assert(
      fc.property(sources, numbers, ({ text }, choices) => {
        const operations: Operation[] = [];
        let current = text;
        let edits: readonly Edit[] = [];
        for (const [where, what] of choices) {
          const stream = parse(current);
          const { picked: place } = picked([...placesIn(stream)], where);
          const { picked: operation } = picked([...operationsOn(place)], what);
          const outcome = attempt(current, operation);
          if (outcome instanceof Refusal) continue;
          operations.push(operation);
          edits = compose(text.length, edits, outcome.edits);
          current = outcome.after;
        }
        expect(editedInOrder(text, operations)).toBe(current);
        expect(splice(text, edits)).toBe(current);
      }),
      SETTINGS,
    );
  });
});

test('nearly all generated files are YAML', () => {
  const seeds = Array.from({ length: 300 }, (_, seed) => seed);
  expect(() => seeds.map((seed) => parse(generated(seed).text))).not.toThrow();
});

function nodeAt(text: string, { doc, path }: PlaceInFile) {
  return findNode({ format: FORMATS.yaml, stream: parse(text) }, path, doc);
}

function sourceAt(text: string, place: PlaceInFile): string {
  return nodeAt(text, place).source().replaceAll('\r\n', '\n');
}

function valueIn(fragment: string) {
  return findNode({ format: FORMATS.yaml, stream: parse(fragment) }, '', 0).value();
}

/** The node's lines from its own column on. */
function unindentedAt(text: string, { doc, path }: PlaceInFile): string {
  const there = [...placesIn(parse(text))].find((place) => place.doc === doc && place.path === path);
  if (there === undefined) throw new Error(`${path} is gone`);
  const { node } = there;
  const [first = '', ...rest] = text.slice(node.start, node.end).replaceAll('\r\n', '\n').split('\n');
  return [first, ...rest.map((line) => line.slice(columnOf(text, node.start)))].join('\n');
}

function isInFlow({ documents }: Stream, { doc, node }: PlaceInFile): boolean {
  const root = documents[doc]?.root;
  const around = [root].filter((one) => one !== undefined);
  for (const one of around) {
    if (one === node || one.start > node.start || one.end < node.end) continue;
    if (one.kind !== 'mapping' && one.kind !== 'sequence') continue;
    if (one.style !== 'block') return true;
    around.push(...partsOf(one).map(({ value }) => value));
  }
  return false;
}

function hasKeys({ picked: { node } }: Spot): boolean {
  return node.kind === 'mapping' && node.style !== 'pair' && node.entries.length > 0 && !isEmpty(node);
}
