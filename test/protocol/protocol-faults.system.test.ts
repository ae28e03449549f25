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
const call = (params: object): object => ({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const ping = (x: string): string => `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${x}}}`;
const keys = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',');

const FAULTS: readonly { line: string | object; code: number; id?: number | string; why: string }[] = [
  { line: 'not JSON', code: PARSE, why: 'no JSON' },
  { line: '{"jsonrpc":"2.0","id":1,"method":"ping"', code: PARSE, why: 'cut off' },
  { line: '{"jsonrpc":"2.0","id":1,"method":"ping"} {}', code: PARSE, why: 'two values on a line' },
  { line: "{'jsonrpc':'2.0'}", code: PARSE, why: 'the wrong quotes' },
  { line: '[1,2,3]', code: INVALID, why: 'an array of nothing' },
  { line: '[]', code: INVALID, why: 'an empty batch' },
  { line: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', code: INVALID, why: 'PROT-005: a batch' },
  { line: 'null', code: INVALID, why: 'PROT-004: null' },
  { line: '42', code: INVALID, why: 'PROT-004: a number' },
  { line: '"ping"', code: INVALID, why: 'a string' },
  { line: '{}', code: INVALID, why: 'PROT-004: nothing in it' },
  { line: { jsonrpc: '1.0', id: 7, method: 'ping' }, code: INVALID, id: 7, why: 'another version' },
  { line: { id: 7, method: 'ping' }, code: INVALID, id: 7, why: 'no version' },
  { line: { jsonrpc: 2, id: 7, method: 'ping' }, code: INVALID, id: 7, why: 'a version of the wrong type' },
  { line: { jsonrpc: '2.0', id: 7 }, code: INVALID, id: 7, why: 'no method' },
  { line: { jsonrpc: '2.0', id: 7, method: 5 }, code: INVALID, id: 7, why: 'a method that is no string' },
  { line: { jsonrpc: '2.0', id: 7, method: '' }, code: INVALID, id: 7, why: 'an empty method' },
  { line: { jsonrpc: '2.0', id: 7, method: 'x'.repeat(300) }, code: INVALID, id: 7, why: 'a long method' },
  { line: { jsonrpc: '2.0', id: null, method: 'ping' }, code: INVALID, why: 'PROT-004: id null' },
  { line: { jsonrpc: '2.0', id: 1.5, method: 'ping' }, code: INVALID, why: 'PROT-004: a fraction as id' },
  { line: { jsonrpc: '2.0', id: {}, method: 'ping' }, code: INVALID, why: 'an object as id' },
  { line: { jsonrpc: '2.0', id: true, method: 'ping' }, code: INVALID, why: 'a boolean as id' },
  {
    line: { jsonrpc: '2.0', id: 'x'.repeat(5e6), method: 'ping' },
    code: INVALID,
    why: 'PROT-004: a 5 MB id',
  },
  { line: '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', code: INVALID, why: 'an infinite id' },
  {
    line: { jsonrpc: '2.0', id: 7, method: 'ping', params: [] },
    code: INVALID,
    id: 7,
    why: 'params by position',
  },
  {
    line: { jsonrpc: '2.0', id: 7, method: 'ping', params: 'x' },
    code: INVALID,
    id: 7,
    why: 'params as text',
  },
  {
    line: { jsonrpc: '2.0', id: 7, method: 'ping', extra: 1 },
    code: INVALID,
    id: 7,
    why: 'an unknown member',
  },
  { line: { jsonrpc: '2.0', id: 7, method: 'nope' }, code: UNKNOWN, id: 7, why: 'an unknown method' },
  {
    line: { jsonrpc: '2.0', id: 7, method: 'constructor' },
    code: UNKNOWN,
    id: 7,
    why: 'PROT-007: a name of Object',
  },
  {
    line: { jsonrpc: '2.0', id: 7, method: 'resources/read', params: { uri: 'file:///../etc/passwd' } },
    code: PARAMS,
    id: 7,
    why: 'PROT-018: a URI of another scheme',
  },
  {
    line: {
      jsonrpc: '2.0',
      id: 7,
      method: 'resources/read',
      params: { uri: 'config-airlock://file/%2e%2e/etc/passwd' },
    },
    code: PARAMS,
    id: 7,
    why: 'PROT-018: a URI that climbs',
  },
  {
    line: {
      jsonrpc: '2.0',
      id: 7,
      method: 'resources/read',
      params: { uri: `config-airlock://file/${'{+a}'.repeat(60_000)}` },
    },
    code: PARAMS,
    id: 7,
    why: 'PROT-018: a URI that a template matches slowly',
  },
  {
    line: { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { cursor: 5 } },
    code: PARAMS,
    id: 7,
    why: 'params of the wrong type',
  },
  { line: call({}), code: PARAMS, id: 7, why: 'a call of nothing' },
  {
    line: call({ name: 'echo', arguments: 'text' }),
    code: PARAMS,
    id: 7,
    why: 'arguments that are no object',
  },
  {
    line: call({ name: 'echo', task: '\u202e\u001b[2J' }),
    code: PARAMS,
    id: 7,
    why: 'a task of the wrong type',
  },
  { line: call({ name: '\u202e\u001b[2J' }), code: PARAMS, id: 7, why: 'a tool that would turn the line' },
  { line: call({ name: 'nope' }), code: PARAMS, id: 7, why: 'an unknown tool' },
  { line: call({ name: '__proto__' }), code: PARAMS, id: 7, why: 'PROT-007: a name of Object' },
  {
    line: { jsonrpc: '2.0', id: 7, method: 'initialize', params: INITIALIZE },
    code: INVALID,
    id: 7,
    why: 'PROT-015: initialized twice',
  },
  { line: deep(100_000), code: INVALID, why: 'PROT-003: 100,000 levels' },
  { line: '['.repeat(1_000_000), code: INVALID, why: 'a million levels, never closed' },
  {
    line: `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${deep(130)}}}`,
    code: INVALID,
    id: 7,
    why: 'deeper than anything needs',
  },
  {
    line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a","text":"b"}}}',
    code: INVALID,
    id: 7,
    why: 'an argument that is named twice: whoever looked on may have read the other',
  },
  {
    line: '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":{"b":1,"\\u0062":2}}}',
    code: INVALID,
    id: 7,
    why: 'a name that stands twice, further in and in another spelling',
  },
  { line: '{"jsonrpc":"2.0","id":6,"id":7,"method":"ping"}', code: INVALID, id: 7, why: 'two ids' },
  {
    line: '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
    code: INVALID,
    why: 'an id that would not come back as it is: half of a surrogate pair',
  },
  { line: 'x'.repeat(11 * 1024 * 1024), code: INVALID, why: 'PROT-001: a line over the limit' },
  ...[
    `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"${'x'.repeat(7e6)}","id":8}}`,
    `{"method":"ping","params":{"x":"${'x'.repeat(7e6)}","id":8},"jsonrpc":"2.0","id":7}`,
  ].map((line) => ({
    line,
    code: INVALID,
    id: 7,
    why: 'a request over the limit, with its id at either end',
  })),
  {
    line: `{"result":{"x":"${'x'.repeat(7e6)}"},"jsonrpc":"2.0","id":7}`,
    code: INVALID,
    why: 'an answer over the limit, whose id is of another request',
  },
  { line: 'x'.repeat(6_262_145), code: INVALID, why: 'PROT-001: a line one byte over the limit' },
  { line: 'x'.repeat(6_262_144), code: PARSE, why: 'PROT-001: a line of the limit, and no JSON' },
  { line: ping(`[${'[],'.repeat(1_000_000)}[]]`), code: INVALID, id: 7, why: 'PROT-003: a million lists' },
  { line: ping(`{${keys(300_000)}}`), code: INVALID, id: 7, why: 'PROT-003: 300,000 keys' },
  { line: ping(`[${'0,'.repeat(50_000)}0]`), code: INVALID, id: 7, why: 'PROT-003: 50,001 numbers' },
  {
    line: `{"jsonrpc":"2.0","id":7,"method":"ping",${keys(30_000)}}`,
    code: INVALID,
    id: 7,
    why: '30,000 members',
  },
  { line: ping(`{${keys(3_000)}}`), code: INVALID, id: 7, why: '3,000 keys outside of a call' },
  {
    line: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo",${keys(3_000)}}}`,
    code: INVALID,
    id: 7,
    why: '3,000 keys beside the arguments',
  },
  {
    line: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","_meta":{"arguments":{${keys(3_000)}}}}}`,
    code: INVALID,
    id: 7,
    why: '3,000 keys in something else of that name',
  },
  {
    line: `{"jsonrpc":"2.0","method":"notifications/unknown","params":{${keys(3_000)}}}`,
    code: INVALID,
    why: 'a notification of 3,000 keys',
  },
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

it.each(FAULTS)('$why [SRV-4]', async ({ line, code, id = null }) => {
  server.send(line);
  expect(await server.next()).toMatchObject({ id, error: { code } });
  expect(await server.request(1000, 'ping')).toMatchObject({ id: 1000, result: {} });
});

it.each(FAULTS)('says it shortly, and repeats nothing long: $why', async ({ line }) => {
  server.send(line);
  const { error } = await server.next();
  expect(error?.message.length).toBeLessThan(700);
  expect(JSON.stringify(error)).not.toContain('x'.repeat(20));
  // In one line of words, not as the list that the schema's library prints.
  expect(error?.message).not.toMatch(/[\p{Cc}\p{Cf}]|"expected"|invalid_type/u);
});

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
