// What a client sees of the tools before it calls one: the names of the contract, hints, and schemas that every client and every
// model's API takes. Several drop a property with two types, refuse a list whose items are anything, or send numbers as text
// where they are told nothing; OpenAI's strict schemas know no object of any keys.
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { GENERATIONS, type ListedTool } from '../harness/clients.ts';
import { startServer } from '../harness/start-server.ts';

/** In the public order. A new name is a new contract: it is added here and in the design. */
const CONTRACT = [
  ...['config_list', 'config_get', 'config_search', 'config_diff', 'config_validate', 'config_set'],
  ...['config_edit', 'config_apply', 'config_revert', 'config_history', 'explain_error', 'list_capabilities'],
];
const MOST_CHARS = 12_000;

async function listed(options: Parameters<typeof startServer>[0]): Promise<readonly ListedTool[]> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  const tools = await server.listTools();
  expect(await server.listTools()).toEqual(tools);
  return tools;
}

it.each(GENERATIONS)('lists every tool in order, and within its bound, to %s', async (client) => {
  const tools = await listed({ client });
  expect(tools.map(({ name }) => name)).toEqual(CONTRACT);
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(MOST_CHARS);
});

describe('each tool', async () => {
  const server = await startServer();
  const tools = await server.listTools();
  await server.close();

  it.each(tools)(
    '$name says what it is, and all four hints: what only reads destroys nothing [SRV-1]',
    (tool) => {
      const { title, description, annotations, outputSchema } = tool;
      expect([title, description].every((text) => (text ?? '').trim() !== '')).toBe(true);
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, ...others } = annotations ?? {};
      const kinds = [readOnlyHint, destructiveHint, idempotentHint].map((hint) => typeof hint);
      expect([kinds, others]).toEqual([Array(3).fill('boolean'), {}]);
      expect([openWorldHint, readOnlyHint === true && destructiveHint === true]).toEqual([false, false]);
      expect(outputSchema).toEqual({ type: 'object' });
    },
  );

  it.each(tools)(
    '$name: each property has one type, or is one of several that have; no field is unknown [SRV-1]',
    (tool) => {
      expect(tool.inputSchema).toMatchObject({ type: 'object' });
      expect(faultsIn(SchemaShape.parse(tool.inputSchema), tool.name)).toEqual([]);
    },
  );
});

it('shows a read-only server without the tools on what is kept, and says why it refuses them', async () => {
  const server = await startServer({ flags: ['--read-only'] });
  onTestFinished(() => server.close());
  const names = (await server.listTools()).map(({ name }) => name);
  expect(names).toEqual(CONTRACT.filter((name) => !/^config_(?:apply|revert|history)$/u.test(name)));
  const { text } = await server.callTool('config_apply', { preview_id: 'pv_7k2m9xq4' });
  expect(text).toContain('READ_ONLY');
});

type Schema = Readonly<Record<string, unknown>>;
const SchemaShape = z.record(z.string(), z.unknown());
const KEYWORDS = [
  ...['type', 'description', 'default', 'enum', 'anyOf', 'properties', 'required', 'additionalProperties'],
  ...['items', 'minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength'],
];

function faultsIn(schema: Schema, at: string): readonly string[] {
  const { type, anyOf, enum: choices, items, properties } = schema;
  const own = (isWrong: boolean, what: string) => (isWrong ? [`${at}: ${what}`] : []);
  const below = (all: readonly (readonly [string, unknown])[]) =>
    all.flatMap(([name, one]) => faultsIn(SchemaShape.parse(one ?? {}), `${at}${name}`));
  const faults = [
    ...Object.keys(schema)
      .filter((keyword) => !KEYWORDS.includes(keyword))
      .map((word) => `${at}: ${word}`),
    ...own(choices !== undefined && !z.array(z.string()).safeParse(choices).success, 'enum'),
  ];
  if (Array.isArray(anyOf)) {
    const isNested = type !== undefined || anyOf.some((option) => 'anyOf' in Object(option));
    return [
      ...faults,
      ...own(isNested, 'anyOf'),
      ...below(anyOf.map((option, n) => [`.anyOf[${n}]`, option])),
    ];
  }
  if (type === 'object') {
    const isClosed = schema['additionalProperties'] === false && properties !== undefined;
    const fields = Object.entries(SchemaShape.parse(properties ?? {}));
    return [
      ...faults,
      ...own(!isClosed, 'free keys'),
      ...below(fields.map(([name, one]) => [`.${name}`, one])),
    ];
  }
  if (type === 'array') return [...faults, ...below([['[]', items]])];
  return [...faults, ...own(!/^(?:string|boolean|integer|number)$/u.test(String(type)), 'type')];
}
