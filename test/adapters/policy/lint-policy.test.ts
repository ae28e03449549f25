// What is accepted in a policy and was hardly meant so is said, with its place; and nothing is said of a rule that has an effect.
import { expect, it } from 'vitest';
import { examinePolicy } from '../../../src/adapters/index.ts';

const SAY = 'say: Ask the platform team.';

const DOUBTFUL: readonly {
  readonly why: string;
  readonly rules: string;
  readonly says: readonly string[];
}[] = [
  {
    why: 'another rule names all of it and is stricter',
    rules: `
  - { id: all, files: deploy/**, paths: '**.image', then: deny, ${SAY} }
  - { id: some, files: deploy/prod/*.yaml, paths: spec.template.image, then: human }`,
    says: ['rules[1]: "some" has no effect: "all" names all of it, and is deny there'],
  },
  {
    why: 'another rule asks a constraint, and both of its answers are as strict',
    rules: `
  - { id: a, paths: spec.replicas, value: { maximum: 3 }, then: human, else: deny }
  - { id: b, paths: spec.replicas, then: client }`,
    says: ['rules[1]: "b" has no effect: "a" names all of it, and is human or deny there'],
  },
  {
    why: 'two rules say the same: the second is too many',
    rules: `
  - { id: a, paths: [x, y], then: client }
  - { id: b, paths: x, then: client }
  - { id: c, paths: [x, y], then: client }`,
    says: ['rules[1]: "b" has no effect', 'rules[2]: "c" has no effect'],
  },
  {
    why: 'a document is named by a rule about all of its kind',
    rules: `
  - { id: a, doc: Secret, then: deny, ${SAY} }
  - { id: b, doc: Secret/db, paths: data, ops: [replace], then: human }`,
    says: ['rules[1]: "b" has no effect'],
  },
  {
    why: 'it says what the default says, and no rule is more lenient',
    rules: `
  - { id: a, paths: x, then: human }
  - { id: b, paths: x.y, then: deny, ${SAY} }`,
    says: ['rules[0]: "a" has no effect: it says human, as the default does'],
  },
  ...['^a|b$', '(^a|b$)', '^(a)|(b)$', '(?m)^a$', '(?im)^a$', '^(?m:a$)', '^a\\\\$', '\\\\^a$', 'a$'].map(
    (pattern) => ({
      why: `a pattern holds for a part: ${pattern}`,
      rules: `
  - { id: a, paths: x, value: { pattern: "${pattern}" }, then: direct, else: human }`,
      says: ['rules[0].value.pattern: it holds for every text that has this in it'],
    }),
  ),
  {
    why: 'a key with dots stands without quotes',
    rules: `
  - { id: a, paths: metadata.annotations.app.io/name, then: deny, ${SAY} }
  - { id: b, paths: spec/replicas, then: deny, ${SAY} }`,
    says: ['rules[0].paths[0]: "io/name" is a part of a key', 'rules[1].paths[0]: "spec/replicas" is'],
  },
  {
    why: 'a selector has a wildcard',
    rules: `
  - { id: a, paths: 'env[name=DB_*].value', then: deny, ${SAY} }`,
    says: ['rules[0].paths[0]: "DB_*" is that very text'],
  },
  {
    why: 'then and else are exchanged',
    rules: `
  - { id: a, paths: x, value: { maximum: 3 }, then: human, else: direct }`,
    says: ['rules[0].then: a value that meets the constraint is human, and one that does not is direct'],
  },
  {
    why: 'not where the constraint lists what is dangerous',
    rules: `
  - { id: a, paths: x, value: { enum: [LoadBalancer, NodePort] }, then: human, else: direct }`,
    says: [],
  },
  {
    why: 'nobody is told what to do instead',
    rules: `
  - { id: a, paths: x, then: deny }`,
    says: ['rules[0].then: nobody can approve what is denied'],
  },
  {
    why: 'it names every change',
    rules: `
  - { id: a, then: client }`,
    says: ['rules[0]: it names every change'],
  },
  {
    why: 'a pattern holds for any text that has it in it',
    rules: `
  - { id: a, paths: x, value: { anyOf: [{ pattern: '^a$' }, { pattern: 'registry.example' }] }, then: direct, else: human }`,
    says: ['rules[0].value.anyOf[1].pattern: it holds for every text that has this in it'],
  },
];

