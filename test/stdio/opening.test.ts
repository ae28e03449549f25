// What is answered before the server is loaded is what the server answers, to the byte and in that order, however
// a connection begins; and where it were not, nothing more would be served.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { afterAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/security/index.ts';
import { type Airlock, openAirlock } from '../../src/server.ts';
import { connect } from '../../src/stdio/connect.ts';
import { Opening } from '../../src/stdio/opening.ts';
import type { Prepared, Template } from '../../src/stdio/prepared.ts';
import { ENVELOPE, INITIALIZE, startRaw } from '../harness/raw-server.ts';
import { DIST_CLI } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';

const root = tempRoot({ 'a.yaml': 'a: 1\n' });
afterAll(() => root.remove());
const log = createLog({ level: 'error', format: 'json', isSilent: true });
const airlock: Airlock = openAirlock({ roots: [root.dir], readOnly: true, log });

const MARK = 'mark';
const line = (message: object | string): string =>
  typeof message === 'string' ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const hello = (params: object = {}, id: unknown = 1) => ({
  id,
  method: 'initialize',
  params: { ...INITIALIZE, ...params },
});
const ready = { method: 'notifications/initialized' };
const list = { id: 2, method: 'tools/list' };
const call = { id: 3, method: 'tools/call', params: { name: 'config_get', arguments: { file: 'a.yaml' } } };
const OPENING = [hello(), ready, list];

/** What is answered to these chunks, each in one piece, and the end of input behind the last. */
async function answersTo(chunks: readonly (string | Buffer)[], prepared?: Prepared): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answers: Buffer[] = [];
  output.on('data', (chunk) => answers.push(chunk));
  const connection = connect(airlock, { input, output }, prepared);
  for (const chunk of chunks) {
    input.write(chunk);
    await nextTurn();
  }
  input.end();
  await connection.ended;
  return String(Buffer.concat(answers));
}

/** A client that does not wait for an answer may get the next one before it. */
function inAnyOrder(answers: string): readonly string[] {
  return answers.split('\n').sort();
}

/** Those that need no server. */
function earlyAnswersTo(chunks: readonly (string | Buffer)[], prepared: Prepared): readonly string[] {
  const opening = new Opening(prepared);
  const answers: string[] = [];
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  for (let start = 0; ; ) {
    const end = bytes.indexOf('\n', start);
    const answer = end === -1 ? undefined : opening.answer(bytes.subarray(start, end));
    if (answer === undefined) return answers;
    if (answer !== '') answers.push(answer);
    start = end + 1;
  }
}

async function prepare(): Promise<Prepared> {
  const greetings: Record<string, Template> = {};
  let listed: Template = ['', ''];
  for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS) {
    const asked = [hello({ protocolVersion }, MARK), ready, { ...list, id: MARK }];
    const [greeting, tools] = (await answersTo(asked.map(line))).split(/(?<=\n)/).map(template);
    greetings[protocolVersion] = greeting ?? ['', ''];
    listed = tools ?? ['', ''];
  }
  return { greetings, list: listed };
}

function template(text: string): Template {
  const [before = '', after = ''] = text.split(JSON.stringify(MARK));
  return [before, after];
}

const prepared = await prepare();

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const withCapabilities = (json: string): string =>
  line(hello()).replace('"capabilities":{}', `"capabilities":${json}`);

const ORDINARY: readonly { why: string; messages: readonly (object | string)[] }[] = [
  ...SUPPORTED_PROTOCOL_VERSIONS.map((protocolVersion) => ({
    why: protocolVersion,
    messages: [hello({ protocolVersion }), ready, list],
  })),
  { why: 'ids that are texts', messages: [hello({}, 'a-1'), ready, { ...list, id: 'b:2' }] },
  { why: 'ids that are 0 and negative', messages: [hello({}, 0), ready, { ...list, id: -5 }] },
  { why: 'the same id twice', messages: [hello(), ready, { ...list, id: 1 }] },
  {
    why: 'empty params',
    messages: [hello(), { ...ready, params: {} }, { ...list, params: {} }],
  },
  {
    why: 'all that a client can do',
    messages: [
      hello({
        capabilities: {
          roots: { listChanged: true },
          sampling: { context: {}, tools: {} },
          elicitation: { form: {}, url: {} },
          tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
          experimental: { x: { deep: [1, { y: null }] } },
          extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } },
        },
        clientInfo: {
          name: 'ä',
          title: 'Ä',
          version: '1',
          description: 'd',
          websiteUrl: 'https://x.example',
        },
      }),
      ready,
      list,
    ],
  },
  { why: 'CRLF', messages: OPENING.map((message) => line(message).replace('\n', '\r\n')) },
  { why: 'a byte order mark and blanks', messages: [`\uFEFF  ${line(hello())}`, ready, list] },
  { why: 'all in one chunk', messages: [OPENING.map(line).join('')] },
  {
    why: 'a name of Object in a capability',
    messages: [withCapabilities('{"experimental":{"a":{"__proto__":{}}}}'), ready, list],
  },
];

