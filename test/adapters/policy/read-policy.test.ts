// A policy file that is not understood, contradicts itself or could never match is refused, with the place and the reason.
import { expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import { StartError } from '../../../src/security/index.ts';

it('a policy is read, in YAML and in JSON', async () => {
  const yaml =
    'default: client\nrules:\n  - id: image-tags\n    files: [deploy/**]\n    paths: "**.image"\n    change: { semver: minor }\n    then: direct\n    else: human\n    say: Ask the platform team.\n';
  const policy = await readPolicy(yaml);
  expect(policy).toMatchObject({
    default: 'client',
    rules: [
      {
        id: 'image-tags',
        files: ['deploy/**'],
        paths: [{ text: '**.image' }],
        level: 'direct',
        otherwise: 'human',
      },
    ],
  });
  const json =
    '{"default":"client","rules":[{"id":"image-tags","files":"deploy/**","paths":["**.image"],"change":{"semver":"minor"},"then":"direct","else":"human","say":"Ask the platform team."}]}';
  expect(await readPolicy(json)).toEqual(policy);
});

const BAD: readonly { readonly why: string; readonly text: string; readonly says: RegExp }[] = [
  { why: 'is a list', text: '- id: a', says: /^line 1: expected a mapping with default, approval_message/ },
  { why: 'has an unknown key', text: 'defualt: human', says: /^line 1, defualt: unknown key "defualt"/ },
  {
    why: 'has an unknown level',
    text: 'default: none',
    says: /default: expected direct, preview, client, human, deny/,
  },
  {
    why: 'has an unknown key in a rule',
    text: 'rules:\n  - id: a\n    path: x\n    then: deny',
    says: /^line 3, rules\[0\]\.path: unknown key/,
  },
  { why: 'has a rule without an id', text: 'rules: [{ then: deny }]', says: /id: expected a text/ },
  { why: 'has a rule without then', text: 'rules: [{ id: a }]', says: /then: expected direct/ },
  {
    why: 'has two rules of one id',
    text: 'rules: [{ id: a, then: deny }, { id: A, then: human }]',
    says: /rules\[1\]\.id: the rule 1 has the id "A" too/,
  },
  {
    why: 'has a rule named default',
    text: 'rules: [{ id: default, then: deny }]',
    says: /and not default/,
  },
  {
    why: 'has a path that is none',
    text: 'rules: [{ id: a, paths: "x..y", then: deny }]',
    says: /a segment is missing/,
  },
  {
    why: 'has an empty list of paths',
    text: 'rules: [{ id: a, paths: [], then: deny }]',
    says: /an empty list/,
  },
  {
    why: 'has an unknown operation',
    text: 'rules: [{ id: a, ops: [set], then: deny }]',
    says: /ops: expected some of add, remove/,
  },
  {
    why: 'asks for the path of a whole file',
    text: 'rules: [{ id: a, paths: x, ops: [create], then: deny }]',
    says: /create is about whole files/,
  },
  {
    why: 'has an unknown keyword',
    text: 'rules: [{ id: a, paths: x, value: { format: date }, then: direct }]',
    says: /unknown keyword "format"/,
  },
  {
    why: 'has limits that no value meets',
    text: 'rules: [{ id: a, paths: x, value: { minimum: 2, maximum: 1 }, then: direct }]',
    says: /maximum: no value can meet both/,
  },
  {
    why: 'asks for two types',
    text: 'rules: [{ id: a, paths: x, value: { minimum: 2, maxLength: 1 }, then: direct }]',
    says: /maxLength: it asks for a string/,
  },
  {
    why: 'asks for a type and another',
    text: 'rules: [{ id: a, paths: x, value: { type: string, minimum: 1 }, then: direct }]',
    says: /minimum: it asks for a number/,
  },
  {
    why: 'allows values that its other words forbid',
    text: 'rules: [{ id: a, paths: x, value: { enum: [1, 2], minimum: 3 }, then: direct }]',
    says: /enum: no value that it names/,
  },
  {
    why: 'has a pattern with a backreference',
    text: 'rules: [{ id: a, paths: x, value: { pattern: "(a)\\\\1" }, then: direct }]',
    says: /no pattern in the syntax of RE2/,
  },
  {
    why: 'has a constraint without a path',
    text: 'rules: [{ id: a, value: { maximum: 1 }, then: direct }]',
    says: /value: it needs paths/,
  },
  {
    why: 'has an else without a constraint',
    text: 'rules: [{ id: a, paths: x, then: direct, else: deny }]',
    says: /else: it is for a constraint/,
  },
  {
    why: 'gives one answer either way',
    text: 'rules: [{ id: a, paths: x, value: { maximum: 1 }, then: deny }]',
    says: /the answer is deny/,
  },
  {
    why: 'asks for the new value of what is removed',
    text: 'rules: [{ id: a, paths: x, ops: remove, value: { maximum: 1 }, then: direct }]',
    says: /only what is added or replaced has a new value/,
  },
  {
    why: 'has a type and no path',
    text: 'rules: [{ id: a, type: mapping, then: direct }]',
    says: /type: it needs paths/,
  },
  {
    why: 'has an unknown type',
    text: 'rules: [{ id: a, paths: x, type: map, then: direct }]',
    says: /type: expected mapping, list, scalar/,
  },
  {
    why: 'requires what is no key',
    text: "rules: [{ id: a, paths: 'x[*]', required: true, then: direct }]",
    says: /must end in a key/,
  },
  {
    why: 'requires nothing',
    text: 'rules: [{ id: a, paths: x, required: false, then: direct }]',
    says: /required: expected true/,
  },
  {
    why: 'has bounds of a quantity that nothing meets',
    text: 'rules: [{ id: a, paths: x, value: { quantity: { min: 2Gi, max: 1Gi } }, then: direct }]',
    says: /no quantity can meet both/,
  },
  {
    why: 'has a bound that is no quantity',
    text: 'rules: [{ id: a, paths: x, value: { quantity: { max: many } }, then: direct }]',
    says: /expected a quantity/,
  },
  {
    why: 'says what is absent where nothing is compared',
    text: 'rules: [{ id: a, paths: x, change: { absent: 1, unchanged: true }, then: direct }]',
    says: /it is for max_step/,
  },
  {
    why: 'compares what has no old value',
    text: 'rules: [{ id: a, paths: x, ops: add, change: { max_step: 1 }, then: direct }]',
    says: /ops needs replace/,
  },
  {
    why: 'has an unknown comparison',
    text: 'rules: [{ id: a, paths: x, change: { semver: major }, then: direct }]',
    says: /semver: expected not_lower, patch, minor/,
  },
  {
    why: 'has a wildcard within a key',
    text: 'rules: [{ id: a, paths: "spec.host*", then: deny }]',
    says: /paths: spec.host\*: "host\*" is a key as it stands here/,
  },
  {
    why: 'knows an item by two fields',
    text: 'rules: [{ id: a, paths: "env[name=x][value=y]", then: preview }]',
    says: /a rule knows items by one field: \[name=web\]/,
  },
  {
    why: 'has the depth of a glob in a path',
    text: 'rules: [{ id: a, paths: "**/image", then: deny }]',
    says: /is a key as it stands here/,
  },
  {
    why: 'has alternatives within a key',
    text: 'rules: [{ id: a, paths: "spec.{a,b}", then: deny }]',
    says: /is a key as it stands here/,
  },
  {
    why: 'has a blank behind a key',
    text: 'rules: [{ id: a, paths: "spec.image ", then: deny }]',
    says: /"image " is a key as it stands here/,
  },
  {
    why: 'names two kinds in one text',
    text: 'rules: [{ id: a, doc: "Secret, ConfigMap", then: deny }]',
    says: /doc: expected Kind\/name/,
  },
  { why: 'means every document', text: 'rules: [{ id: a, doc: "*/*", then: deny }]', says: /every document/ },
  {
    why: 'finds documents by a pattern',
    text: 'rules: [{ id: a, doc: { "a.*": x }, then: deny }]',
    says: /a path of keys and indexes/,
  },
];

it.each(BAD)('a policy that $why is refused, with its place [POL-4]', async ({ text, says }) => {
  const refused = await readPolicy(text).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartError);
  expect(refused instanceof Error ? refused.message : '').toMatch(says);
});
