// Which level a change gets: by the strictest rule that names it, by the default where none does, by `else` where a
// constraint does not hold; and what cannot be said for sure is never more lenient.
import { expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import {
  compileRules,
  type FileFacts,
  type FileMatch,
  type Json,
  judge,
  type Level,
  loadEngines,
  nearestAllowed,
  whatPasses,
} from '../../../src/security/index.ts';
import { factsOf } from './json-facts.ts';

async function levelOf(
  policy: string,
  facts: FileFacts,
  { matches = 'yes', least = 'direct' }: { readonly matches?: FileMatch; readonly least?: Level } = {},
) {
  const read = await readPolicy(policy);
  await loadEngines(read);
  const { level, findings } = judge(
    facts,
    compileRules(read),
    read.rules.map(() => matches),
    least,
  );
  return { level, rules: findings.map(({ rule }) => rule?.id ?? 'default') };
}

const rule = (text: string, usual: Level = 'preview') =>
  `default: ${usual}\nrules:\n  - { id: r, ${text} }\n`;

const deployment = (spec: Json, kind = 'Deployment'): Json => ({
  kind,
  metadata: { name: 'web', namespace: 'prod' },
  spec,
});

interface Case {
  readonly why: string;
  readonly policy: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly level: Level;
}

const under = (policy: string, cases: readonly Omit<Case, 'policy'>[]): readonly Case[] =>
  cases.map((one) => ({ ...one, policy }));

const CASES: readonly Case[] = [
  ...under('rules: []', [
    {
      why: 'no rule names it, and the policy has no default',
      before: { a: 1 },
      after: { a: 2 },
      level: 'human',
    },
  ]),
  ...under(rule('paths: a, then: direct'), [
    { why: 'a rule names the node', before: { a: 1 }, after: { a: 2 }, level: 'direct' },
    { why: 'one of two changes is named', before: { a: 1, b: 1 }, after: { a: 2, b: 2 }, level: 'preview' },
  ]),
  ...under(rule('paths: a, then: deny'), [
    { why: 'a rule names a node above', before: { a: { b: 1 } }, after: { a: { b: 2 } }, level: 'deny' },
  ]),
  ...under(rule('paths: a.b, then: deny'), [
    { why: 'the parent goes with the node', before: { a: { b: 1 } }, after: {}, level: 'deny' },
    { why: 'the parent becomes a scalar', before: { a: { b: 1 } }, after: { a: 1 }, level: 'deny' },
  ]),
  ...under(rule('paths: a, value: { maximum: 9 }, then: direct'), [
    { why: 'the node becomes a mapping', before: { a: 1 }, after: { a: { b: 1 } }, level: 'deny' },
    { why: 'a constraint holds', before: { a: 1 }, after: { a: 9 }, level: 'direct' },
    { why: 'a constraint does not hold', before: { a: 1 }, after: { a: 10 }, level: 'deny' },
    { why: 'a text is no number', before: { a: 1 }, after: { a: '5' }, level: 'deny' },
    { why: 'what is removed has no value', before: { a: 1 }, after: {}, level: 'deny' },
  ]),
  ...under('rules:\n  - { id: one, paths: a, then: deny }\n  - { id: two, paths: "**", then: direct }\n', [
    { why: 'the strictest rule wins, whatever the order', before: { a: 1 }, after: { a: 2 }, level: 'deny' },
  ]),
  ...under(rule('paths: a, value: { maximum: 9 }, then: direct, else: client'), [
    {
      why: 'a constraint that does not hold takes else',
      before: { a: 1 },
      after: { a: 10 },
      level: 'client',
    },
  ]),
  ...under(
    'rules:\n  - { id: one, paths: a, value: { maximum: 9 }, then: direct }\n  - { id: two, paths: "**", then: direct }\n',
    [
      {
        why: 'a failed constraint does not fall through to a lenient rule',
        before: { a: 1 },
        after: { a: 10 },
        level: 'deny',
      },
    ],
  ),
  ...under(rule('paths: a, value: { not: { minimum: 10 } }, then: direct'), [
    {
      why: 'nor is it one where the keyword is negated',
      before: { a: 1 },
      after: { a: '500' },
      level: 'deny',
    },
  ]),
  ...under(rule('paths: a, value: { pattern: "^[0-9.]+$" }, then: direct'), [
    { why: 'a number is no text', before: { a: '1' }, after: { a: 1 }, level: 'deny' },
  ]),
  ...under(rule('paths: a, ops: replace, then: direct'), [
    { why: 'ops leave out what is added', before: {}, after: { a: 1 }, level: 'preview' },
  ]),
  ...under(rule('paths: a, ops: [remove], then: deny'), [
    { why: 'ops name what is removed', before: { a: 1 }, after: {}, level: 'deny' },
  ]),
  ...under(rule('paths: "c[name=web].image", then: deny'), [
    {
      why: 'an item is named by its field',
      before: {
        c: [
          { name: 'db', image: 'x:1' },
          { name: 'web', image: 'x:1' },
        ],
      },
      after: {
        c: [
          { name: 'db', image: 'x:1' },
          { name: 'web', image: 'x:2' },
        ],
      },
      level: 'deny',
    },
    {
      why: 'another item is not meant',
      before: {
        c: [
          { name: 'db', image: 'x:1' },
          { name: 'web', image: 'x:1' },
        ],
      },
      after: {
        c: [
          { name: 'db', image: 'x:2' },
          { name: 'web', image: 'x:1' },
        ],
      },
      level: 'preview',
    },
    {
      why: 'an item is renamed and changed at once',
      before: { c: [{ name: 'web', image: 'x:1' }] },
      after: { c: [{ name: 'wep', image: 'x:2' }] },
      level: 'deny',
    },
    {
      why: 'an item loses the name that the rule finds it by, to be changed later',
      before: { c: [{ name: 'web', image: 'x:1' }] },
      after: { c: [{ name: 'wep', image: 'x:1' }] },
      level: 'deny',
    },
  ]),
  ...under(rule('paths: "a[-1]", then: deny'), [
    { why: 'the last item of a list', before: { a: [1, 2] }, after: { a: [1, 3] }, level: 'deny' },
  ]),
  ...under(rule('paths: "a[0]", then: deny'), [
    { why: 'an index is another one', before: { a: [1, 2] }, after: { a: [1, 3] }, level: 'preview' },
  ]),
  ...under(rule('paths: "**.image", then: deny'), [
    {
      why: 'every depth',
      before: { x: { y: [{ image: 'a' }] } },
      after: { x: { y: [{ image: 'b' }] } },
      level: 'deny',
    },
  ]),
  ...under(rule('paths: replicas, then: deny', 'direct'), [
    { why: 'another case of a key that is denied', before: {}, after: { Replicas: 5 }, level: 'deny' },
  ]),
  ...under(rule('paths: "caf\u00e9", then: deny', 'direct'), [
    {
      why: 'another Unicode form of a key that is denied',
      before: {},
      after: { 'cafe\u0301': 5 },
      level: 'deny',
    },
  ]),
  ...under(rule('paths: replicas, then: direct'), [
    { why: 'another case of a key that is allowed', before: {}, after: { Replicas: 5 }, level: 'preview' },
  ]),
  ...under(rule('doc: Deployment/web, paths: spec.replicas, then: direct'), [
    {
      why: 'the document is the one that is meant',
      before: deployment({ replicas: 1 }),
      after: deployment({ replicas: 2 }),
      level: 'direct',
    },
  ]),
  ...under(rule('doc: Deployment/*, paths: spec.replicas, then: deny'), [
    {
      why: 'the document is meant before the change only',
      before: deployment({ replicas: 1 }),
      after: deployment({ replicas: 2 }, 'Deploymen'),
      level: 'deny',
    },
    {
      why: 'the document is meant after the change only',
      before: deployment({ replicas: 1 }, 'Deploymen'),
      after: deployment({ replicas: 2 }),
      level: 'deny',
    },
  ]),
  ...under(rule('doc: { metadata.namespace: "pro*" }, paths: spec.replicas, then: deny'), [
    {
      why: 'the document leaves the rule, to be changed later',
      before: { metadata: { namespace: 'prod' }, spec: { replicas: 1 } },
      after: { metadata: { namespace: 'dev' }, spec: { replicas: 1 } },
      level: 'deny',
    },
  ]),
  ...under(rule('doc: { kind: [Secret, ConfigMap] }, paths: spec, then: deny'), [
    {
      why: 'another document',
      before: deployment({ replicas: 1 }),
      after: deployment({ replicas: 2 }),
      level: 'preview',
    },
  ]),
  ...under(rule('paths: image, change: { semver: minor }, then: direct'), [
    {
      why: 'a version goes up',
      before: { image: 'r:5000/a/web:v1.2.3' },
      after: { image: 'r:5000/a/web:v1.3.0' },
      level: 'direct',
    },
  ]),
  ...under(rule('paths: v, change: { semver: not_lower }, then: direct'), [
    { why: 'a version goes down', before: { v: '1.2.10' }, after: { v: '1.2.9' }, level: 'deny' },
    { why: 'a pre-release is lower', before: { v: '1.2.0' }, after: { v: '1.2.0-rc.1' }, level: 'deny' },
    { why: 'another image', before: { v: 'web:1.2.3' }, after: { v: 'evil:1.2.4' }, level: 'deny' },
    {
      why: 'a digest decides, not the tag',
      before: { v: 'web:1.2.3' },
      after: { v: 'web:1.2.4@sha256:00' },
      level: 'deny',
    },
    {
      why: 'a tag that is no version',
      before: { v: 'web:1.2.3' },
      after: { v: 'web:latest' },
      level: 'deny',
    },
  ]),
  ...under(rule('paths: v, change: { semver: patch }, then: direct'), [
    { why: 'more than a patch', before: { v: '1.2.3' }, after: { v: '1.3.0' }, level: 'deny' },
  ]),
  ...under(rule('paths: n, change: { max_step: 2 }, then: direct'), [
    { why: 'a step that is small enough', before: { n: 3 }, after: { n: 5 }, level: 'direct' },
    { why: 'a step down counts as well', before: { n: 5 }, after: { n: 2 }, level: 'deny' },
    { why: 'what is new has no step', before: {}, after: { n: 1 }, level: 'deny' },
  ]),
];

it.each(CASES)('the level is $level where $why [POL-1]', async ({ policy, before, after, level }) => {
  expect((await levelOf(policy, factsOf(before, after))).level).toBe(level);
});

/** `then` is stricter than `else`: such a rule names what is dangerous. */
interface Dangerous {
  readonly why: string;
  readonly change: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly level: Level;
}

const where = (change: string, cases: readonly Omit<Dangerous, 'change'>[]): readonly Dangerous[] =>
  cases.map((one) => ({ ...one, change }));

const DANGEROUS: readonly Dangerous[] = [
  ...where('max_step: 2', [
    { why: 'the step is one that it names', before: 3, after: 5, level: 'human' },
    { why: 'the step is larger than it names', before: 3, after: 6, level: 'direct' },
    { why: 'the number stands in quotes', before: 3, after: '6', level: 'human' },
    { why: 'nothing stood there', after: 6, level: 'human' },
    { why: 'nothing is left', before: 6, level: 'human' },
  ]),
  ...where('max_step: 20%', [{ why: 'it was no number', before: null, after: 6, level: 'human' }]),
  ...where('semver: patch', [
    { why: 'a version is as it names', before: 'a:1.2.3', after: 'a:1.2.4', level: 'human' },
    { why: 'a version is higher', before: 'a:1.2.3', after: 'a:1.3.0', level: 'direct' },
    { why: 'a version is lower', before: 'a:1.2.3', after: 'a:1.2.2', level: 'direct' },
    { why: 'a tag is no version', before: 'a:1.2.3', after: 'a:latest', level: 'human' },
    { why: 'it is of another image', before: 'a:1.2.3', after: 'b:1.3.0', level: 'human' },
    { why: 'a digest decides', before: 'a:1.2.3', after: 'a:1.3.0@sha256:00', level: 'human' },
  ]),
];

it.each(DANGEROUS)(
  'a rule that names dangerous changes asks for $level where $why [POL-2]',
  async ({ change, before, after, level }) => {
    const policy = rule(`paths: a, change: { ${change} }, then: human, else: direct`);
    const at = (value: Json | undefined): Json => ({ b: 1, ...(value === undefined ? {} : { a: value }) });
    expect((await levelOf(policy, factsOf(at(before), at(after)))).level).toBe(level);
  },
);

const COMMENTED: readonly { readonly why: string; readonly rule: string; readonly level: Level }[] = [
  { why: 'the value is fine', rule: 'value: { maximum: 9 }, then: direct, else: human', level: 'direct' },
  {
    why: 'the value is none that it allows',
    rule: 'value: { maximum: 3 }, then: direct, else: human',
    level: 'direct',
  },
  {
    why: 'the value is dangerous',
    rule: 'value: { minimum: 3 }, then: human, else: direct',
    level: 'direct',
  },
  {
    why: 'what passes needs a reviewer too',
    rule: 'value: { maximum: 3 }, then: human, else: deny',
    level: 'human',
  },
  {
    why: 'it is compared with the one before',
    rule: 'change: { max_step: 1 }, then: direct, else: deny',
    level: 'direct',
  },
  {
    why: 'the rule leaves comments to others',
    rule: 'ops: [add, remove, replace], value: { maximum: 3 }, then: direct',
    level: 'preview',
  },
  { why: 'the rule has no constraint', rule: 'then: deny', level: 'deny' },
];

it.each(COMMENTED)(
  'a comment beside a value gets $level where $why: it has no value itself [POL-1]',
  async (row) => {
    const { documents } = factsOf({ a: { b: 5 } }, { a: { b: 5 } });
    for (const path of [['a', 'b'], ['a']]) {
      const facts: FileFacts = { documents, changes: [{ op: 'comment', doc: 0, path }] };
      const { level, rules } = await levelOf(rule(`paths: a.b, ${row.rule}`), facts);
      // A comment above the node is not beside it.
      expect([path.length, level]).toEqual([path.length, rules[0] === 'default' ? 'preview' : row.level]);
      if (path.length === 2 && row.level !== 'preview') expect(rules).toEqual(['r']);
    }
  },
);

it('what a dangerous value must be decides before what cannot be compared [POL-2]', async () => {
  const policy = rule('paths: a, value: { minimum: 10 }, change: { max_step: 2 }, then: human, else: client');
  expect((await levelOf(policy, factsOf({}, { a: 5 }))).level).toBe('client');
  expect((await levelOf(policy, factsOf({}, { a: 15 }))).level).toBe('human');
});

it('a rule about another file says nothing, and one about another spelling of its name is never lenient [POL-1]', async () => {
  const facts = factsOf({ a: 1 }, { a: 2 });
  const lenient = rule('files: x.yaml, paths: a, then: direct');
  const strict = rule('files: x.yaml, paths: a, then: deny');
  expect((await levelOf(lenient, facts, { matches: 'no' })).level).toBe('preview');
  expect((await levelOf(lenient, facts, { matches: 'perhaps' })).level).toBe('preview');
  expect((await levelOf(strict, facts, { matches: 'perhaps' })).level).toBe('deny');
});

it('a lower bound holds for all that rules let pass [POL-1]', async () => {
  const facts = factsOf({ a: 1 }, { a: 2 });
  expect(await levelOf(rule('paths: a, then: direct'), facts, { least: 'client' })).toEqual({
    level: 'client',
    rules: ['r'],
  });
  expect((await levelOf(rule('paths: a, then: deny'), facts, { least: 'client' })).level).toBe('deny');
});

const VAGUE: readonly { readonly why: string; readonly policy: string; readonly level: Level }[] = [
  { why: 'a rule denies what stands below', policy: rule('paths: a.b.c, then: deny'), level: 'deny' },
  { why: 'a rule allows it', policy: rule('paths: a, then: direct'), level: 'preview' },
  {
    why: 'a rule is about another kind of change',
    policy: rule('paths: a.b, ops: remove, then: deny'),
    level: 'deny',
  },
  {
    why: 'a constraint cannot be asked',
    policy: rule('paths: a, value: { maximum: 9 }, then: direct'),
    level: 'deny',
  },
];

it.each(VAGUE)('what cannot be told has the level $level where $why [POL-2]', async ({ policy, level }) => {
  const facts: FileFacts = {
    ...factsOf({ a: 1 }, { a: 1 }),
    changes: [{ op: 'replace', doc: 0, path: ['a'], isVague: true }],
  };
  expect((await levelOf(policy, facts)).level).toBe(level);
});

it('an item that comes in front moves others to the index of a rule [POL-2]', async () => {
  const { documents } = factsOf({ a: [1, 2] }, { a: [0, 1, 2] });
  const facts: FileFacts = { documents, changes: [{ op: 'add', doc: 0, path: ['a', 0], shifting: [1] }] };
  expect((await levelOf(rule('paths: "a[2]", then: deny'), facts)).level).toBe('deny');
  expect((await levelOf(rule('paths: "a[-1]", then: deny'), facts)).level).toBe('deny');
  expect((await levelOf(rule('paths: "a[1]", then: direct'), facts)).level).toBe('preview');
});

const TEXTS: readonly {
  readonly why: string;
  readonly policy: string;
  readonly isUnreadable: boolean;
  readonly level: Level;
}[] = [
  {
    why: 'a rule names texts',
    policy: rule('ops: text, then: direct'),
    isUnreadable: false,
    level: 'direct',
  },
  {
    why: 'a rule names all of a file',
    policy: rule('files: a/**, then: direct'),
    isUnreadable: false,
    level: 'direct',
  },
  {
    why: 'a rule is about data',
    policy: rule('paths: "**", then: direct'),
    isUnreadable: false,
    level: 'preview',
  },
  {
    why: 'a plain text has no data that a rule could deny',
    policy: rule('paths: a, then: deny'),
    isUnreadable: false,
    level: 'preview',
  },
  {
    why: 'a rule denies data that may stand in what cannot be read',
    policy: rule('paths: a, then: deny'),
    isUnreadable: true,
    level: 'deny',
  },
  {
    why: 'the same beside a rule that allows texts',
    policy:
      'rules:\n  - { id: t, ops: text, then: direct }\n  - { id: d, paths: a, value: { maximum: 1 }, then: direct }\n',
    isUnreadable: true,
    level: 'deny',
  },
];

it.each(TEXTS)(
  'the lines of a file without keys have the level $level where $why [POL-3]',
  async ({ policy, isUnreadable, level }) => {
    const facts: FileFacts = {
      documents: [],
      changes: [{ op: 'text', doc: undefined, path: [] }],
      isUnreadable,
    };
    expect((await levelOf(policy, facts)).level).toBe(level);
  },
);

it('a change without any finding still has the default [POL-1]', async () => {
  expect((await levelOf('default: client', { documents: [], changes: [] })).level).toBe('client');
});

it.each([
  { why: 'a bound', allows: 'value: { maximum: 10 }', now: 5, asked: 50, nearest: 10 },
  {
    why: 'a whole number',
    allows: 'value: { type: integer }, change: { max_step: 20% }',
    now: 6,
    asked: 9,
    nearest: 7,
  },
  {
    why: 'a multiple',
    allows: 'value: { type: integer, multipleOf: 5, minimum: 3 }',
    now: 20,
    asked: 1,
    nearest: 5,
  },
  {
    why: 'what is there already',
    allows: 'value: { type: integer }, change: { max_step: 20% }',
    now: 4,
    asked: 9,
    nearest: undefined,
  },
  {
    why: 'nothing that meets all',
    allows: 'value: { maximum: 10, not: { const: 10 } }',
    now: 5,
    asked: 50,
    nearest: undefined,
  },
  {
    why: 'no bound itself',
    allows: 'value: { minimum: 1, exclusiveMinimum: 1 }',
    now: 5,
    asked: 0,
    nearest: undefined,
  },
])(
  'offers $why, or nothing that would only be denied again [POL-1]',
  async ({ allows, now, asked, nearest }) => {
    const [read] = (await readPolicy(rule(`paths: a, ${allows}, then: preview`))).rules;
    if (read === undefined) throw new Error('the policy has a rule');
    expect(nearestAllowed(read, { before: { value: now }, after: { value: asked } })).toBe(nearest);
  },
);

it('offers no value that a rule about dangerous ones names [POL-1]', async () => {
  const [read] = (
    await readPolicy(rule('paths: a, value: { minimum: 10, maximum: 20 }, then: deny, else: direct'))
  ).rules;
  if (read === undefined) throw new Error('the policy has a rule');
  expect(nearestAllowed(read, { before: 'unclear', after: { value: 25 } })).toBeUndefined();
  expect(whatPasses(read)).toBe('anything but at least 10, at most 20');
});
