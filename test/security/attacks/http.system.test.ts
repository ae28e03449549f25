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
  readonly mayBeCut?: boolean;
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'HTTP-001',
    why: 'no token',
    text: (s) => wire(s, GET, { authorization: undefined }),
    statuses: [401],
  },
  {
    id: 'HTTP-001',
    why: 'an unknown token',
    text: (s) => wire(s, GET, { authorization: 'Bearer x' }),
    statuses: [401],
  },
  {
    id: 'HTTP-001',
    why: 'a token in the address',
    text: (s) =>
      wire(s, GET, { authorization: undefined }, `POST /mcp?access_token=${s.tokens.ann} HTTP/1.1`),
    statuses: [401],
  },
  {
    id: 'HTTP-001',
    why: 'a good token behind a bad one',
    text: (s) => wire(s, GET, { authorization: ['Bearer x', `Bearer ${s.tokens.ann}`] }),
    statuses: [400],
  },
  {
    id: 'HTTP-001',
    why: 'a bad token behind a good one',
    text: (s) => wire(s, GET, { authorization: [`Bearer ${s.tokens.ann}`, 'Bearer x'] }),
    statuses: [400],
  },
  {
    id: 'HTTP-001',
    why: 'two tokens in one header',
    text: (s) => wire(s, GET, { authorization: `Bearer ${s.tokens.ann}, Bearer x` }),
    statuses: [400],
  },
  {
    id: 'HTTP-006',
    why: 'the address of another server, for a proxy',
    text: (s) => wire(s, GET, {}, 'POST http://evil.example/mcp HTTP/1.1'),
    statuses: [400],
  },
  ...['/x/../mcp', '//mcp', '/./mcp', '/x/%2e%2e/mcp', '/x\\..\\mcp'].map(
    (place): Attack => ({
      id: 'HTTP-006',
      why: `a place in another spelling: ${place}`,
      text: (s) => wire(s, GET, {}, `POST ${place} HTTP/1.1`),
      statuses: [400],
    }),
  ),
  {
    id: 'HTTP-002',
    why: 'a token that has expired',
    text: (s) => wire(s, GET, { authorization: `Bearer ${s.tokens.old}` }),
    statuses: [401],
  },
  {
    id: 'HTTP-004',
    why: 'a write with a token that reads',
    text: (s) => wire(s, SET, { authorization: `Bearer ${s.tokens.bob}` }),
    statuses: [403],
  },
  {
    id: 'HTTP-006',
    why: 'a name that was pointed at it',
    text: (s) => wire(s, GET, { host: 'evil.example' }),
    statuses: [403],
  },
  {
    id: 'HTTP-006',
    why: 'its name beside another',
    text: (s) => wire(s, GET, { host: [`127.0.0.1:${s.port}`, 'evil.example'] }),
    statuses: [400, 403],
  },
  {
    id: 'HTTP-006',
    why: 'another name beside its own',
    text: (s) => wire(s, GET, { host: ['evil.example', `127.0.0.1:${s.port}`] }),
    statuses: [400, 403],
  },
  { id: 'HTTP-006', why: 'no name', text: (s) => wire(s, GET, { host: undefined }), statuses: [400] },
  {
    id: 'HTTP-006',
    why: 'its name with a user',
    text: (s) => wire(s, GET, { host: `127.0.0.1:${s.port}@evil.example` }),
    statuses: [400, 403],
  },
  {
    id: 'HTTP-007',
    why: 'a page of another site',
    text: (s) => wire(s, GET, { origin: 'https://evil.example' }),
    statuses: [403],
  },
  {
    id: 'HTTP-007',
    why: 'a question of a browser before such a request',
    text: (s) =>
      wire(
        s,
        '',
        { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        'OPTIONS /mcp HTTP/1.1',
      ),
    statuses: [403],
  },
  {
    id: 'HTTP-007',
    why: 'a form of another site',
    text: (s) => wire(s, GET, { origin: undefined, authorization: undefined, 'content-type': 'text/plain' }),
    statuses: [401],
  },
  {
    id: 'HTTP-011',
    why: 'a body that says it is larger than allowed',
    text: (s) => wire(s, GET, { 'content-length': '4194305' }),
    statuses: [413],
  },
  {
    id: 'HTTP-011',
    why: 'a body that is',
    text: (s) => wire(s, 'x'.repeat(4_194_305)),
    statuses: [413],
    mayBeCut: true,
  },
  {
    id: 'HTTP-011',
    why: 'a compressed body',
    text: (s) => wire(s, GET, { 'content-encoding': 'gzip' }),
    statuses: [415],
  },
  {
    id: 'HTTP-012',
    why: 'thousands of headers',
    text: (s) => wire(s, GET, { 'x-a': Array.from({ length: 5_000 }, () => 'b') }),
    statuses: [431],
  },
  {
    id: 'HTTP-012',
    why: 'one header without end',
    text: (s) => wire(s, GET, { 'x-a': 'b'.repeat(200_000) }),
    statuses: [431],
  },
  {
    id: 'HTTP-012',
    why: 'an address without end',
    text: (s) => wire(s, GET, {}, `POST /${'a'.repeat(200_000)} HTTP/1.1`),
    statuses: [431],
  },
  {
    id: 'HTTP-014',
    why: 'two lengths',
    text: (s) => wire(s, GET, { 'content-length': ['5', `${GET.length}`] }),
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'a list of lengths',
    text: (s) => wire(s, GET, { 'content-length': `${GET.length}, 5` }),
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'a length that is none',
    text: (s) => wire(s, GET, { 'content-length': `0x${GET.length.toString(16)}` }),
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'a length and chunks',
    text: (s) =>
      wire(s, `0\r\n\r\n${wire(s, SET)}`, { 'content-length': '5', 'transfer-encoding': 'chunked' }),
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'chunks',
    text: (s) =>
      wire(s, `${GET.length.toString(16)}\r\n${GET}\r\n0\r\n\r\n`, {
        'content-length': undefined,
        'transfer-encoding': 'chunked',
      }),
    statuses: [411],
  },
  {
    id: 'HTTP-014',
    why: 'chunks, spelt in another way',
    text: (s) => wire(s, `0\r\n\r\n${GET}`, { 'content-length': undefined, 'transfer-encoding': 'xchunked' }),
    statuses: [400, 411],
  },
  {
    id: 'HTTP-014',
    why: 'a header with a blank before its colon',
    text: (s) => wire(s, GET, { 'content-length ': '5' }),
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'a folded header',
    text: (s) => wire(s, GET, { 'x-a': 'b\r\n c' }),
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'a line break without a return',
    text: (s) => wire(s, GET).replace('\r\naccept', '\naccept'),
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'a zero in a header',
    text: (s) => wire(s, GET, { 'x-a': 'b\u0000c' }),
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'a body of a request that has none',
    text: (s) => wire(s, wire(s, SET), {}, 'GET /healthz HTTP/1.1'),
    statuses: [200, 405],
  },
  {
    id: 'HTTP-014',
    why: 'another protocol',
    text: (s) =>
      wire(
        s,
        '',
        { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' },
        'GET /mcp HTTP/1.1',
      ),
    statuses: [],
  },
  {
    id: 'HTTP-014',
    why: 'the preface of HTTP/2',
    text: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    statuses: [400],
  },
  {
    id: 'HTTP-014',
    why: 'a proxy request',
    text: (s) => wire(s, '', {}, 'CONNECT evil.example:443 HTTP/1.1'),
    statuses: [],
  },
  {
    id: 'HTTP-014',
    why: 'an old version',
    text: (s) => wire(s, GET, { host: undefined }, 'POST /mcp HTTP/1.0'),
    statuses: [400, 403],
  },
  {
    id: 'HTTP-014',
    why: 'no HTTP at all',
    text: () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    statuses: [400],
  },
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
    async ({ text, statuses, mayBeCut = false }) => {
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
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
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
  return { ended: () => ended, replies: () => replies };
}

describe('many that say little', () => {
  it.each([
    { id: 'HTTP-008', why: 'nothing', text: () => '' },
    { id: 'HTTP-008', why: 'half a line', text: () => 'POST /m' },
    { id: 'HTTP-008', why: 'half a head', text: (s: HttpServer) => wire(s, '').slice(0, 60) },
    {
      id: 'HTTP-008',
      why: 'a head without a token, and no body',
      text: (s: HttpServer) =>
        wire(s, GET, { authorization: undefined, connection: 'keep-alive' }).slice(0, -GET.length),
      isAnswered: true,
    },
  ])(
    'keep nobody out, and are let go in time, without a reply to what was not asked: $why ($id) [NET-10]',
    async ({ text, isAnswered = false }) => {
      const server = shared;
      const { ended, replies } = await silent(server, 50, text(server));
      await expectServed(server);
      await eventually(() => expect(ended()).toBe(50));
      expect(replies()).toBe(isAnswered ? 50 : 0);
      await expectServed(server);
    },
  );

  it('with a slow body are those of their own principal, and get half a minute (HTTP-009) [NET-6] [NET-10]', async () => {
    const server = await start(['--http-calls-at-once', '3']);
    const head = wire(server, GET, { authorization: `Bearer ${server.tokens.bob}` }).slice(0, -GET.length);
    const { ended } = await silent(server, 10, head);
    // Beyond three they are refused at once.
    await eventually(() => expect(ended()).toBeGreaterThanOrEqual(7));
    await expectServed(server);
    await eventually(() => expect(ended()).toBe(10));
  });

  it('are ten thousand connections, and whoever has a token is served among them (HTTP-010) [NET-10]', async () => {
    const server = shared;
    const { ended } = await silent(server, 10_000, 'POST /mcp HTTP/1.1\r\n');
    expect(ended()).toBeGreaterThan(8_000);
    await expectServed(server);
    count('attacks', 10_000);
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
});