describe('an ordinary opening', () => {
  it.each(ORDINARY)('is answered early as the server answers it: $why', async ({ messages }) => {
    const chunks = messages.map(line);
    const early = earlyAnswersTo(chunks, prepared);
    expect(early).toHaveLength(2);
    expect(early.join('')).toBe(await answersTo(chunks));
    expect(early.join('')).toBe(await answersTo(chunks, prepared));
  });

  it.each(ORDINARY)('is followed by what the server answers then: $why', async ({ messages }) => {
    const chunks = [...messages, call, 'no JSON\n', { ...list, id: 4 }, hello({}, 5)].map(line);
    expect(inAnyOrder(await answersTo(chunks, prepared))).toEqual(inAnyOrder(await answersTo(chunks)));
  });
});

const ODD: readonly { why: string; messages: readonly (object | string | Buffer)[]; early?: number }[] = [
  { why: 'nothing at all', messages: [] },
  { why: 'a ping first', messages: [{ id: 0, method: 'ping' }, ...OPENING] },
  { why: 'a list first', messages: [list, ...OPENING] },
  { why: 'a call first', messages: [call, ...OPENING] },
  { why: 'the newest revision', messages: [{ id: 1, method: 'server/discover', params: ENVELOPE }] },
  { why: 'an unknown revision', messages: [hello({ protocolVersion: '1999-01-01' }), ready, list] },
  {
    why: 'a revision by a name of Object',
    messages: [hello({ protocolVersion: 'constructor' }), ready, list],
  },
  { why: 'no revision', messages: [{ id: 1, method: 'initialize', params: {} }, ...OPENING] },
  { why: 'a greeting of a greater kind', messages: [hello({ _meta: { x: 1 } }), ready, list] },
  { why: 'a greeting without an id', messages: [{ method: 'initialize', params: INITIALIZE }, ...OPENING] },
  { why: 'an id that is null', messages: [hello({}, null), ...OPENING] },
  { why: 'an id that is a fraction', messages: [hello({}, 1.5), ...OPENING] },
  { why: 'an id that is long', messages: [hello({}, 'x'.repeat(100)), ready, list] },
  { why: 'an id of half a character', messages: [line(hello({}, '@')).replace('@', '\\ud800'), ready, list] },
  { why: 'another version of JSON-RPC', messages: [line(hello()).replace('2.0', '1.0'), ...OPENING] },
  { why: 'an unknown member', messages: [{ ...hello(), more: 1 }, ...OPENING] },
  { why: 'a result beside it', messages: [{ ...hello(), result: {} }, ...OPENING] },
  {
    why: 'an id that stands twice',
    messages: [line(hello()).replace('"id":1', '"id":7,"id":1'), ready, list],
  },
  { why: 'roots that are true', messages: [withCapabilities('{"roots":true}'), ...OPENING] },
  {
    why: 'roots that change by a text',
    messages: [withCapabilities('{"roots":{"listChanged":"yes"}}'), ...OPENING],
  },
  { why: 'sampling that is a list', messages: [withCapabilities('{"sampling":[]}'), ...OPENING] },
  {
    why: 'an experiment that is a number',
    messages: [withCapabilities('{"experimental":{"a":1}}'), ...OPENING],
  },
  { why: 'capabilities that are none', messages: [withCapabilities('null'), ...OPENING] },
  { why: 'capabilities that are a list', messages: [withCapabilities('[]'), ...OPENING] },
  { why: 'capabilities too deep', messages: [withCapabilities(deep(200)), ...OPENING] },
  { why: 'a name that is none', messages: [hello({ clientInfo: { name: 1, version: '1' } }), ...OPENING] },
  { why: 'no version of the client', messages: [hello({ clientInfo: { name: 'x' } }), ...OPENING] },
  {
    why: 'a client with icons',
    messages: [hello({ clientInfo: { name: 'x', version: '1', icons: [] } }), ready, list],
  },
  {
    why: 'a very long name',
    messages: [hello({ clientInfo: { name: 'x'.repeat(9_000), version: '1' } }), ready, list],
  },
  {
    why: 'a name that is no UTF-8',
    messages: [Buffer.from(line(hello()).replace('raw', '\xff'), 'latin1'), ...OPENING],
  },
  { why: 'two values on a line', messages: [line(hello()).replace('\n', '{}\n'), ...OPENING] },
  { why: 'a batch', messages: [line(`[${JSON.stringify(hello())}]\n`), ...OPENING] },
  {
    why: 'a greeting in two pieces',
    messages: [line(hello()).slice(0, 30), line(hello()).slice(30), ready, list],
    early: 2,
  },
  { why: 'a greeting that is cut off by the end', messages: [line(hello()).slice(0, 30)] },
  { why: 'a greeting without its line end', messages: [line(hello()).trimEnd()] },
  { why: 'a blank line between', messages: [hello(), '\n', ready, list], early: 1 },
  { why: 'a second greeting', messages: [hello(), hello({}, 9), ready, list], early: 1 },
  { why: 'a list before the client is ready', messages: [hello(), list, ready], early: 1 },
  { why: 'a ready with an id', messages: [hello(), { ...ready, id: 9 }, list], early: 1 },
  { why: 'a list with a cursor', messages: [hello(), ready, { ...list, params: { cursor: 'x' } }], early: 1 },
  {
    why: 'a list with a cursor that is none',
    messages: [hello(), ready, { ...list, params: { cursor: 5 } }],
    early: 1,
  },
  { why: 'a list with params by position', messages: [hello(), ready, { ...list, params: [] }], early: 1 },
  {
    why: 'a list that is a notification',
    messages: [hello(), ready, { method: 'tools/list' }, list],
    early: 1,
  },
  { why: 'a call before the list', messages: [hello(), ready, call, list], early: 1 },
  { why: 'a second list', messages: [...OPENING, { ...list, id: 3 }], early: 2 },
  {
    why: 'pings behind it',
    messages: [...OPENING, ...Array.from({ length: 100 }, (_, id) => ({ id, method: 'ping' }))],
    early: 2,
  },
  { why: 'an answer to nothing', messages: [hello(), { id: 1, result: {} }, ready, list], early: 1 },
];

