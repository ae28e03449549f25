// `set` of a list to its own items in another order, each with its comments: what comes out is what would have been written
// in that order from the first.
import { expect, test } from 'vitest';
import { randomFrom } from '../harness/random.ts';
import { edited, type Language } from './editing/attempt.ts';

interface Item {
  readonly name: string;
  readonly above: boolean;
  readonly behind: boolean;
}

interface Layout {
  readonly why: string;
  readonly language: Language;
  readonly data: (name: string) => unknown;
  readonly write: (items: readonly Item[]) => string;
}

const lines = (items: readonly Item[], mark: string, line: (name: string, isLast: boolean) => string) =>
  items
    .map(({ name, above, behind }, index) => {
      const own = line(name, index === items.length - 1);
      const [first, ...rest] = own.split('\n');
      const comment = behind ? ` ${mark} ${name}!` : '';
      return [...(above ? [`  ${mark} on ${name}`] : []), `  ${first}${comment}`, ...rest].join('\n');
    })
    .join('\n');

const LAYOUTS: readonly Layout[] = [
  {
    why: 'lines of YAML',
    language: 'yaml',
    data: (name) => name,
    write: (items) => `a: 1\nl:\n${lines(items, '#', (name) => `- ${name}`)}\nb: 2\n`,
  },
  {
    why: 'mappings of YAML, at the end of the file',
    language: 'yaml',
    data: (name) => ({ name, port: 1 }),
    write: (items) => `l:\n${lines(items, '#', (name) => `- name: ${name}\n    port: 1`)}\n`,
  },
  {
    why: 'a list of TOML',
    language: 'toml',
    data: (name) => name,
    write: (items) => `l = [\n${lines(items, '#', (name) => `"${name}",`)}\n]\nb = 1\n`,
  },
  {
    why: 'a list of JSON with comments',
    language: 'jsonc',
    data: (name) => name,
    write: (items) =>
      `{\n  "l": [\n${lines(items, '//', (n, isLast) => `  "${n}"${isLast ? '' : ','}`).replaceAll(/^ {2}\/\//gm, '    //')}\n  ]\n}\n`,
  },
];

test.each(LAYOUTS)('$why', ({ language, data, write }) => {
  const { below } = randomFrom(7);
  for (let round = 0; round < 60; round++) {
    const items = [...'abcdef'].slice(0, 2 + below(5)).map((name) => ({
      name,
      above: below(5) < 2,
      behind: below(5) < 2,
    }));
    const order = items.map((item) => ({ item, at: below(1_000) })).sort((x, y) => x.at - y.at);
    const wanted = order.map(({ item }) => item);
    const json = wanted.map(({ name }) => data(name)) as string[];
    const operation = { op: 'set', path: 'l', json } as const;
    expect(edited(write(items), operation, language)).toBe(write(wanted));
  }
});

test.each(LAYOUTS)('where items come and go: $why', ({ language, data, write }) => {
  const { below } = randomFrom(11);
  const item = (name: string, isBare: boolean): Item => ({
    name,
    above: !isBare && below(5) < 2,
    behind: !isBare && below(5) < 2,
  });
  for (let round = 0; round < 60; round++) {
    const items = [...'abcdef'].slice(0, 2 + below(5)).map((name) => item(name, false));
    const pool = [...items, ...[...'uvw'].slice(0, below(4)).map((name) => item(name, true))];
    const order = pool.map((one) => ({ one, at: below(1_000) })).sort((x, y) => x.at - y.at);
    const wanted = order.map(({ one }) => one).slice(0, 1 + below(pool.length));
    // Where nothing stays, the list is replaced as a whole.
    if (!wanted.some((one) => items.includes(one))) continue;
    const json = wanted.map(({ name }) => data(name)) as string[];
    const operation = { op: 'set', path: 'l', json } as const;
    expect(edited(write(items), operation, language)).toBe(write(wanted));
  }
});
