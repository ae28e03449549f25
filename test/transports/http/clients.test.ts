// Real clients of both generations of the SDK and every revision, over the transport without a socket.
import { appendFileSync } from 'node:fs';
import { StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { randomHex } from '../../../src/state/canonical.ts';
import {
  type AnyClient,
  connectClient,
  GENERATIONS,
  type Generation,
  type Person,
} from '../../harness/clients.ts';
import { type InProcess, lineOf, type Options, startInProcess, TOKENS, URL_OF_MCP } from './in-process.ts';

async function connect(
  server: InProcess,
  client: Generation,
  { token = TOKENS.ann, person }: { token?: string; person?: Person } = {},
): Promise<AnyClient> {
  const Transport = client === 'v1' ? StreamableHTTPClientTransport : ModernTransport;
  const transport = new Transport(new URL(URL_OF_MCP), {
    fetch: (url, init = {}) => server.fetch(url, init),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const connected = await connectClient(transport, { client, ...(person === undefined ? {} : { person }) });
  onTestFinished(() => connected.close());
  return connected;
}

const READER = `airlock_${randomHex(32)}`;

const start = (options?: Options) => startInProcess(options);

describe.each(GENERATIONS)('a client of the SDK, %s,', (generation) => {
  it('lists, reads, previews and applies', async () => {
    const client = await connect(await start(), generation);
    expect(await client.listTools()).toHaveLength(12);
    expect((await client.callTool('config_get', { file: 'a.yaml' })).text).toContain('a: 1');
    const preview = await client.callTool('config_set', { file: 'a.yaml', path: 'a', json: 2 });
    const applied = await client.callTool('config_apply', { preview_id: preview.data['preview_id'] });
    expect([applied.isError, applied.text]).toEqual([false, expect.stringContaining('Applied: 1 path')]);
    const history = await client.callTool('config_history', { file: 'a.yaml' });
    expect(history.text).toContain('applied by ann');
  });

  it('is told that its token only reads', async () => {
    const client = await connect(await start(), generation, { token: TOKENS.bob });
    expect((await client.callTool('config_get', { file: 'a.yaml' })).isError).toBe(false);
    await expect(client.callTool('config_set', { file: 'a.yaml', path: 'a', json: 2 })).rejects.toThrow();
  });

  it('reads what its own preview would make, with a token that only reads', async () => {
    const server = await start();
    const writer = await connect(server, generation);
    const preview = await writer.callTool('config_set', { file: 'a.yaml', path: 'a', json: 2 });
    appendFileSync(server.tokensFile, lineOf('ann', 'config:read', '2999-12-31', READER));
    server.authenticator.reload();
    const reader = await connect(server, generation, { token: READER });
    const asked = { file: 'a.yaml', preview_id: preview.data['preview_id'] };
    expect((await reader.callTool('config_get', asked)).text).toContain('a: 2');
  });

  it('does not connect without a token', async () => {
    await expect(connect(await start(), generation, { token: 'none' })).rejects.toThrow();
  });
});

describe('an approval at the client', () => {
  const asks = { airlock: { approval: 'client' } } as const;
  const yes: Person = async () => ({ action: 'accept', content: { apply: true } });
  const no: Person = async () => ({ action: 'decline' });

  async function apply(client: AnyClient) {
    const preview = await client.callTool('config_set', { file: 'a.yaml', path: 'a', json: 2 });
    return client.callTool('config_apply', { preview_id: preview.data['preview_id'] });
  }

  it.each([
    { person: yes, isError: false, says: 'Applied: 1 path' },
    { person: no, isError: true, says: 'APPROVAL_DECLINED' },
  ])(
    'is asked for in revision 2026-07-28, without a session: $says [APR-10]',
    async ({ person, isError, says }) => {
      const outcome = await apply(await connect(await start(asks), 'v2-modern', { person }));
      expect(outcome).toMatchObject({ isError, text: expect.stringContaining(says) });
    },
  );

  it.each(['v1', 'v2-legacy'] as const)(
    'cannot be asked for in earlier revisions, %s: refused, with a way out [APR-10]',
    async (generation) => {
      const { isError, text } = await apply(await connect(await start(asks), generation, { person: yes }));
      expect(isError).toBe(true);
      expect(text).toMatch(
        /^APPROVAL_UNAVAILABLE: .*only a client of revision 2026-07-28 or later can be asked/u,
      );
      expect(text).toContain('another client, or a reviewer');
    },
  );
});