describe('any other opening', () => {
  it.each(ODD)('is left to the server from there on: $why', async ({ messages, early = 0 }) => {
    const chunks = messages.map((message) => (Buffer.isBuffer(message) ? message : line(message)));
    expect(earlyAnswersTo(chunks, prepared)).toHaveLength(early);
    for (const pieces of [chunks, [Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))]])
      expect(inAnyOrder(await answersTo(pieces, prepared))).toEqual(inAnyOrder(await answersTo(pieces)));
  });
});

it('ends the connection, and sends nothing more, where the server answers otherwise', async () => {
  const [before, after] = prepared.list;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const other: Prepared = { ...prepared, list: [before, after.replace('}', ' }')] };
  const connection = connect(airlock, { input, output }, other);
  for (const message of [...OPENING, call]) input.write(line(message));
  await expect(connection.ended).rejects.toThrow('the server answers otherwise');
  await connection.end();
  expect(String(output.read()).split('\n')).toHaveLength(3);
  expect(input.destroyed).toBe(true);
});

it('is ended as any other while the server is not loaded', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = connect(airlock, { input, output }, prepared);
  input.write(line(hello()));
  await once(output, 'readable');
  await connection.end();
  await connection.ended;
  expect(String(output.read()).split('\n')).toHaveLength(2);
});

it('tells the server who the client is, and serves it when it has been silent', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = connect(airlock, { input, output }, prepared);
  for (const message of OPENING) input.write(line(message));
  await connection.quiet;
  input.end(line(call));
  await connection.ended;
  expect(String(output.read()).split('\n').slice(2)).toEqual([expect.stringContaining('"id":3'), '']);
});

it.each(SUPPORTED_PROTOCOL_VERSIONS)(
  'the published package has what the server answers to %s',
  async (protocolVersion) => {
    const answers = async (program: string | undefined) => {
      const server = startRaw({ args: ['--root', root.dir, '--read-only'], ...(program && { program }) });
      const chunks: Buffer[] = [];
      server.child.stdout.on('data', (chunk) => chunks.push(chunk));
      for (const message of [hello({ protocolVersion }), ready, list])
        server.child.stdin.write(line(message));
      server.child.stdin.end();
      expect(await server.exit).toEqual({ code: 0, signal: null });
      return String(Buffer.concat(chunks));
    };
    expect(await answers(undefined)).toBe(await answers(DIST_CLI));
  },
);

it('settles what was left in the state directory behind the opening, and before anything else is answered', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const order: string[] = [];
  output.on('data', (chunk) => order.push(...(String(chunk).match(/"id":\d+(?=[,}])/g) ?? [])));
  const connection = connect(
    { ...airlock, recover: () => order.push('settled') },
    { input, output },
    prepared,
  );
  for (const message of OPENING) input.write(line(message));
  await nextTurn();
  input.end(line(call));
  await connection.ended;
  expect(order).toEqual(['"id":1', '"id":2', 'settled', '"id":3']);
});
