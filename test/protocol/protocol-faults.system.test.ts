// What is not a proper request gets the answer that JSON-RPC 2.0 asks for, and the next request is
// answered as if nothing had been. All against one server, one after the other.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { INITIALIZE, type RawServer, startGreeted, startRaw } from '../harness/raw-server.ts';
import { FIXTURE } from '../harness/start-process.ts';
import { tempRoot } from '../harness/temp-root.ts';

const PARSE = -32700;
const INVALID = -32600;
const UNKNOWN = -32601;
const PARAMS = -32602;
const ask = (more: object): object => ({ jsonrpc: '2.0', id: 7, ...more });
const call = (params: object): object => ask({ method: 'tools/call', params });
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const ping = (x: string): string => `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${x}}}`;
const keys = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',');

/** `id`: of the answer, where it can be told. */
const fault = (why: string, code: number, line: string | object, id: number | string | null = null) => ({
  ...{ why, code, line, id },
});

const FAULTS = [
  fault('no JSON', PARSE, 'not JSON'),
  fault('cut off', PARSE, '{"jsonrpc":"2.0","id":1,"method":"ping"'),
  fault('two values on a line', PARSE, '{"jsonrpc":"2.0","id":1,"method":"ping"} {}'),
  fault('the wrong quotes', PARSE, "{'jsonrpc':'2.0'}"),
  fault('an array of nothing', INVALID, '[1,2,3]'),
  fault('an empty batch', INVALID, '[]'),
  fault('PROT-005: a batch', INVALID, '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'),
  fault('PROT-004: null', INVALID, 'null'),
  fault('PROT-004: a number', INVALID, '42'),
  fault('a string', INVALID, '"ping"'),
  fault('PROT-004: nothing in it', INVALID, '{}'),
  fault('another version', INVALID, { jsonrpc: '1.0', id: 7, method: 'ping' }, 7),
  fault('no version', INVALID, { id: 7, method: 'ping' }, 7),
  fault('a version of the wrong type', INVALID, { jsonrpc: 2, id: 7, method: 'ping' }, 7),
  fault('no method', INVALID, { jsonrpc: '2.0', id: 7 }, 7),
  fault('a method that is no string', INVALID, ask({ method: 5 }), 7),
  fault('an empty method', INVALID, ask({ method: '' }), 7),
  fault('a long method', INVALID, ask({ method: 'x'.repeat(300) }), 7),
  fault('PROT-004: id null', INVALID, { jsonrpc: '2.0', id: null, method: 'ping' }),
  fault('PROT-004: a fraction as id', INVALID, { jsonrpc: '2.0', id: 1.5, method: 'ping' }),
  fault('an object as id', INVALID, { jsonrpc: '2.0', id: {}, method: 'ping' }),
  fault('a boolean as id', INVALID, { jsonrpc: '2.0', id: true, method: 'ping' }),
  fault('PROT-004: a 5 MB id', INVALID, { jsonrpc: '2.0', id: 'x'.repeat(5e6), method: 'ping' }),
  fault('an infinite id', INVALID, '{"jsonrpc":"2.0","id":1e400,"method":"ping"}'),
  fault('params by position', INVALID, ask({ method: 'ping', params: [] }), 7),
  fault('params as text', INVALID, ask({ method: 'ping', params: 'x' }), 7),
  fault('an unknown member', INVALID, ask({ method: 'ping', extra: 1 }), 7),
  fault('an unknown method', UNKNOWN, ask({ method: 'nope' }), 7),
  fault('PROT-007: a name of Object', UNKNOWN, ask({ method: 'constructor' }), 7),
  fault(
    'PROT-018: a URI of another scheme',
    PARAMS,
    ask({ method: 'resources/read', params: { uri: 'file:///../etc/passwd' } }),
    7,
  ),
  fault(
    'PROT-018: a URI that climbs',
    PARAMS,
    ask({ method: 'resources/read', params: { uri: 'config-airlock://file/%2e%2e/etc/passwd' } }),
    7,
  ),
  fault(
    'PROT-018: a URI that a template matches slowly',
    PARAMS,
    ask({ method: 'resources/read', params: { uri: `config-airlock://file/${'{+a}'.repeat(60_000)}` } }),
    7,
  ),
  fault('params of the wrong type', PARAMS, ask({ method: 'tools/list', params: { cursor: 5 } }), 7),
  fault('a call of nothing', PARAMS, call({}), 7),
  fault('arguments that are no object', PARAMS, call({ name: 'echo', arguments: 'text' }), 7),
  fault('a task of the wrong type', PARAMS, call({ name: 'echo', task: '\u202e\u001b[2J' }), 7),
  fault('a tool that would turn the line', PARAMS, call({ name: '\u202e\u001b[2J' }), 7),
  fault('an unknown tool', PARAMS, call({ name: 'nope' }), 7),
  fault('PROT-007: a name of Object', PARAMS, call({ name: '__proto__' }), 7),
  fault('PROT-015: initialized twice', INVALID, ask({ method: 'initialize', params: INITIALIZE }), 7),
  fault('PROT-003: 100,000 levels', INVALID, deep(100_000)),
  fault('a million levels, never closed', INVALID, '['.repeat(1_000_000)),
  fault(
    'deeper than anything needs',
    INVALID,
    `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${deep(130)}}}`,
    7,
  ),
  fault(
    'an argument that is named twice: whoever looked on may have read the other',
    INVALID,
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a","text":"b"}}}',
    7,
  ),
  fault(
    'a name that stands twice, further in and in another spelling',
    INVALID,
    '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":{"b":1,"\\u0062":2}}}',
    7,
  ),
  fault('two ids', INVALID, '{"jsonrpc":"2.0","id":6,"id":7,"method":"ping"}', 7),
  fault(
    'an id that would not come back as it is: half of a surrogate pair',
    INVALID,
    '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
  ),
  fault('PROT-001: a line over the limit', INVALID, 'x'.repeat(11 * 1024 * 1024)),
  ...[
    `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"${'x'.repeat(7e6)}","id":8}}`,
    `{"method":"ping","params":{"x":"${'x'.repeat(7e6)}","id":8},"jsonrpc":"2.0","id":7}`,
  ].map((line) => fault('a request over the limit, with its id at either end', INVALID, line, 7)),
  fault(
    'an answer over the limit, whose id is of another request',
    INVALID,
    `{"result":{"x":"${'x'.repeat(7e6)}"},"jsonrpc":"2.0","id":7}`,
  ),
  fault('PROT-001: a line one byte over the limit', INVALID, 'x'.repeat(6_262_145)),
  fault('PROT-001: a line of the limit, and no JSON', PARSE, 'x'.repeat(6_262_144)),
  fault('PROT-003: a million lists', INVALID, ping(`[${'[],'.repeat(1_000_000)}[]]`), 7),
  fault('PROT-003: 300,000 keys', INVALID, ping(`{${keys(300_000)}}`), 7),
  fault('PROT-003: 50,001 numbers', INVALID, ping(`[${'0,'.repeat(50_000)}0]`), 7),
  fault('30,000 members', INVALID, `{"jsonrpc":"2.0","id":7,"method":"ping",${keys(30_000)}}`, 7),
  fault('3,000 keys outside of a call', INVALID, ping(`{${keys(3_000)}}`), 7),
  fault(
    '3,000 keys beside the arguments',
    INVALID,
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo",${keys(3_000)}}}`,
    7,
  ),
  fault(
    '3,000 keys in something else of that name',
    INVALID,
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","_meta":{"arguments":{${keys(3_000)}}}}}`,
    7,
  ),
  fault(
    'a notification of 3,000 keys',
    INVALID,
    `{"jsonrpc":"2.0","method":"notifications/unknown","params":{${keys(3_000)}}}`,
  ),
];

