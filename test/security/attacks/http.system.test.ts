// Attacks over the network on the built command: by whoever has no token, one that is not enough, a page in a browser, or
// nothing but a socket. After each of them the server still serves whoever may be served.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { count } from '../../harness/figures.ts';
import { FILES, type HttpServer, startHttp } from '../../harness/start-http.ts';
import { eventually } from '../../harness/wait.ts';

const MESSAGE = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
const GET = MESSAGE('config_get', { file: 'a.yaml' });
const SET = MESSAGE('config_set', { file: 'a.yaml', path: 'a', json: 2 });

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request as it goes over the wire; `headers` are added to, or put in place of, those of a good one. */
function wire(
  { port, tokens }: HttpServer,
  body: string,
  headers: Headers = {},
  head = 'POST /mcp HTTP/1.1',
): string {
  const usual = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${tokens.ann}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': `${Buffer.byteLength(body)}`,
    connection: 'close',
  };
  const lines = Object.entries({ ...usual, ...headers }).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((one) => `${name}: ${one}\r\n`),
  );
  return `${head}\r\n${lines.join('')}\r\n${body}`;
}

/** Of each answer on the connection. */
function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gmu)].map(([, status]) => Number(status));
}

async function expectServed(server: HttpServer): Promise<void> {
  const text = await server.exchange(wire(server, GET));
  expect(statusesIn(text)).toEqual([200]);
  expect(text).toContain('a: 1 # one');
  expect(server.disk('a.yaml')).toBe(FILES['a.yaml']);
}

interface Attack {
  readonly id: string;
  readonly why: string;
  readonly text: (server: HttpServer) => string;
  /** What each answer may be; none where the connection may just end. */
  readonly statuses: readonly number[];
  /** The connection may end while we still send, and the answer with it. */
  readonly mayBeCut: boolean;
}

const row = (
  id: string,
  why: string,
  text: Attack['text'],
  statuses: readonly number[],
  mayBeCut = false,
): Attack => ({ id, why, text, statuses, mayBeCut });

