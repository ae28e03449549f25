// A search looks at the bytes of a file before it parses it. It finds the same in files of the same data, however they are spelt.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { inlineAirlock } from '../harness/inline-airlock.ts';
import { runs } from '../harness/runs.ts';

const FILES = {
  'plain.yaml': 'image: nginx\nspec:\n  containers:\n  - name: web\n    image: redis\n    on: true\n',
  'escaped.yaml':
    '"im\\u0061ge": "ngin\\x78"\nspec: {"cont\\U00000061iners": [{"n\\x61me": "w\\u0065b", image: "re\\\n    dis", on: true}]}\n',
  'quoted.yaml': "'image': 'nginx'\nspec: {containers: [{name: 'web', \"image\": 'redis', 'on': true}]}\n",
  'alias.yaml':
    'image: &i nginx\nspec:\n  containers:\n  - {name: web, image: &r redis, on: true}\n# *i *r\n',
  'plain.json': '{"image": "nginx", "spec": {"containers": [{"name": "web", "image": "redis", "on": true}]}}',
  'escaped.json':
    '{"\\u0069mage": "n\\u0067inx", "spec": {"cont\\u0061iners": [{"n\\u0061me": "w\\u0065b", "im\\u0061ge": "r\\u0065dis", "\\u006fn": true}]}}',
  'a.toml':
    '"im\\u0061ge" = "ngin\\u0078"\n[[spec.containers]]\nname = "w\\u0065b"\nimage = """re\\\n   dis"""\n"on" = true\n',
} as const;

const airlock = await inlineAirlock(FILES);
afterAll(() => airlock.close());

const words = fc.constantFrom('image', 'nginx', 'redis', 'spec', 'containers', 'name', 'web', 'true', 'on');
const part = fc.oneof(
  words,
  fc.constantFrom('im', 'age', '*', '?', '.', '[*]', '[0]', '[name=web]', 'x', '**'),
);
const term = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: words },
  { weight: 3, arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')) },
);

const Found = z.object({ matches: z.array(z.string()).default([]) });

/** Of a line `file:1  path = value`. */
function pathOf(match: string): string {
  return /^\S+ {2}(.*?) = /u.exec(match)?.[1] ?? match;
}

test('as a property of patterns and spellings', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.record({ key: term, value: term, where: term }), async ({ key, value, where }) => {
      const asked = { key, value, where: where === undefined ? undefined : `=${where}` };
      const terms = Object.fromEntries(Object.entries(asked).filter(([, one]) => one !== undefined));
      const answers = [];
      for (const file of Object.keys(FILES)) {
        const outcome = await airlock.call('config_search', { pattern: file, ...terms });
        const { matches } = Found.parse('data' in outcome ? outcome.data : {});
        answers.push('code' in outcome ? outcome.code : matches.map(pathOf).join('\n'));
      }
      if (answers[0] !== '') found += 1;
      expect(new Set(answers).size, JSON.stringify([terms, answers])).toBe(1);
    }),
    { numRuns: runs(300) },
  );
  expect(found).toBeGreaterThan(runs(300) / 10);
});