const root = tempRoot();
let server: RawServer;

beforeAll(async () => {
  server = await startGreeted({ args: ['--root', root.dir], program: FIXTURE });
});

afterAll(async () => {
  server.child.stdin.end();
  await server.exit;
  root.remove();
});

it.each(FAULTS)(
  '$why is answered shortly, and the next request as if nothing had been [SRV-4]',
  async (row) => {
    server.send(row.line);
    const { id, error } = await server.next();
    expect([id, error?.code]).toEqual([row.id, row.code]);
    expect(error?.message.length).toBeLessThan(700);
    expect(JSON.stringify(error)).not.toContain('x'.repeat(20));
    // In one line of words, not as the list that the schema's library prints.
    expect(error?.message).not.toMatch(/[\p{Cc}\p{Cf}]|"expected"|invalid_type/u);
    expect(await server.request(1000, 'ping')).toMatchObject({ id: 1000, result: {} });
  },
);

const IGNORED = [
  { line: { jsonrpc: '2.0', id: 99, result: {} }, why: 'an answer to nothing' },
  { line: { jsonrpc: '2.0', id: 99, error: { code: 1, message: 'x' } }, why: 'an error to nothing' },
  { line: { jsonrpc: '2.0', method: 'notifications/unknown' }, why: 'an unknown notification' },
  {
    line: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
    why: 'cancels nothing',
  },
  {
    line: { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
    why: "PROT-017: roots are the operator's",
  },
  {
    line: `{"jsonrpc":"2.0","id":99,"result":{"x":${deep(130)}}}`,
    why: 'an answer to nothing that is too deep',
  },
  {
    line: `{"jsonrpc":"2.0","id":99,"result":{${keys(3_000)}}}`,
    why: 'an answer to nothing that has 3,000 keys',
  },
  { line: '', why: 'an empty line' },
  { line: ' \t\r', why: 'a blank line' },
];

it.each(IGNORED)('says nothing to $why', async ({ line }) => {
  server.send(line);
  server.send({ jsonrpc: '2.0', id: 1001, method: 'ping' });
  expect(await server.next()).toMatchObject({ id: 1001 });
});

it.each([
  { bytes: '\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}\n', why: 'a byte order mark' },
  { bytes: '{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n', why: 'CRLF' },
  {
    bytes: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${JSON.stringify(',:[{'.repeat(500_000))}}}\n`,
    why: 'two million brackets in a string',
  },
  {
    bytes: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":[${'0,'.repeat(49_000)}0]}}}\n`,
    why: '49,000 numbers in a call',
  },
  {
    bytes: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'0,'.repeat(1_900)}0]}}\n`,
    why: '1,901 numbers elsewhere',
  },
  { bytes: '  {"jsonrpc":"2.0","id":1,"method":"ping"}\n', why: 'indentation' },
  {
    bytes: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"__proto__":{"polluted":1}}}}\n',
    why: 'PROT-007',
  },
])('tolerates $why (PROT-013)', async ({ bytes }) => {
  server.child.stdin.write(bytes);
  expect(await server.next()).toMatchObject({ id: 1, result: {} });
});

it('carries a text of the size that is still parsed, each character of it escaped', async () => {
  const text = '\\u00e9'.repeat(1_000_000);
  server.send(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"${text}"}}}`,
  );
  const { result } = await server.next();
  expect(result).toMatchObject({ content: [{ text: 'é'.repeat(1_000_000) }] });
});

