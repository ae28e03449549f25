// The thread that serves the calls, through the built command: whatever it does, the server goes on, in the
// same process, and answers the next call.
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { type Frame, type RawServer, startGreeted } from '../harness/raw-server.ts';
import { ISOLATED } from '../harness/start-process.ts';
import { keptIn, openIn } from '../harness/state.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { startToolProcess, type ToolServer } from '../harness/tool-server.ts';

describe('a thread of its own', () => {
  let server: ToolServer;
  beforeAll(async () => {
    server = await startToolProcess({ program: ISOLATED, files: { 'a.yaml': 'a: 1\n' } });
  });
  afterAll(() => server.close());

  it('serves the calls, locked down and without an environment [SRV-5] [SRV-7]', async () => {
    expect((await server.ok('thread')).text).toBe('own');
    expect(JSON.parse((await server.ok('globals')).text)).toEqual({
      isLocked: true,
      canEvaluate: false,
      env: 0,
    });
  });

  // Only Linux tells of one thread what it has computed.
  it.runIf(process.platform === 'linux')(
    'counts what the thread itself computes: a step may wait while others compute [SRV-3]',
    async () => {
      expect((await server.ok('wait')).text).toBe('waited');
    },
  );

  test.each([
    { why: 'a step that never ends', tool: 'spin', code: 'TIMEOUT' },
    { why: 'a call whose steps never end', tool: 'wander', code: 'TIMEOUT' },
    { why: 'more memory than there is', tool: 'fill', code: 'LIMIT_EXCEEDED' },
    { why: 'an end that nobody foresaw', tool: 'exit', code: 'INTERNAL' },
    { why: 'a bug of the other thread', tool: 'ask_wrongly', code: 'INTERNAL' },
  ])('is there again after $why, and the next call is answered [SRV-8]', async ({ tool, code }) => {
    expect(await server.refused(tool)).toMatchObject({ code });
    expect((await server.ok('config_get', { file: 'a.yaml', path: 'a' })).text).toContain('1');
  });

  it('serves a call again, in a fresh thread, where what earlier calls left has taken the memory [SRV-8]', async () => {
    for (let n = 0; n < 4; n++) expect((await server.ok('hoard')).text).toBe('kept');
  });

  it('leaves nothing behind where it ends while what it has asked for is written [SRV-8]', async () => {
    const refusal = await server.refused('exit_in_write', { file: 'a.yaml', text: 'a: 2\n' });
    expect(refusal).toMatchObject({ code: 'INTERNAL' });
    expect(String(refusal['message'])).toContain('Cannot say whether exit_in_write has written');
    // The next call waits for that write.
    await server.ok('config_set', { file: 'a.yaml', path: 'a', value: '3', dry_run: false });
    expect(server.disk('a.yaml')).toBe('a: 3\n');
    expect(keptIn(server.state, 'changes')).toHaveLength(2);
    expect(openIn(server.state)).toEqual([]);
  });

  it('prints nothing to stdout', async () => {
    expect((await server.ok('print')).text).toBe('printed');
    expect((await server.ok('thread')).text).toBe('own');
  });
});

describe('the protocol', () => {
  const root = tempRoot({ 'a.yaml': 'a: 1\n' });
  let server: RawServer;
  beforeAll(async () => {
    server = await startGreeted({ program: ISOLATED, args: ['--root', root.dir] });
  });
  afterAll(() => root.remove());

  const call = (id: number, name: string, args: object = {}) =>
    server.send({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args, _meta: { progressToken: id } },
    });

  it('goes on while the thread hangs: a ping is answered before the call is [SRV-7]', async () => {
    call(1, 'spin');
    server.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(await server.next()).toMatchObject({ id: 2, result: {} });
    expect(await server.next()).toMatchObject({ id: 1, result: { isError: true } });
  });

  it('brings an argument called __proto__ into the thread, which refuses it', async () => {
    const params = '{"name":"config_get","arguments":{"file":"a.yaml","__proto__":{"path":"a"}}}';
    server.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    const error = { code: 'ARGUMENT_INVALID' };
    expect(await server.next()).toMatchObject({ result: { structuredContent: { error } } });
  });

  it('brings a cancellation into the thread: what was cancelled ends and is not answered', async () => {
    call(1, 'wander');
    // Its first word: it runs.
    expect(await server.next()).toMatchObject({ method: 'notifications/progress' });
    server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    call(2, 'thread');
    expect(await server.next()).toMatchObject({ id: 2, result: { content: [{ text: 'own' }] } });
  });
});

