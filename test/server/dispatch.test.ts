// Whatever a tool does, the client gets a reply of the contract, the log one record, and nobody else
// learns what went wrong inside.

import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { Refusal } from '../../src/security/errors/refusal.ts';
import { onCall } from '../../src/server.ts';
import { fixtureTool, OK } from '../harness/fixture-tools.ts';
import { connectInProcess, type InProcess } from '../harness/in-process.ts';
import { trailOf } from '../harness/state.ts';

const SECRET = 'hunter2-in-a-message';
const open: InProcess[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function connect(...tools: Parameters<typeof connectInProcess>[0]): Promise<InProcess> {
  const server = await connectInProcess(tools);
  open.push(server);
  return server;
}

const fixture = { name: 'fixture', arguments: {} };

describe('bugs', () => {
  const nameless = Object.assign(new Error(SECRET), { name: SECRET, code: SECRET });
  const THROWN: readonly { thrown: unknown; name: string; why: string }[] = [
    { thrown: new Error(SECRET), name: 'Error', why: 'an error' },
    { thrown: { message: SECRET }, name: 'object', why: 'something like an error' },
    { thrown: undefined, name: 'undefined', why: 'nothing' },
    { thrown: nameless, name: 'Error', why: 'a name that is none' },
  ];

  it.each(THROWN)(
    'become INTERNAL with an id that the log holds, and nothing else: $why [DIS-6]',
    async ({ thrown, name }) => {
      const server = await connect(
        fixtureTool({
          run: () => {
            throw thrown;
          },
        }),
      );
      const result = await server.client.callTool(fixture);
      expect(result).toMatchObject({
        isError: true,
        structuredContent: { ok: false, error: { code: 'INTERNAL' } },
      });
      const record = server.log().find(({ event }) => event === 'internal_error');
      expect(record).toMatchObject({ level: 'error', tool: 'fixture', error_name: name });
      expect(JSON.stringify(result)).toContain(record?.['request_id']);
      expect(server.log()).toContainEqual(
        expect.objectContaining({
          event: 'tool_call',
          status: 'failed',
          code: 'INTERNAL',
          request_id: record?.['request_id'],
        }),
      );
      for (const told of [JSON.stringify(result), JSON.stringify(server.log())]) {
        expect(told).not.toContain(SECRET);
        expect(told).not.toContain(import.meta.dirname);
      }
      expect(await server.client.callTool(fixture)).toMatchObject({ isError: true });
    },
  );
});

describe('refusals', () => {
  const WRITER = {
    writes: true,
    input: { file: z.string(), dry_run: z.boolean().default(true) },
    run: () => {
      throw new Refusal('READ_ONLY', 'Cannot write: the server is read-only');
    },
  };

  it.each([
    { args: { file: 'a.yaml', dry_run: false }, code: 'READ_ONLY', why: 'refused by a rule' },
    { args: { file: 'a.yaml', dry_run: false, nope: 1 }, code: 'ARGUMENT_INVALID', why: 'not understood' },
  ])('of writes leave an audit record: $why [AUD-1]', async ({ args, code }) => {
    const server = await connect(fixtureTool(WRITER));
    await server.client.callTool({ name: 'fixture', arguments: args });
    const [audit] = trailOf(server.state);
    const [call] = server.log().filter(({ event }) => event === 'tool_call');
    expect(audit).toMatchObject({ type: 'refused', tool: 'fixture', files: [{ file: 'a.yaml' }], code });
    expect(audit?.request_id).toBe(call?.['request_id']);
  });

  it('name the preview and the change that were asked for, and nothing that could be a value', async () => {
    const server = await connect(
      fixtureTool({ ...WRITER, input: { preview_id: z.string(), change_id: z.string() } }),
    );
    const id = 'a'.repeat(52);
    for (const args of [
      { preview_id: id, change_id: 'hunter2' },
      { preview_id: 'hunter2', change_id: id },
    ])
      await server.client.callTool({ name: 'fixture', arguments: args });
    const refused = trailOf(server.state);
    expect(refused.map(({ named }) => named)).toEqual([id, id]);
    expect(JSON.stringify([refused, server.log()])).not.toContain('hunter2');
  });

  it('of a batch leave one with each of its files', async () => {
    const server = await connect(
      fixtureTool({
        ...WRITER,
        input: { edits: z.array(z.object({ file: z.string() })), dry_run: z.boolean() },
      }),
    );
    const edits = [{ file: 'a.yaml' }, { file: 'b.yaml' }, { file: 'a.yaml' }];
    await server.client.callTool({ name: 'fixture', arguments: { edits, dry_run: false } });
    expect(trailOf(server.state)).toMatchObject([{ files: [{ file: 'a.yaml' }, { file: 'b.yaml' }] }]);
  });

  it('of previews and of reads leave none', async () => {
    const server = await connect(fixtureTool(WRITER));
    await server.client.callTool({ name: 'fixture', arguments: { file: 'a.yaml' } });
    expect(trailOf(server.state)).toEqual([]);
  });
});

it('logs names and numbers of a call, and no argument [DIS-7]', async () => {
  const server = await connect(fixtureTool({ input: { text: z.string() }, run: () => OK }));
  await server.client.callTool({ name: 'fixture', arguments: { text: SECRET } });
  const [record] = server.log().filter(({ event }) => event === 'tool_call');
  expect(record).toEqual({
    time: expect.any(String),
    level: 'info',
    event: 'tool_call',
    request_id: expect.any(String),
    tool: 'fixture',
    duration_ms: expect.any(Number),
    status: 'ok',
  });
});

describe('a call is told to whoever watches the process', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

  async function watched(meta: Record<string, unknown>): Promise<{ server: InProcess; events: unknown[] }> {
    const run = () => {
      throw new Refusal('FILE_CHANGED', SECRET);
    };
    const server = await connect(fixtureTool({ writes: true, run, input: { value: z.string() } }));
    const events: unknown[] = [];
    // Servers of other tests may still end a call in this process.
    const isOurs = (event: object) => 'gen_ai.tool.name' in event && event['gen_ai.tool.name'] === 'fixture';
    onTestFinished(onCall((event) => void (isOurs(event) && events.push(event))));
    await server.client.callTool({ name: 'fixture', arguments: { value: SECRET }, _meta: meta });
    return { server, events };
  }

  it('by the names of OpenTelemetry and without a value [DIS-7]', async () => {
    const { server, events } = await watched({ traceparent });
    const record = server.log().find(({ event }) => event === 'tool_call');
    expect(events).toEqual([
      {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'fixture',
        'mcp.server.operation.duration': expect.any(Number),
        'error.type': 'tool_error',
        'config_airlock.code': 'FILE_CHANGED',
        'config_airlock.request_id': record?.['request_id'],
        traceparent,
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(SECRET);
  });

  it('and the trace of the client is in the log and in the trail', async () => {
    const { server } = await watched({ traceparent });
    expect(server.log()).toContainEqual(expect.objectContaining({ event: 'tool_call', trace_id: TRACE }));
    const [refused] = await trailOf(server.state);
    expect(refused).toMatchObject({ caller: { trace_id: TRACE } });
  });

  it.each([
    { traceparent: `00-${TRACE}-b7ad6b7169203331-01\n`, why: 'a line end behind it' },
    { traceparent: `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`, why: 'capital letters' },
    { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, why: 'no trace' },
    { traceparent: `ff-${TRACE}-b7ad6b7169203331-01`, why: 'another version' },
    { traceparent: { toString: TRACE }, why: 'no text' },
  ])('a trace that is none is ignored: $why', async ({ traceparent: said }) => {
    const { server, events } = await watched({ traceparent: said });
    expect(events).toMatchObject([{ traceparent: undefined }]);
    expect(JSON.stringify([server.log(), await trailOf(server.state)])).not.toContain('trace_id');
  });
});

it('replies in well-formed Unicode', async () => {
  const server = await connect(fixtureTool({ run: () => ({ text: 'a\uD800b', data: { ok: true } }) }));
  const result = await server.client.callTool(fixture);
  expect(result.content).toEqual([{ type: 'text', text: 'a\uFFFDb' }]);
});

it.each(['constructor', '__proto__', 'toString', 'fixtur'])('knows no tool called %s', async (name) => {
  const server = await connect(fixtureTool({ run: () => OK }));
  await expect(server.client.callTool({ name })).rejects.toMatchObject({ code: -32602 });
});
