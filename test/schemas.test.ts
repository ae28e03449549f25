// The schemas of what an operator writes: each example of the documents and of examples/ meets its schema, as the server takes
// it, and what the server refuses the schema refuses.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { CompiledSchema } from '../src/adapters/schema/schema.ts';
import { OPTIONS } from '../src/cli/settings/options.ts';
import { settingsFromObject } from '../src/cli/settings/settings.ts';
import { CHANGE_OPS, NODE_TYPES } from '../src/security/policy/change-policy.ts';
import { LEVELS } from '../src/security/policy/levels.ts';
import { PolicyFault } from '../src/security/policy/policy-fields.ts';
import { readChangePolicy } from '../src/security/policy/read-change-policy.ts';

const textOf = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const KINDS = ['config', 'policy', 'policy-cases'] as const;
const [config, policy, cases] = KINDS.map((kind) => JSON.parse(textOf(`schemas/${kind}.schema.json`)));

function wrong(schema: unknown, value: unknown) {
  return new CompiledSchema(JSON.parse(JSON.stringify(schema))).validate(JSON.parse(JSON.stringify(value)));
}

const OPTION_NAMES = Object.values(OPTIONS).map(({ name }) => name);

/** Each block of YAML of the documents that is a config file, a policy or cases. */
const BLOCKS = [
  'README.md',
  ...readdirSync(new URL('../docs', import.meta.url)).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [...textOf(name).matchAll(/```yaml\n(.*?)```/gsu)].map(([, block = ''], at) => {
      const value: unknown = parse(
        block.replaceAll(/^ {3}/gmu, (indent) => (/^ {3}\S/u.test(block) ? '' : indent)),
      );
      const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
      const schema = Array.isArray(value)
        ? undefined
        : keys.includes('cases')
          ? cases
          : keys.includes('rules')
            ? policy
            : keys.some((key) => OPTION_NAMES.includes(key))
              ? config
              : undefined;
      return { place: `${name}, ${at + 1}`, value, schema };
    }),
  )
  .filter(({ schema }) => schema !== undefined);

it('the documents have examples of all three', () => {
  for (const schema of [config, policy, cases])
    expect(BLOCKS.filter((block) => block.schema === schema).length).toBeGreaterThan(0);
  expect(BLOCKS.filter(({ schema }) => schema === config).length).toBeGreaterThanOrEqual(4);
});

it.each(BLOCKS)('the example in $place meets its schema', ({ value, schema }) => {
  expect(wrong(schema, value)).toEqual([]);
});

it.each([
  { file: 'examples/policy/kubernetes.yaml', kind: 'policy', schema: policy },
  { file: 'examples/policy/kubernetes.cases.yaml', kind: 'policy-cases', schema: cases },
  { file: 'examples/policy/recipes.yaml', kind: 'policy', schema: policy },
  { file: 'examples/policy/recipes.cases.yaml', kind: 'policy-cases', schema: cases },
])('$file meets the schema that it names', ({ file, kind, schema }) => {
  const text = textOf(file);
  expect(text).toContain(`# yaml-language-server: $schema=../../schemas/${kind}.schema.json\n`);
  expect(wrong(schema, parse(text, { merge: true }))).toEqual([]);
});

it.each([
  { root: '/srv/config', 'max-file-size': '10mb', 'read-only': true, allow: ['*.yaml'], schema: 'a=b' },
  { root: ['a=./a', 'b=./b'], approval: 'human', 'max-depth': 5, http: '127.0.0.1:80' },
])('the schema takes the config file %j, and so does the server', (value) => {
  expect(wrong(config, value)).toEqual([]);
  expect(() => settingsFromObject(value)).not.toThrow();
});

it.each([
  { rot: '/srv' },
  { config: 'another.yaml' },
  { approval: 'nobody' },
  { 'max-depth': 0 },
  { 'max-depth': 501 },
  { 'max-file-size': '10 potatoes' },
])('the schema refuses the config file %j, and so does the server', (value) => {
  expect(wrong(config, value).length).toBeGreaterThan(0);
  expect(() => settingsFromObject(value)).toThrow();
});

it('the schema of a policy knows the keys that the server knows', () => {
  const known = (value: unknown): readonly string[] => {
    try {
      readChangePolicy(value);
    } catch (error) {
      if (error instanceof PolicyFault) return /known are (.*)$/u.exec(error.message)?.[1]?.split(', ') ?? [];
    }
    return [];
  };
  const rule = policy.properties.rules.items.properties;
  expect(policy.properties.default.enum).toEqual(LEVELS);
  expect([rule.ops.anyOf[0].enum, rule.type.enum]).toEqual([CHANGE_OPS, NODE_TYPES]);
  expect(known({ x: 1 })).toEqual(Object.keys(policy.properties));
  expect(known({ rules: [{ x: 1 }] })).toEqual(Object.keys(rule));
  const withChange: unknown = JSON.parse('{"id":"a","then":"direct","paths":"a","change":{"x":1}}');
  expect(known({ rules: [withChange] })).toEqual(Object.keys(rule.change.properties));
});
