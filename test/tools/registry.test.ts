// The laws that every tool of the list keeps, and the list itself.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TOOLS } from '../../src/tools/index.ts';

/** The public names in the public order. A new name is a new contract: it is added here and in the design. */
const CONTRACT = [
  ...['config_list', 'config_get', 'config_search', 'config_diff', 'config_validate', 'config_set'],
  ...['config_edit', 'config_apply', 'config_revert', 'config_history', 'explain_error', 'list_capabilities'],
];

it('the tools are those of the contract in its order', () => {
  expect(TOOLS.map(({ name }) => name)).toEqual(CONTRACT);
});

describe.each(TOOLS)('$name', ({ title, description, input, hints }) => {
  it('has a title and a description', () => {
    expect([title.trim(), description.trim()]).not.toContain('');
  });

  it('says all four hints: it does not reach out of the root, and what only reads destroys nothing [SRV-1]', () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, ...others } = hints;
    expect(others).toEqual({});
    expect([typeof readOnlyHint, typeof destructiveHint, typeof idempotentHint]).toEqual(
      Array(3).fill('boolean'),
    );
    expect([openWorldHint, readOnlyHint && destructiveHint]).toEqual([false, false]);
  });

  it('lets no unknown field pass, however deep: a misspelt one must not vanish [SRV-1]', () => {
    expect(looseObjects(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), 'input')).toEqual([]);
  });
});

it.each([
  { why: 'a plain object', schema: z.object({ a: z.string() }), at: 'input' },
  { why: 'a loose object', schema: z.looseObject({ a: z.string() }), at: 'input' },
  {
    why: 'one in a list',
    schema: z.strictObject({ a: z.array(z.object({ b: z.string() })) }),
    at: 'input.properties.a.items',
  },
])('$why is noticed where unknown fields may pass', ({ schema, at }) => {
  expect(looseObjects(z.toJSONSchema(schema, { io: 'input' }), 'input')).toEqual([at]);
});

/** Objects of a JSON schema that let unknown fields pass. */
function looseObjects(schema: unknown, at: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isLoose = 'properties' in schema && Reflect.get(schema, 'additionalProperties') !== false;
  return [
    ...(isLoose ? [at] : []),
    ...Object.entries(schema).flatMap(([key, value]) => looseObjects(value, `${at}.${key}`)),
  ];
}