it.each(DOUBTFUL)('says with its place that $why', async ({ rules, says }) => {
  const { faults, doubts } = await examinePolicy(`default: human\nrules:${rules}\n`);
  expect(faults).toEqual([]);
  const found = doubts.map(({ path, message }) => `${path}: ${message}`);
  expect(found).toEqual(says.map((text) => expect.stringContaining(text)));
});

it('says it of a default that lets everything pass, and of a policy without rules', async () => {
  const { doubts } = await examinePolicy('# ours\ndefault: direct\n');
  expect(doubts).toEqual([
    { line: 2, path: 'default', message: expect.stringContaining('nobody is asked') },
    { line: 2, path: 'rules', message: 'there are no rules, so that every change is direct' },
  ]);
});

it.each([
  {
    why: 'two rules meet in some changes only',
    rules: `
  - { id: a, files: deploy/**, then: client }
  - { id: b, paths: '**.image', then: human }
  - { id: c, files: 'deploy/*.yaml', paths: '*.image', ops: [replace], then: deny, ${SAY} }`,
  },
  {
    why: 'a wider rule is more lenient',
    rules: `
  - { id: a, paths: spec, then: direct }
  - { id: b, paths: spec.replicas, value: { maximum: 9 }, then: direct, else: human }
  - { id: c, paths: 'spec.*.x', then: human }`,
  },
  {
    why: 'a pattern holds for whole texts',
    rules: [
      '^a$',
      '(^a$)',
      '^(a|b)$',
      '^a$|^b$',
      '(?i)^a$',
      '^a[|(]$',
      '^[]|]$',
      '^a\\\\\\\\$',
      '\\\\Aa\\\\z',
    ]
      .map(
        (pattern, index) => `
  - { id: a${index}, paths: x${index}, value: { pattern: "${pattern}" }, then: direct, else: human }`,
      )
      .join(''),
  },
  {
    why: 'a key with a slash stands in quotes, and a text is a wildcard',
    rules: `
  - { id: a, paths: 'metadata.annotations["app.io/name"]', then: deny, ${SAY} }
  - { id: b, paths: 'rules[*].verbs[.="*"]', then: deny, ${SAY} }`,
  },
  {
    why: 'a wildcard of items does not name keys, and a folder not its neighbour',
    rules: `
  - { id: a, files: deploy/**, paths: 'x[*]', then: direct }
  - { id: b, files: deployment/x.yaml, paths: 'x[0]', then: direct }
  - { id: c, files: deploy/x.yaml, paths: x.key, then: direct }`,
  },
])('says nothing where $why', async ({ rules }) => {
  expect((await examinePolicy(`rules:${rules}\n`)).doubts).toEqual([]);
});

it('finds every fault, where a server stops at the first one', async () => {
  const { rules, faults } = await examinePolicy(`defualt: human
default: none
rules:
  - { id: a, then: none, else: never, paths: 'x..y', value: { maximun: 3 } }
  - { id: a, paths: x, ops: [put], file: '*.yaml', then: direct }
  - { id: A, then: deny }
  - { doc: a/b/c, say: 3 }
  - x
  - { id: b, value: { maximum: 3 }, then: preview }
  - { id: c, paths: x, change: { semver: mayor }, then: human, else: human }
  - { id: d, then: human, else: deny }
  - { id: good, then: human }
`);
  expect(rules).toEqual([]);
  expect(faults.map(({ line, path }) => `${line} ${path}`).sort()).toEqual(
    [
      '1 defualt',
      '10 rules[6].change.semver',
      '10 rules[6].then',
      '11 rules[7].else',
      '2 default',
      '4 rules[0].else',
      '4 rules[0].paths',
      '4 rules[0].then',
      '4 rules[0].value.maximun',
      '5 rules[1].file',
      '5 rules[1].id',
      '5 rules[1].ops[0]',
      '6 rules[2].id',
      '7 rules[3].doc',
      '7 rules[3]',
      '7 rules[3]',
      '7 rules[3].say',
      '8 rules[4]',
      '9 rules[5].value',
    ].sort(),
  );
});