it('pings are answered between the steps of a search, a preview and a write of many files [SRV-7]', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `d${index % 20}/f${index}.yaml`);
  const root = tempRoot(Object.fromEntries(names.map((name) => [name, 'replicas: 2 # ours\n'])));
  onTestFinished(() => root.remove());
  const server = await startGreeted({ args: ['--root', root.dir] });
  const edits = [{ op: 'set', file: '**/*.yaml', path: 'replicas', value: '3' }];
  let id = 1;
  for (const [name, args] of [
    ['config_search', { text: 'ours' }],
    ['config_edit', { edits }],
    ['config_edit', { edits, dry_run: false }],
  ] as const) {
    const asked = id;
    server.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    // One at a time, so that each is answered while this thread has a moment.
    const began = performance.now();
    let [last, longest, pings] = [began, 0, -1];
    let answer: Frame | undefined;
    do {
      pings += 1;
      id += 1;
      server.send({ jsonrpc: '2.0', id, method: 'ping' });
      answer = await server.next();
      const now = performance.now();
      [last, longest] = [now, Math.max(longest, now - last)];
    } while (answer.id !== asked);
    expect(answer.result, name).not.toMatchObject({ isError: true });
    expect(pings, name).toBeGreaterThan(3);
    // A share of the call, which is the same on a busy machine.
    expect(longest / (last - began), name).toBeLessThan(0.34);
    // The last ping is still to be answered.
    await server.next();
    id += 1;
  }
  server.child.stdin.end();
  await server.exit;
});

describe('a file that keeps the thread busy for ever', () => {
  const NAMES = ['a', 'hang-b', 'c', 'hang-d', 'e'].map((name) => `${name}.yaml`);
  let server: ToolServer;
  beforeAll(async () => {
    const files = Object.fromEntries(NAMES.map((file) => [file, 'image: nginx:1\n']));
    server = await startToolProcess({ program: ISOLATED, files });
  });
  afterAll(() => server.close());

  /** The files that a call over many has told of, on all of its pages. */
  const told = async (tool: string, args: object): Promise<string> => {
    const texts: string[] = [];
    for (let cursor: unknown; ; ) {
      const { text, data } = await server.ok(tool, { ...args, ...(cursor === undefined ? {} : { cursor }) });
      texts.push(text);
      cursor = data['next_cursor'];
      if (cursor === undefined) return texts.join('\n');
    }
  };

  test.each([
    { tool: 'config_search', args: { key: 'image' }, found: /^[ace]\.yaml:1 {2}image = nginx:1$/gmu },
    { tool: 'config_validate', args: { pattern: '**' }, found: /^hang-[bd]\.yaml: TIMEOUT: /gmu },
  ])('is named by $tool $args, which tells of all others [SRV-8]', async ({ tool, args, found }) => {
    const text = await told(tool, args);
    expect(text.match(found)).toHaveLength(tool === 'config_search' ? 3 : 2);
    for (const file of ['hang-b.yaml', 'hang-d.yaml']) expect(text).toContain(file);
  });

  it.each([
    { why: 'that names it', call: ['config_get', { file: 'hang-b.yaml' }] },
    { why: 'that would write it', call: ['config_edit', { edits: [setting('*.yaml')], dry_run: false }] },
  ] as const)('is named in the TIMEOUT of a call $why [SRV-3]', async ({ call: [tool, args] }) => {
    const error = await server.refused(tool, args);
    expect(error).toMatchObject({ code: 'TIMEOUT' });
    expect(String(error['message'])).toContain('"hang-b.yaml"');
    expect(NAMES.map((name) => server.disk(name))).toEqual(NAMES.map(() => 'image: nginx:1\n'));
  });
});

function setting(file: string) {
  return { op: 'set', file, path: 'image', value: 'nginx:2' };
}
