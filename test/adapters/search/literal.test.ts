// A text that is passed over because it does not hold a word of the search has no match: however the word is spelt there.
import fc from 'fast-check';
import { beforeAll, expect, it, test } from 'vitest';
import { compileSearch, readConfigFile } from '../../../src/adapters/index.ts';
import { DEFAULT_LIMITS, loadVersions, SafePath } from '../../../src/security/index.ts';
import { runs } from '../../harness/runs.ts';

beforeAll(loadVersions);

/** The same data, spelt in several ways. */
const TEXTS = {
  'plain.yaml': 'spec:\n  containers:\n  - name: web\n    image: nginx\n  - name: db\n    image: "redis"\n',
  'escaped.yaml': '"im\\u0061ge": "ngin\\x78"\nspec: {"cont\\U00000061iners": ["re\\\n    dis"]}\n',
  'single.yaml': "'image': 'nginx'\nspec: {containers: [{name: web, image: 'redis'}]}\n",
  'escaped.json':
    '{"\\u0069mage": "n\\u0067inx", "spec": {"cont\\u0061iners": [{"name": "web", "image": "redis"}]}}',
  'a.toml':
    'image = "ngin\\u0078"\n[spec]\ncontainers = ["""re\\\n   dis"""]\n[spec.web]\n"im\\u0061ge" = true\n',
  'alias.yaml':
    'base: &base {name: web, image: nginx}\nspec:\n  containers: [*base, {<<: *base, image: redis}]\n',
  'template.yaml':
    'spec:\n  image: nginx:{{ .tag }}\n  {{ .name }}: redis\n  containers:\n  - name: "{{ .web }}"\n',
};

const files = Object.entries(TEXTS).map(([name, text]) => ({
  text,
  ...readConfigFile(SafePath.parse(name, [undefined]), text, DEFAULT_LIMITS),
}));

const term = fc
  .array(
    fc.constantFrom(
      'image',
      'nginx',
      'redis',
      'spec',
      'containers',
      'name',
      'web',
      'im',
      'age',
      '*',
      '?',
      '.',
      '[*]',
      '[0]',
      '[name=web]',
      'x',
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''));

it('as a property of patterns and spellings', () => {
  let [found, passedOver] = [0, 0];
  fc.assert(
    fc.property(
      fc.record({
        key: fc.option(term, { nil: undefined }),
        value: fc.option(term, { nil: undefined }),
        where: fc.option(
          term.map((text) => `=${text}`),
          { nil: undefined },
        ),
      }),
      (terms) => {
        const { sought, find } = compileSearch(terms);
        for (const { text, stream } of files) {
          const { matches } = find(stream, false);
          if (matches.length > 0) found += 1;
          if (sought.every((test) => test(text))) continue;
          passedOver += 1;
          expect(matches).toEqual([]);
        }
      },
    ),
    { numRuns: runs(3_000) },
  );
  // Neither side is empty.
  expect(Math.min(found, passedOver)).toBeGreaterThan(runs(3_000) / 30);
});

test.each([
  { terms: { key: 'image' }, all: true, why: 'a key that all of them have' },
  { terms: { key: 'nowhere' }, all: false, why: 'one that only what escapes letters could hold' },
])('$why', ({ terms, all }) => {
  const { sought } = compileSearch(terms);
  const held = files.filter(({ text }) => sought.every((test) => test(text))).length;
  expect(held).toBe(all ? files.length : 3);
});

test.each([{ where: 'missing', key: 'image' }, { where: '<2' }, { key: '80' }, { key: 'a\\u0062' }])(
  'no word is asked of a text for %j',
  (terms) => expect(compileSearch(terms).sought).toEqual([]),
);
