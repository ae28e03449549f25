// What a client sees of the tools before it calls one: complete where a model reads it, short otherwise.
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { createServer, openAirlock, VERSION } from '../../src/server.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { GENERATIONS } from '../harness/clients.ts';
import { fixtureTool, OK } from '../harness/fixture-tools.ts';
import { connectInProcess } from '../harness/in-process.ts';
import { startServer } from '../harness/start-server.ts';

it.each(GENERATIONS)('lists every tool in the order of the list, to %s', async (client) => {
  const server = await startServer({ client });
  onTestFinished(() => server.close());
  const listed = await server.listTools();
  expect(listed.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  for (const tool of listed) {
    expect(tool.title).toBeTruthy();
    expect(tool.annotations).toMatchObject({ openWorldHint: false });
    expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool.outputSchema).toEqual({ type: 'object' });
  }
  expect(await server.listTools()).toEqual(listed);
});

it('shows a read-only server without the tools on what is kept, and says why it refuses them', async () => {
  const server = await startServer({ flags: ['--read-only'] });
  onTestFinished(() => server.close());
  const names = (await server.listTools()).map(({ name }) => name);
  expect(names).toEqual(
    TOOLS.map(({ name }) => name).filter((name) => !/^config_(?:apply|revert|history)$/u.test(name)),
  );
  const { text } = await server.callTool('config_apply', { preview_id: 'pv_7k2m9xq4' });
  expect(text).toContain('READ_ONLY');
});

it('shows a model the whole input and no noise', async () => {
  const tool = fixtureTool({
    input: {
      file: z.string().describe('Relative to the root.'),
      doc: z.union([z.int(), z.array(z.string())]).optional(),
      limit: z.int().min(1).max(5).default(3),
    },
    run: () => OK,
  });
  const server = await connectInProcess([tool]);
  onTestFinished(() => server.close());
  const { tools } = await server.client.listTools();
  expect(tools[0]).toEqual({
    name: 'fixture',
    title: 'A fixture',
    description: 'Does what a test needs.',
    inputSchema: {
      type: 'object',
      properties: {
        file: { type: 'string', description: 'Relative to the root.' },
        doc: { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] },
        limit: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
      },
      required: ['file'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
});

it('makes a new server each time, and can be embedded in five lines', async () => {
  const airlock = await openAirlock({ roots: [import.meta.dirname], readOnly: true });
  const server = createServer(airlock);
  expect(createServer(airlock)).not.toBe(server);
  expect(airlock.policy).toMatchObject({ readOnly: true, approval: 'direct', allowBroadRoot: false });
});

it('has the version of the package', () => {
  expect(VERSION).toBe(packageJson.version);
});
