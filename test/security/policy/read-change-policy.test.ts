// A policy file that is not understood, contradicts itself or could never match is refused: to the letter, with the place that
// is wrong; and what is just within each bound is read.
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';

const saysOf = async (text: string) =>
  readPolicy(text).then(
    () => 'is read',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** In a policy of this one rule; `says`: at its place in the rule. */
const RULES: Readonly<Record<string, readonly (readonly [rule: string, says: string])[]>> = {
  'an id': [
    ['id: "", then: deny', '.id: id: expected a text'],
    ['id: " ", then: deny', '.id: id: expected a text'],
    ['id: 1, then: deny', '.id: id: expected a text'],
    ['then: deny', ': id: expected a text'],
    ...['-a', 'a b', 'ä', '.a', 'default', 'DEFAULT', 'x'.repeat(65), '"a\\n"'].map(
      (id) =>
        [
          `id: ${id}, then: deny`,
          '.id: id: expected letters, digits, dots and dashes, and not default',
        ] as const,
    ),
    [`id: ${'x'.repeat(64)}, then: deny`, ''],
    ['id: A.b-c_9, then: deny', ''],
  ],
  'a level': [
    ['id: a', ': then: expected direct, preview, client, human, deny'],
    ['id: a, then: Deny', '.then: then: expected direct, preview, client, human, deny'],
    [
      'id: a, paths: x, value: { maximum: 1 }, then: direct, else: none',
      '.else: else: expected direct, preview, client, human, deny',
    ],
  ],
  'texts and lists of them': [
    ['id: a, files: [], then: deny', '.files: files: expected texts, got an empty list'],
    ['id: a, files: "", then: deny', '.files: files: expected texts'],
    ['id: a, files: 1, then: deny', '.files: files: expected texts'],
    ['id: a, files: [a, " "], then: deny', '.files[1]: files: expected texts'],
    ['id: a, files: [a, 1], then: deny', '.files[1]: files: expected texts'],
    ['id: a, files: [a, [b]], then: deny', '.files[1]: files: expected texts'],
    [
      'id: a, ops: [add, set], then: deny',
      '.ops[1]: ops: expected some of add, remove, replace, comment, layout, text, create, delete',
    ],
    [
      'id: a, ops: [], then: deny',
      '.ops: ops: expected some of add, remove, replace, comment, layout, text, create, delete, got an empty list',
    ],
    ['id: a, ops: [comment, layout, text, create, delete], then: deny', ''],
    ['id: a, say: "", then: deny', '.say: say: expected a text'],
    [`id: a, say: ${'x'.repeat(301)}, then: deny`, '.say: say: expected at most 300 characters'],
    [`id: a, say: ${'x'.repeat(300)}, then: deny`, ''],
  ],
  paths: [
    [
      'id: a, paths: "x..y", then: deny',
      '.paths: Cannot use the node path "x..y": a segment is missing before the dot; every depth is written ** (character 3)',
    ],
    ['id: a, paths: $, then: deny', '.paths: paths: an empty path; leave paths out for all changes'],
    ['id: a, paths: [], then: deny', '.paths: paths: expected texts, got an empty list'],
    ['id: a, paths: [x, "**.y", "c[name=web]", "z[0]", "w[-1]", "v[*]"], then: deny', ''],
  ],
  approvers: [
    ['id: a, count: 1.5, then: human', '.count: count: expected a whole number'],
    ['id: a, count: 0, then: human', '.count: count: expected a number above 0'],
    ['id: a, count: -1, then: human', '.count: count: expected a number above 0'],
    ['id: a, count: "2", then: human', '.count: count: expected a number above 0'],
    ['id: a, count: .nan, then: human', '.count: count: expected a number above 0'],
    [
      'id: a, approvers: [ann, ann], count: 2, then: human',
      '.count: count: it asks for 2 approvers, and names 1',
    ],
    ['id: a, approvers: [ann, bob], count: 2, then: human', ''],
    [
      'id: a, approvers: ann, then: client',
      '.approvers: approvers: only a change at the level human is approved by reviewers: no level of it is',
    ],
    [
      'id: a, count: 2, then: client',
      '.count: count: only a change at the level human is approved by reviewers: no level of it is',
    ],
    [
      'id: a, count: 2, paths: x, value: { maximum: 1 }, then: direct',
      '.count: count: only a change at the level human is approved by reviewers: no level of it is',
    ],
    ['id: a, count: 2, paths: x, value: { maximum: 1 }, then: direct, else: human', ''],
    ['id: a, count: 2, paths: x, value: { maximum: 1 }, then: human', ''],
  ],
  'what has no effect': [
    ['id: a, value: { maximum: 1 }, then: direct', '.value: value: it needs paths: whose value is meant?'],
    [
      'id: a, change: { max_step: 1 }, then: direct',
      '.change: change: it needs paths: whose value is meant?',
    ],
    [
      'id: a, paths: x, then: direct, else: deny',
      '.else: else: it is for a constraint that does not hold, and there is none (value, change, required)',
    ],
    [
      'id: a, paths: x, value: { maximum: 1 }, then: deny',
      '.then: then: whether the constraint holds or not, the answer is deny: leave it out, or give another else',
    ],
    [
      'id: a, paths: x, change: { max_step: 1 }, then: human, else: human',
      '.then: then: whether the constraint holds or not, the answer is human: leave it out, or give another else',
    ],
    [
      'id: a, paths: x, ops: [add, text], then: deny',
      '.ops: ops: text is about whole files and has no path, so that it never meets paths',
    ],
    [
      'id: a, paths: x, ops: create, then: deny',
      '.ops: ops: create is about whole files and has no path, so that it never meets paths',
    ],
    [
      'id: a, paths: x, ops: [delete], then: deny',
      '.ops: ops: delete is about whole files and has no path, so that it never meets paths',
    ],
    [
      'id: a, doc: Secret, ops: text, then: deny',
      '.doc: doc: a text has no documents, so that it never meets one',
    ],
    ['id: a, doc: Secret, ops: [text, add], then: deny', ''],
    ['id: a, doc: Secret, ops: [create, delete], then: deny', ''],
    ['id: a, ops: text, then: deny', ''],
    [
      'id: a, paths: x, ops: remove, value: { maximum: 1 }, then: direct',
      '.value: value: only what is added or replaced has a new value: ops needs add or replace',
    ],
    [
      'id: a, paths: x, ops: [comment, remove], value: { maximum: 1 }, then: direct',
      '.value: value: only what is added or replaced has a new value: ops needs add or replace',
    ],
    ['id: a, paths: x, ops: replace, value: { maximum: 1 }, then: direct', ''],
    ['id: a, paths: x, ops: [remove, add], value: { maximum: 1 }, then: direct', ''],
    [
      'id: a, paths: x, ops: [add, remove], change: { max_step: 1 }, then: direct',
      '.change: change: only what is replaced has an old and a new value: ops needs replace',
    ],
    ['id: a, paths: x, ops: [add, replace], change: { max_step: 1 }, then: direct', ''],
  ],
  'a document': [
    ['id: a, doc: "", then: deny', '.doc: doc: expected Kind/name, in which * is any run of characters'],
    ['id: a, doc: " ", then: deny', '.doc: doc: expected Kind/name, in which * is any run of characters'],
    ['id: a, doc: a/b/c, then: deny', '.doc: doc: expected Kind/name, in which * is any run of characters'],
    ['id: a, doc: "*/*", then: deny', '.doc: doc: */* is every document; leave it out'],
    ['id: a, doc: "*", then: deny', '.doc: doc: */* is every document; leave it out'],
    ['id: a, doc: {}, then: deny', '.doc: doc: expected Kind/name, or fields with their values'],
    ['id: a, doc: null, then: deny', '.doc: doc: expected Kind/name, or fields with their values'],
    ['id: a, doc: 1, then: deny', '.doc: doc: expected Kind/name, or fields with their values'],
    ['id: a, doc: [kind], then: deny', '.doc: doc: expected Kind/name, or fields with their values'],
    [
      'id: a, doc: { "a.*": x }, then: deny',
      '.doc["a.*"]: expected a path of keys and indexes, from the first on',
    ],
    [
      'id: a, doc: { "a[-1]": x }, then: deny',
      '.doc["a[-1]"]: expected a path of keys and indexes, from the first on',
    ],
    [
      'id: a, doc: { "a[b=c]": x }, then: deny',
      '.doc["a[b=c]"]: expected a path of keys and indexes, from the first on',
    ],
    ['id: a, doc: { "/a/0/b": x, "/c": y }, then: deny', ''],
    ['id: a, doc: { "": x }, then: deny', '.doc[""]: expected a path of keys and indexes, from the first on'],
    [
      'id: a, doc: { "a..b": x }, then: deny',
      '.doc["a..b"]: Cannot use the node path "a..b": a segment is missing before the dot; every depth is written ** (character 3)',
    ],
    ['id: a, doc: { kind: [] }, then: deny', '.doc.kind: expected a plain value, or a list of such'],
    ['id: a, doc: { kind: [a, {}] }, then: deny', '.doc.kind: expected a plain value, or a list of such'],
    ['id: a, doc: { kind: null }, then: deny', '.doc.kind: expected a plain value, or a list of such'],
    ['id: a, doc: { a.b: [x, 1, true], "c[0]": 2, d.0: y }, then: deny', ''],
  ],
  'a comparison': [
    [
      'id: a, paths: x, change: {}, then: direct',
      '.change: change: expected semver, quantity, max_step or unchanged',
    ],
    [
      'id: a, paths: x, change: 1, then: direct',
      '.change: expected a mapping with semver, quantity, max_step, absent, unchanged',
    ],
    [
      'id: a, paths: x, change: { unchanged: false }, then: direct',
      '.change.unchanged: unchanged: expected true, or nothing',
    ],
    [
      'id: a, paths: x, change: { unchanged: 1 }, then: direct',
      '.change.unchanged: unchanged: expected true, or nothing',
    ],
    [
      'id: a, paths: x, change: { semver: major }, then: direct',
      '.change.semver: semver: expected not_lower, patch, minor',
    ],
    [
      'id: a, paths: x, change: { semver: minor, max_step: 1 }, then: direct',
      '.change: change: a version is no number, and a new one is not unchanged: semver stands alone',
    ],
    [
      'id: a, paths: x, change: { semver: minor, unchanged: true }, then: direct',
      '.change: change: a version is no number, and a new one is not unchanged: semver stands alone',
    ],
    [
      'id: a, paths: x, change: { max_step: 0 }, then: direct',
      '.change.max_step: max_step: expected a number above 0',
    ],
    [
      'id: a, paths: x, change: { max_step: "0%" }, then: direct',
      '.change.max_step: max_step: expected more than 0%',
    ],
    ...['x5%', '5%x', '5.%', '.5%', '5', 'a%'].map(
      (step) =>
        [
          `id: a, paths: x, change: { max_step: "${step}" }, then: direct`,
          '.change.max_step: max_step: expected a number above 0',
        ] as const,
    ),
    ['id: a, paths: x, change: { semver: minor }, then: direct', ''],
    ['id: a, paths: x, change: { unchanged: true }, then: direct', ''],
  ],
  'a schema': [
    ...['1', '[]', 'null', 'a', '{}'].map(
      (value) =>
        [
          `id: a, paths: x, value: ${value}, then: direct`,
          '.value: expected a mapping of keywords of JSON Schema',
        ] as const,
    ),
    [
      'id: a, paths: x, value: { format: date }, then: direct',
      '.value.format: unknown keyword "format"; known are type, enum, const, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, pattern, minItems, maxItems, items, required, properties, additionalProperties, quantity, not, anyOf, allOf',
    ],
    [
      'id: a, paths: x, value: { toString: 1 }, then: direct',
      '.value.toString: unknown keyword "toString"; known are type, enum, const, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, pattern, minItems, maxItems, items, required, properties, additionalProperties, quantity, not, anyOf, allOf',
    ],
    ...(
      [
        ['enum: 1', '.enum: expected a list of values'],
        ['enum: []', '.enum: expected a list of values'],
        ['minimum: "1"', '.minimum: expected a number'],
        ['minimum: .inf', '.minimum: expected a number'],
        ['minimum: null', '.minimum: expected a number'],
        ['minLength: 1.5', '.minLength: expected a whole number'],
        ['minLength: -1', '.minLength: expected a whole number'],
        ['minLength: "1"', '.minLength: expected a whole number'],
        ['pattern: 1', '.pattern: expected a pattern'],
        ['pattern: "("', '.pattern: no pattern in the syntax of RE2 (no backreferences, no lookaround)'],
        ['pattern: "(?=a)"', '.pattern: no pattern in the syntax of RE2 (no backreferences, no lookaround)'],
        ['type: text', '.type: expected some of null, boolean, object, array, number, integer, string'],
        ['type: []', '.type: expected some of null, boolean, object, array, number, integer, string'],
        [
          'type: [string, text]',
          '.type: expected some of null, boolean, object, array, number, integer, string',
        ],
        ['required: a', '.required: expected a list of texts'],
        ['required: [a, 1]', '.required: expected a list of texts'],
        ['additionalProperties: {}', '.additionalProperties: expected true or false'],
        ['not: 1', '.not: expected a mapping of keywords of JSON Schema'],
        ['not: { maximum: x }', '.not.maximum: expected a number'],
        ['items: []', '.items: expected a mapping of keywords of JSON Schema'],
        ['anyOf: { maximum: 1 }', '.anyOf: expected a list of such mappings'],
        ['allOf: []', '.allOf: expected a list of such mappings'],
        ['anyOf: [{ maximum: 1 }, { maximum: x }]', '.anyOf[1].maximum: expected a number'],
        ['properties: []', '.properties: expected a mapping of keys to such mappings'],
        ['properties: 1', '.properties: expected a mapping of keys to such mappings'],
        ['properties: null', '.properties: expected a mapping of keys to such mappings'],
        ['properties: { a: 1 }', '.properties.a: expected a mapping of keywords of JSON Schema'],
        ['minimum: 2, maximum: 1', '.maximum: maximum: no value can meet both it and minimum'],
        [
          'exclusiveMinimum: 2, exclusiveMaximum: 2',
          '.exclusiveMaximum: exclusiveMaximum: no value can meet both it and exclusiveMinimum',
        ],
        [
          'minimum: 2, exclusiveMaximum: 2',
          '.exclusiveMaximum: exclusiveMaximum: no value can meet both it and minimum',
        ],
        [
          'exclusiveMinimum: 2, maximum: 2',
          '.maximum: maximum: no value can meet both it and exclusiveMinimum',
        ],
        ['minLength: 2, maxLength: 1', '.maxLength: maxLength: no value can meet both it and minLength'],
        ['minItems: 2, maxItems: 1', '.maxItems: maxItems: no value can meet both it and minItems'],
        ['minimum: 2, maxLength: 1', '.maxLength: maxLength: it asks for a string, and minimum for a number'],
        [
          'items: { type: string }, required: [a]',
          '.required: required: it asks for an object, and items for an array',
        ],
        ['type: string, minimum: 1', '.minimum: minimum: it asks for a number, and type for something else'],
        [
          'type: [string, "null"], minItems: 1',
          '.minItems: minItems: it asks for an array, and type for something else',
        ],
        [
          'type: integer, minLength: 1',
          '.minLength: minLength: it asks for a string, and type for something else',
        ],
        ['multipleOf: 0', '.multipleOf: multipleOf: no number is a multiple of 0'],
        ['enum: [1, 2], minimum: 3', '.enum: enum: no value that it names meets the rest'],
        ['const: 1, minimum: 3', '.const: const: no value that it names meets the rest'],
        ['const: null, type: string', '.const: const: no value that it names meets the rest'],
        [
          'allOf: [{ maximum: 1 }, { minimum: 2, maximum: 1 }]',
          '.allOf[1].maximum: maximum: no value can meet both it and minimum',
        ],
        [
          'anyOf: [{ minimum: 2, maximum: 1 }]',
          '.anyOf[0].maximum: maximum: no value can meet both it and minimum',
        ],
        ['minimum: 2, maximum: 2', ''],
        ['exclusiveMinimum: 2, exclusiveMaximum: 3', ''],
        ['minLength: 0, maxLength: 0', ''],
        ['minItems: 1, maxItems: 1, type: [array, "null"]', ''],
        ['type: integer, minimum: 1', ''],
        ['type: [string, number], minimum: 1', ''],
        ['enum: [1, 5], minimum: 3', ''],
        ['const: null', ''],
        ['const: 5, minimum: 3', ''],
        ['pattern: "^[a-z]+$", type: string', ''],
        ['properties: { a: { maximum: 1 } }, additionalProperties: false, required: [a]', ''],
        ['required: []', ''],
        ['not: { minimum: 2, maximum: 1 }', ''],
        ['properties: { toString: { maximum: 1 } }', ''],
      ] as const
    ).map(
      ([schema, says]) =>
        [`id: a, paths: x, value: { ${schema} }, then: direct`, says === '' ? '' : `.value${says}`] as const,
    ),
  ],
};

describe.each(Object.entries(RULES))('%s', (_, rows) => {
  it.each(rows)('of the rule { %s } is read, or refused with: %s [POL-4]', async (rule, says) => {
    const said = await saysOf(`rules:\n  - { ${rule} }\n`);
    expect(said.replace(/^line 2, rules\[0\]/u, '')).toBe(says === '' ? 'is read' : says);
  });
});

it.each([
  ['- id: a', 'line 1: expected a mapping with default, approval_message, undo, undo_hours, rules'],
  ['null', 'line 1: expected a mapping with default, approval_message, undo, undo_hours, rules'],
  ['a text', 'line 1: expected a mapping with default, approval_message, undo, undo_hours, rules'],
  [
    'rule: []',
    'line 1, rule: unknown key "rule"; known are default, approval_message, undo, undo_hours, rules',
  ],
  ['rules: { id: a }', 'line 1, rules: rules: expected a list of rules'],
  ['rules: null', 'line 1, rules: rules: expected a list of rules'],
  [
    'rules: [1]',
    'line 1, rules[0]: expected a mapping with id, files, roots, callers, doc, paths, type, ops, value, change, required, then, else, approvers, count, risk, say',
  ],
  [
    'rules: [null]',
    'line 1, rules[0]: expected a mapping with id, files, roots, callers, doc, paths, type, ops, value, change, required, then, else, approvers, count, risk, say',
  ],
  [
    'rules: [{ id: a, then: deny }, { id: A, then: deny }]',
    'line 1, rules[1].id: the rule 1 has the id "A" too',
  ],
  [`rules:\n${'- 1\n'.repeat(1_001)}`, 'line 2, rules: rules: expected at most 1000'],
  [
    `rules:\n${'- 1\n'.repeat(1_000)}`,
    'line 2, rules[0]: expected a mapping with id, files, roots, callers, doc, paths, type, ops, value, change, required, then, else, approvers, count, risk, say',
  ],
  ['undo: direct', 'line 1, undo: undo: expected preview'],
  ['undo_hours: 2', 'line 1, undo_hours: undo_hours: it needs undo: preview'],
  ['undo: preview\nundo_hours: 0', 'line 2, undo_hours: undo_hours: expected a number above 0'],
  [
    'rules: [{ id: a, paths: x, value: { properties: { __proto__: { maximum: 1 } } }, then: direct }]',
    'line 1: no key can be called __proto__',
  ],
  ['default: none', 'line 1, default: default: expected direct, preview, client, human, deny'],
  ['{}', 'is read'],
  ['default: direct', 'is read'],
])('a policy that is %j is refused with: %s [POL-4]', async (text, says) => {
  expect(
    (await saysOf(text)).replace(
      /^line 1, rules: rules: expected at most/u,
      'line 2, rules: rules: expected at most',
    ),
  ).toBe(says);
});

it('all that a policy says is kept, and nothing that it does not say [POL-4]', async () => {
  const text = `default: client
rules:
  - { id: a, then: deny }
  - id: b
    files: [a/**, b.yaml]
    doc: Deployment/web
    paths: [spec, "c[name=x].y"]
    ops: [add, replace]
    value: { type: [string, integer], enum: [a, 1, null] }
    change: { max_step: 20.25% }
    then: direct
    else: human
    approvers: [ann, bob, ann]
    say: Ask us.
  - { id: c, doc: { kind: [A, 1], "d[0].e": true }, paths: z, change: { max_step: 0.5 }, then: preview }
  - { id: d, doc: "*/web", paths: z, change: { semver: patch }, then: human, count: 2 }
  - { id: e, doc: "Web", paths: z, change: { unchanged: true }, then: human, approvers: ann }
`;
  const key = (name: string) => ({ kind: 'key', key: name, isBare: true });
  const document = (path: readonly string[], texts: readonly string[]) => ({ path: path.map(key), texts });
  const z = [{ text: 'z', steps: [key('z')] }];
  const { rules, ...rest } = await readPolicy(text);
  expect(rest).toEqual({ default: 'client' });
  expect(rules).toStrictEqual([
    { id: 'a', level: 'deny', otherwise: 'deny' },
    {
      ...{ id: 'b', files: ['a/**', 'b.yaml'], ops: ['add', 'replace'], level: 'direct', otherwise: 'human' },
      doc: [document(['kind'], ['Deployment']), document(['metadata', 'name'], ['web'])],
      paths: [
        { text: 'spec', steps: [key('spec')] },
        { text: 'c[name=x].y', steps: [key('c'), { kind: 'items', field: ['name'], value: 'x' }, key('y')] },
      ],
      value: { type: ['integer', 'string'], enum: ['a', 1, null] },
      change: { maxStepPercent: 20.25 },
      ...{ approvers: ['ann', 'bob'], count: 1, say: 'Ask us.' },
    },
    {
      ...{ id: 'c', paths: z, change: { maxStep: 0.5 }, level: 'preview', otherwise: 'deny' },
      doc: [
        document(['kind'], ['A', '1']),
        { path: [key('d'), { kind: 'index', index: 0 }, key('e')], texts: ['true'] },
      ],
    },
    {
      ...{
        id: 'd',
        doc: [document(['metadata', 'name'], ['web'])],
        paths: z,
        count: 2,
        level: 'human',
        otherwise: 'deny',
      },
      change: { semver: 'patch' },
    },
    {
      ...{ id: 'e', doc: [document(['kind'], ['Web'])], paths: z, change: { isUnchanged: true } },
      ...{ approvers: ['ann'], count: 1, level: 'human', otherwise: 'deny' },
    },
  ]);
  expect((await readPolicy('{}')).default).toBe('human');
  const schema = {
    enum: [{ b: [1, null, true] }],
    not: { properties: { c: { items: { const: { d: 1.5 } } } }, required: ['e'] },
  };
  const kept = await readPolicy(
    `rules: [{ id: a, paths: x, value: ${JSON.stringify(schema)}, then: direct }]`,
  );
  expect(kept.rules[0]?.value).toEqual(schema);
});