it('refuses bytes that are not UTF-8 (PROT-013)', async () => {
  server.child.stdin.write(Buffer.from('7b22ff22\n'.replace('\n', ''), 'hex'));
  server.child.stdin.write('\n');
  expect(await server.next()).toMatchObject({ id: null, error: { code: PARSE } });
});

it('answers both of two requests with the same id (PROT-004)', async () => {
  server.send({ jsonrpc: '2.0', id: 5, method: 'ping' });
  server.send({ jsonrpc: '2.0', id: 5, method: 'ping' });
  expect(await server.next()).toMatchObject({ id: 5, result: {} });
  expect(await server.next()).toMatchObject({ id: 5, result: {} });
});

it.each(['tools/list', 'tools/call', 'server/discover'])(
  'refuses %s before the handshake (PROT-015)',
  async (method) => {
    const early = startRaw({ args: ['--root', root.dir], program: FIXTURE });
    early.send({ jsonrpc: '2.0', id: 1, method, params: { name: 'echo', arguments: { text: 'x' } } });
    expect(await early.next()).toMatchObject({ id: 1, error: { code: INVALID } });
    expect(await early.request(2, 'ping')).toMatchObject({ result: {} });
    expect(await early.request(3, 'initialize', { protocolVersion: 5 })).toMatchObject({
      error: { code: PARAMS },
    });
    expect(await early.request(4, 'initialize', INITIALIZE)).toMatchObject({ result: {} });
    expect(await early.request(5, 'tools/list')).toMatchObject({ result: {} });
    early.child.stdin.end();
    expect(await early.exit).toEqual({ code: 0, signal: null });
  },
);
