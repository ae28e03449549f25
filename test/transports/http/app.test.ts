import { describe, expect, it } from 'vitest';
import { trailOf } from '../../harness/state.ts';
import {
  answerOf,
  BODY_BYTES,
  type InProcess,
  LINES,
  rewriteTokens,
  startInProcess,
  TOKENS,
  toolCall,
  URL_OF_MCP,
} from './in-process.ts';

const GET = toolCall('config_get', { file: 'a.yaml' });
const SET = toolCall('config_set', { file: 'a.yaml', path: 'a', json: 2 });
const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const AS_ANN = { authorization: `Bearer ${TOKENS.ann}` };

const ROUTES = ['/mcp', '/healthz', '/.well-known/oauth-protected-resource/mcp', '/nothing'];

describe.each(ROUTES)('%s', (path) => {
  it.each([
    { why: 'a name that somebody has pointed here', headers: { host: 'evil.example' } },
    { why: 'a name that only begins like ours', headers: { host: '127.0.0.1.evil.example' } },
    { why: 'two names', headers: { host: '127.0.0.1, evil.example' } },
    { why: 'no name', headers: { host: '' } },
    { why: 'a page of another site', headers: { origin: 'https://evil.example' } },
    { why: 'a page in a sandbox', headers: { origin: 'null' } },
    { why: 'a page with our name in its own', headers: { origin: 'https://127.0.0.1.evil.example' } },
  ])('is shut for $why, whoever asks [NET-2]', async ({ headers }) => {
    const server = await startInProcess();
    const to = new URL(path, URL_OF_MCP);
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const response = await server.fetch(to, { method, headers: { ...AS_ANN, ...headers } });
      expect([method, response.status]).toEqual([method, 403]);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('the endpoint', () => {
  it.each([
    { why: 'no token', authorization: undefined },
    { why: 'an empty one', authorization: 'Bearer ' },
    { why: 'one that is not known', authorization: `Bearer airlock_${'0'.repeat(64)}` },
    { why: 'one that has expired', authorization: `Bearer ${TOKENS.old}` },
    { why: 'the beginning of one', authorization: `Bearer ${TOKENS.ann.slice(0, -1)}` },
    { why: 'one in other letters', authorization: `Bearer ${TOKENS.ann.toUpperCase()}` },
    { why: 'a name and a password', authorization: `Basic ${btoa(`ann:${TOKENS.ann}`)}` },
    { why: 'the name of a principal', authorization: 'Bearer ann' },
  ])('answers $why with 401, before it reads anything [NET-1]', async ({ authorization }) => {
    const server = await startInProcess();
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const method of ['POST', 'GET', 'DELETE', 'PUT']) {
      // A body that is refused as soon as anybody looks at it.
      const body = method === 'GET' ? {} : { body: 'x'.repeat(BODY_BYTES + 1) };
      const response = await server.fetch(URL_OF_MCP, { method, headers, ...body });
      expect([method, response.status]).toEqual([method, 401]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/u);
    }
    expect(JSON.stringify(server.log())).not.toContain(TOKENS.old);
  });

  it('says who calls in the audit trail and the log [NET-3]', async () => {
    const server = await startInProcess();
    const { json } = await server.call(TOKENS.ann, SET);
    expect(json).toMatchObject({ result: { structuredContent: { ok: true, dry_run: true } } });
    const verified = { principal: 'ann', scopes: ['config:read', 'config:write'] };
    expect(trailOf(server.state)).toContainEqual(
      expect.objectContaining({ type: 'previewed', caller: expect.objectContaining(verified) }),
    );
    expect(server.log()).toContainEqual(expect.objectContaining({ event: 'tool_call', principal: 'ann' }));
    expect(JSON.stringify(server.log())).not.toContain(TOKENS.ann);
  });

  it('lets nobody say who they are in a message [NET-3]', async () => {
    const server = await startInProcess();
    const claims = { principal: 'ann', scopes: ['config:write'], 'io.modelcontextprotocol/principal': 'ann' };
    const { params } = Object(SET);
    const { status } = await server.call(TOKENS.bob, {
      method: 'tools/call',
      params: { ...params, ...claims, _meta: claims },
    });
    expect(status).toBe(403);
  });
});

describe('a token that only reads', () => {
  it.each(['config_set', 'config_edit', 'config_apply', 'config_revert'])(
    'is told which scope it lacks, and %s is not called [NET-4]',
    async (name) => {
      const server = await startInProcess();
      const { status, headers, json } = await server.call(TOKENS.bob, toolCall(name, {}));
      expect(status).toBe(403);
      expect(headers.get('www-authenticate')).toMatch(
        /^Bearer error="insufficient_scope".*scope="config:read config:write"/u,
      );
      expect(json).toMatchObject({ error: 'insufficient_scope' });
      expect(server.log().filter(({ event }) => event === 'tool_call')).toEqual([]);
    },
  );

  it('reads, and is shown only the tools that it may use [NET-4]', async () => {
    const server = await startInProcess();
    expect((await server.call(TOKENS.bob, GET)).text).toContain('a: 1');
    const { text } = await server.call(TOKENS.bob, { method: 'tools/list' });
    expect(text).toContain('config_get');
    expect(text).not.toMatch(/"config_(?:set|edit|apply|revert)"/u);
    expect((await server.call(TOKENS.ann, { method: 'tools/list' })).text).toContain('config_set');
  });
});

describe('X-MCP-Readonly', () => {
  it.each(['true', '1', 'TRUE', 'yes', ' on '])(
    'of %j takes the tools that write away [NET-4]',
    async (value) => {
      const server = await startInProcess();
      const headers = { 'x-mcp-readonly': value };
      const listed = await server.call(TOKENS.ann, { method: 'tools/list' }, headers);
      expect(listed.text).toContain('config_get');
      expect(listed.text).not.toMatch(/"config_(?:set|edit|apply|revert)"/u);
      expect((await server.call(TOKENS.ann, GET, headers)).text).toContain('a: 1');
      const { json } = await server.call(TOKENS.ann, SET, headers);
      expect(json).toMatchObject({ error: { code: -32602 } });
    },
  );

  it.each(['false', '0', ''])('of %j changes nothing', async (value) => {
    const server = await startInProcess();
    const { json } = await server.call(TOKENS.ann, SET, { 'x-mcp-readonly': value });
    expect(json).toMatchObject({ result: { structuredContent: { ok: true } } });
  });
});

describe('a body', () => {
  const post = (server: InProcess, body: string, headers: Record<string, string> = {}) =>
    server
      .fetch(URL_OF_MCP, { method: 'POST', headers: { ...AS_ANN, ...JSON_HEADERS, ...headers }, body })
      .then(answerOf);

  it.each([
    { why: 'has a length of another kind', status: 411, body: '{}', headers: { 'content-length': '+2' } },
    {
      why: 'is a form',
      status: 415,
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    {
      why: 'is plain text, as a page can send it',
      status: 415,
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    },
    { why: 'is empty', status: 400, body: '', headers: {} },
    { why: 'is no JSON', status: 400, body: '{', headers: {} },
    { why: 'is a batch', status: 400, body: '[]', headers: {} },
    { why: 'is too deep', status: 400, body: `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, headers: {} },
    {
      why: 'names a member twice',
      status: 400,
      body: '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
      headers: {},
    },
  ])('that $why is answered with $status [NET-5]', async ({ status, body, headers }) => {
    const server = await startInProcess();
    expect((await post(server, body, headers)).status).toBe(status);
  });

  it('that is not UTF-8 is not repaired [NET-5]', async () => {
    const server = await startInProcess();
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const headers = { ...AS_ANN, ...JSON_HEADERS, 'content-length': `${body.length}` };
    expect((await server.fetch(URL_OF_MCP, { method: 'POST', headers, body })).status).toBe(400);
  });
});

describe('answers', () => {
  it('may not be kept, and are nothing but what they say', async () => {
    const server = await startInProcess();
    for (const path of ROUTES) {
      const { headers } = await server.fetch(new URL(path, URL_OF_MCP));
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('to nobody are the same, whatever there is: no route but health is open', async () => {
    const server = await startInProcess();
    const statuses = await Promise.all(
      ['/healthz', '/', '/mcp/', '/MCP', '/metrics', '/sse', '/.well-known/oauth-authorization-server'].map(
        async (path) => (await server.fetch(new URL(path, URL_OF_MCP))).status,
      ),
    );
    expect(statuses).toEqual([200, 404, 404, 404, 404, 404, 404]);
  });

  it('say that the server is about to end, when it is', async () => {
    const server = await startInProcess();
    server.end();
    const { status, headers } = await server.call(TOKENS.ann, GET);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect((await server.fetch(new URL('/healthz', URL_OF_MCP))).status).toBe(503);
  });

  it('to whoever is refused are recorded, but not without end [NET-6]', async () => {
    const server = await startInProcess();
    for (let turn = 0; turn < 100; turn++) await server.fetch(URL_OF_MCP, { method: 'POST' });
    const records = server.log().filter(({ event }) => event === 'http_refused');
    expect(records.length).toBeGreaterThan(50);
    expect(records.length).toBeLessThanOrEqual(120);
    expect(records[0]).toMatchObject({ status: '401' });
  });
});

describe('one principal', () => {
  it('waits where it has called too often, and others do not [NET-6]', async () => {
    const server = await startInProcess({ limits: { perMinute: 3 } });
    for (let turn = 0; turn < 3; turn++) expect((await server.call(TOKENS.ann, GET)).status).toBe(200);
    const { status, headers } = await server.call(TOKENS.ann, GET);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(20);
    expect((await server.call(TOKENS.bob, GET)).status).toBe(200);
  });

  it('waits where it has too many calls under way, and others do not [NET-6]', async () => {
    const server = await startInProcess({ limits: { atOnce: 2 } });
    const calls = await Promise.all(Array.from({ length: 5 }, () => server.call(TOKENS.ann, GET)));
    expect(calls.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect((await server.call(TOKENS.bob, GET)).status).toBe(200);
    expect((await server.call(TOKENS.ann, GET)).status).toBe(200);
  });

  it('gets none of what another has made: ids are its own [APR-14]', async () => {
    const both = [LINES, LINES.replace(/^bob config:read /mu, 'bob config:read,config:write ')] as const;
    const server = await startInProcess();
    rewriteTokens(server, both[1]);
    server.authenticator.reload();
    const { json } = await server.call(TOKENS.ann, SET);
    const id = Object(json['result']).structuredContent.preview_id;
    const apply = toolCall('config_apply', { preview_id: id });
    expect((await server.call(TOKENS.bob, apply)).text).toContain('PREVIEW_NOT_FOUND');
    expect((await server.call(TOKENS.ann, apply)).text).toContain('Applied');
  });
});
