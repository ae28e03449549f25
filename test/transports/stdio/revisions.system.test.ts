// Clients of every protocol revision are served: greeted, listed the tools, and answered a call.
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { GENERATIONS } from '../../harness/clients.ts';
import { ENVELOPE, INITIALIZE, startRaw } from '../../harness/raw-server.ts';
import { FIXTURE, startProcess } from '../../harness/start-process.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const root = tempRoot();
afterAll(() => root.remove());

const ECHO = { name: 'echo', arguments: { text: 'hello' } };
const ANSWER = { content: [{ type: 'text', text: 'hello' }], structuredContent: { ok: true } };
const REFUSED = { isError: true, structuredContent: { ok: false, error: { code: 'ARGUMENT_INVALID' } } };

describe('in raw lines', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s', async (protocolVersion) => {
    const server = startRaw({ args: ['--root', root.dir], program: FIXTURE });
    const greeting = await server.request(1, 'initialize', { ...INITIALIZE, protocolVersion });
    expect(greeting.result).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'config-airlock' },
      capabilities: { tools: { listChanged: false } },
    });
    server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { result } = await server.request(2, 'tools/list');
    expect(result).toMatchObject({
      tools: [{ name: 'echo' }, { name: 'print' }, { name: 'fail' }, { name: 'hang' }],
    });
    expect((await server.request(3, 'tools/call', ECHO)).result).toMatchObject(ANSWER);
    expect((await server.request(4, 'tools/call', { name: 'echo' })).result).toMatchObject(REFUSED);
    server.child.stdin.end();
    await server.exit;
  });

  it('2026-07-28, which greets nobody', async () => {
    const server = startRaw({ args: ['--root', root.dir], program: FIXTURE });
    const { result } = await server.request(1, 'server/discover', ENVELOPE);
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
    const listed = await server.request(2, 'tools/list', ENVELOPE);
    expect(listed.result).toMatchObject({
      tools: [{ name: 'echo' }, { name: 'print' }, { name: 'fail' }, { name: 'hang' }],
    });
    expect((await server.request(3, 'tools/call', { ...ENVELOPE, ...ECHO })).result).toMatchObject(ANSWER);
    const refused = await server.request(4, 'tools/call', { ...ENVELOPE, name: 'echo' });
    expect(refused.result).toMatchObject(REFUSED);
    server.child.stdin.end();
    await server.exit;
  });

  it('an unknown revision is offered the newest that begins with a greeting (PROT-015)', async () => {
    const server = startRaw({ args: ['--root', root.dir], program: FIXTURE });
    const greeting = await server.request(1, 'initialize', { ...INITIALIZE, protocolVersion: '1999-01-01' });
    expect(greeting.result).toMatchObject({ protocolVersion: '2025-11-25' });
    server.child.stdin.end();
    await server.exit;
  });

  it('a client that looks for the new revision first may still fall back to the old', async () => {
    const server = startRaw({ args: ['--root', root.dir], program: FIXTURE });
    await server.request(1, 'server/discover', ENVELOPE);
    const greeting = await server.request(2, 'initialize', INITIALIZE);
    expect(greeting.result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect((await server.request(3, 'tools/call', ECHO)).result).toMatchObject(ANSWER);
    server.child.stdin.end();
    await server.exit;
  });
});

describe('through the real clients', () => {
  it.each(GENERATIONS)('%s', async (client) => {
    const server = await startProcess({ flags: [], client, program: FIXTURE, files: {} });
    onTestFinished(() => server.close());
    expect((await server.listTools()).map(({ name }) => name)).toEqual(['echo', 'print', 'fail', 'hang']);
    expect(await server.callTool('echo', { text: 'hello' })).toEqual({
      isError: false,
      text: 'hello',
      data: { ok: true },
    });
    const refused = await server.callTool('echo', { txt: 5 });
    expect(refused).toMatchObject({ isError: true, data: REFUSED.structuredContent });
    await expect(server.callTool('echoe', {})).rejects.toThrow(/Unknown tool "echoe"; nearest: echo/);
  });
});