const ATTACKS: readonly Attack[] = [
  row('HTTP-001', 'no token', (s) => wire(s, GET, { authorization: undefined }), [401]),
  row('HTTP-001', 'an unknown token', (s) => wire(s, GET, { authorization: 'Bearer x' }), [401]),
  row(
    'HTTP-001',
    'a token in the address',
    (s) => wire(s, GET, { authorization: undefined }, `POST /mcp?access_token=${s.tokens.ann} HTTP/1.1`),
    [401],
  ),
  row(
    'HTTP-001',
    'a good token behind a bad one',
    (s) => wire(s, GET, { authorization: ['Bearer x', `Bearer ${s.tokens.ann}`] }),
    [400],
  ),
  row(
    'HTTP-001',
    'a bad token behind a good one',
    (s) => wire(s, GET, { authorization: [`Bearer ${s.tokens.ann}`, 'Bearer x'] }),
    [400],
  ),
  row(
    'HTTP-001',
    'two tokens in one header',
    (s) => wire(s, GET, { authorization: `Bearer ${s.tokens.ann}, Bearer x` }),
    [400],
  ),
  row(
    'HTTP-006',
    'the address of another server, for a proxy',
    (s) => wire(s, GET, {}, 'POST http://evil.example/mcp HTTP/1.1'),
    [400],
  ),
  ...['/x/../mcp', '//mcp', '/./mcp', '/x/%2e%2e/mcp', '/x\\..\\mcp'].map((place) =>
    row(
      'HTTP-006',
      `a place in another spelling: ${place}`,
      (s) => wire(s, GET, {}, `POST ${place} HTTP/1.1`),
      [400],
    ),
  ),
  row(
    'HTTP-002',
    'a token that has expired',
    (s) => wire(s, GET, { authorization: `Bearer ${s.tokens.old}` }),
    [401],
  ),
  row(
    'HTTP-004',
    'a write with a token that reads',
    (s) => wire(s, SET, { authorization: `Bearer ${s.tokens.bob}` }),
    [403],
  ),
  row('HTTP-006', 'a name that was pointed at it', (s) => wire(s, GET, { host: 'evil.example' }), [403]),
  row(
    'HTTP-006',
    'its name beside another',
    (s) => wire(s, GET, { host: [`127.0.0.1:${s.port}`, 'evil.example'] }),
    [400, 403],
  ),
  row(
    'HTTP-006',
    'another name beside its own',
    (s) => wire(s, GET, { host: ['evil.example', `127.0.0.1:${s.port}`] }),
    [400, 403],
  ),
  row('HTTP-006', 'no name', (s) => wire(s, GET, { host: undefined }), [400]),
  row(
    'HTTP-006',
    'its name with a user',
    (s) => wire(s, GET, { host: `127.0.0.1:${s.port}@evil.example` }),
    [400, 403],
  ),
  row('HTTP-007', 'a page of another site', (s) => wire(s, GET, { origin: 'https://evil.example' }), [403]),
  row(
    'HTTP-007',
    'a question of a browser before such a request',
    (s) =>
      wire(
        s,
        '',
        { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        'OPTIONS /mcp HTTP/1.1',
      ),
    [403],
  ),
  row(
    'HTTP-007',
    'a form of another site',
    (s) => wire(s, GET, { origin: undefined, authorization: undefined, 'content-type': 'text/plain' }),
    [401],
  ),
  row(
    'HTTP-011',
    'a body that says it is larger than allowed',
    (s) => wire(s, GET, { 'content-length': '4194305' }),
    [413],
  ),
  row('HTTP-011', 'a body that is', (s) => wire(s, 'x'.repeat(4_194_305)), [413], true),
  row('HTTP-011', 'a compressed body', (s) => wire(s, GET, { 'content-encoding': 'gzip' }), [415]),
  row(
    'HTTP-012',
    'thousands of headers',
    (s) => wire(s, GET, { 'x-a': Array.from({ length: 5_000 }, () => 'b') }),
    [431],
  ),
  row('HTTP-012', 'one header without end', (s) => wire(s, GET, { 'x-a': 'b'.repeat(200_000) }), [431]),
  row(
    'HTTP-012',
    'an address without end',
    (s) => wire(s, GET, {}, `POST /${'a'.repeat(200_000)} HTTP/1.1`),
    [431],
  ),
  row('HTTP-014', 'two lengths', (s) => wire(s, GET, { 'content-length': ['5', `${GET.length}`] }), [400]),
  row('HTTP-014', 'a list of lengths', (s) => wire(s, GET, { 'content-length': `${GET.length}, 5` }), [400]),
  row(
    'HTTP-014',
    'a length that is none',
    (s) => wire(s, GET, { 'content-length': `0x${GET.length.toString(16)}` }),
    [400],
  ),
  row(
    'HTTP-014',
    'a length and chunks',
    (s) => wire(s, `0\r\n\r\n${wire(s, SET)}`, { 'content-length': '5', 'transfer-encoding': 'chunked' }),
    [400],
  ),
  row(
    'HTTP-014',
    'chunks',
    (s) =>
      wire(s, `${GET.length.toString(16)}\r\n${GET}\r\n0\r\n\r\n`, {
        'content-length': undefined,
        'transfer-encoding': 'chunked',
      }),
    [411],
  ),
  row(
    'HTTP-014',
    'chunks, spelt in another way',
    (s) => wire(s, `0\r\n\r\n${GET}`, { 'content-length': undefined, 'transfer-encoding': 'xchunked' }),
    [400, 411],
  ),
  row(
    'HTTP-014',
    'a header with a blank before its colon',
    (s) => wire(s, GET, { 'content-length ': '5' }),
    [400],
  ),
  row('HTTP-014', 'a folded header', (s) => wire(s, GET, { 'x-a': 'b\r\n c' }), [400]),
  row(
    'HTTP-014',
    'a line break without a return',
    (s) => wire(s, GET).replace('\r\naccept', '\naccept'),
    [400],
  ),
  row('HTTP-014', 'a zero in a header', (s) => wire(s, GET, { 'x-a': 'b\u0000c' }), [400]),
  row(
    'HTTP-014',
    'a body of a request that has none',
    (s) => wire(s, wire(s, SET), {}, 'GET /healthz HTTP/1.1'),
    [200, 405],
  ),
  row(
    'HTTP-014',
    'another protocol',
    (s) =>
      wire(
        s,
        '',
        { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' },
        'GET /mcp HTTP/1.1',
      ),
    [],
  ),
  row('HTTP-014', 'the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]),
  row('HTTP-014', 'a proxy request', (s) => wire(s, '', {}, 'CONNECT evil.example:443 HTTP/1.1'), []),
  row(
    'HTTP-014',
    'an old version',
    (s) => wire(s, GET, { host: undefined }, 'POST /mcp HTTP/1.0'),
    [400, 403],
  ),
  row(
    'HTTP-014',
    'no HTTP at all',
    () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    [400],
  ),
];

/** One that all of a group may attack: it has to withstand them one after the other. */
let shared: HttpServer;
beforeAll(async () => {
  shared = await startHttp();
});
afterAll(() => shared.close());

/** One for a test that needs other options. */
async function start(flags: readonly string[]): Promise<HttpServer> {
  const server = await startHttp(flags);
  onTestFinished(() => server.close());
  return server;
}

describe('an attack over HTTP', () => {
  it.each(ATTACKS)(
    'is refused: $why ($id) [NET-1] [NET-2] [NET-5] [NET-10]',
    async ({ text, statuses, mayBeCut }) => {
      const server = shared;
      const answer = await server.exchange(text(server));
      count('attacks', 1);
      count('refused', answer.includes('a: 1') ? 0 : 1);
      const found = statusesIn(answer);
      if (statuses.length > 0 && !(mayBeCut && answer === '')) expect(found.length).toBe(1);
      for (const status of found) expect(statuses).toContain(status);
      expect(answer).not.toContain('a: 1');
      await expectServed(server);
      expect(server.log().filter(({ event }) => event === 'crashed')).toEqual([]);
    },
  );

  it('by the ids of another principal finds nothing (HTTP-005) [APR-14]', async () => {
    const server = shared;
    const proposed = await server.exchange(wire(server, SET));
    const id = /pv_[0-9a-z]{10}/u.exec(proposed)?.[0] ?? '';
    const lines = server.tokens;
    for (const name of ['config_apply', 'config_history']) {
      const asked = MESSAGE(name, { preview_id: id });
      const answer = await server.exchange(wire(server, asked, { authorization: `Bearer ${lines.bob}` }));
      expect(answer).toMatch(/403 Forbidden|PREVIEW_NOT_FOUND/u);
    }
    await expectServed(server);
  });
});

/** Connections that say this much and then nothing; `ended` counts those that the server has closed, `replies` its answers. */
async function silent({ port }: HttpServer, many: number, text: string) {
  let ended = 0;
  let replies = 0;
  const sockets: Socket[] = [];
  for (let n = 0; n < many; n++) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    // What nobody reads hides the end of a connection.
    socket.on('data', () => {
      replies += 1;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      ended += 1;
    });
    // So that the system does not run out of places to wait in.
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', resolve));
    socket.write(text);
  }
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { ended: () => ended, replies: () => replies, end };
}

describe('many that say little', () => {
  // Half a minute passes until their bodies are given up: the other tests run meanwhile.
  let slow: { readonly server: HttpServer; readonly ended: () => number; close(): Promise<void> };
  beforeAll(async () => {
    const server = await startHttp(['--http-calls-at-once', '3']);
    const head = wire(server, GET, { authorization: `Bearer ${server.tokens.bob}` }).slice(0, -GET.length);
    const { ended, end } = await silent(server, 10, head);
    const close = () => {
      end();
      return server.close();
    };
    slow = { server, ended, close };
  });
  afterAll(() => slow.close());

  const SILENT: readonly { readonly text: (server: HttpServer) => string; readonly replies: number }[] = [
    { text: () => '', replies: 0 },
    { text: () => 'POST /m', replies: 0 },
    { text: (s) => wire(s, '').slice(0, 60), replies: 0 },
    {
      text: (s) => wire(s, GET, { authorization: undefined, connection: 'keep-alive' }).slice(0, -GET.length),
      replies: 50,
    },
  ];

  it('keep nobody out, and are let go in time, without a reply to what was not asked (HTTP-008) [NET-10]', async () => {
    const groups: Awaited<ReturnType<typeof silent>>[] = [];
    for (const { text } of SILENT) groups.push(await silent(shared, 50, text(shared)));
    await expectServed(shared);
    await eventually(() => expect(groups.map(({ ended }) => ended())).toEqual(groups.map(() => 50)));
    expect(groups.map(({ replies }) => replies())).toEqual(SILENT.map(({ replies }) => replies));
    await expectServed(shared);
  });

  it('are ten thousand connections, and whoever has a token is served among them (HTTP-010) [NET-10]', async () => {
    const server = shared;
    const { ended, end } = await silent(server, 10_000, 'POST /mcp HTTP/1.1\r\n');
    expect(ended()).toBeGreaterThan(8_000);
    await expectServed(server);
    count('attacks', 10_000);
    end();
  });

  it('are calls without end: one principal waits, another is served (HTTP-013) [NET-6]', async () => {
    const server = await start(['--http-calls-per-minute', '20']);
    const asBob = wire(server, GET, { authorization: `Bearer ${server.tokens.bob}` });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, () => server.exchange(asBob).then(statusesIn)),
    );
    expect(statuses.flat().filter((status) => status === 200).length).toBeLessThanOrEqual(25);
    expect(statuses.flat()).toContain(429);
    await expectServed(server);
  });

  it('with a slow body are those of their own principal, and get half a minute (HTTP-009) [NET-6] [NET-10]', async () => {
    // Beyond three they were refused at once.
    await eventually(() => expect(slow.ended()).toBeGreaterThanOrEqual(7));
    await expectServed(slow.server);
    await eventually(() => expect(slow.ended()).toBe(10));
  });
});
