// Stdout belongs to the protocol: every line is a JSON-RPC frame of ours, whatever is printed.
import { afterAll, expect, it } from 'vitest';
import { startGreeted, startRaw } from '../../harness/raw-server.ts';
import { FIXTURE } from '../../harness/start-process.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const root = tempRoot();
afterAll(() => root.remove());

it('sends what a dependency prints to stderr (PROT-012) [SRV-10]', async () => {
  const server = await startGreeted({ args: ['--root', root.dir], program: FIXTURE });
  // `next` parses every line strictly, so a stray one fails here.
  const answer = await server.request(1, 'tools/call', { name: 'print', arguments: {} });
  expect(answer.result).toMatchObject({ content: [{ text: 'printed' }] });
  server.child.stdin.end();
  await server.exit;
  expect(await server.stderr()).toContain('stray words of a dependency');
  expect(await server.stderr()).toContain('forged');
});

it('sends well-formed Unicode even for half a surrogate pair', async () => {
  const server = await startGreeted({ args: ['--root', root.dir], program: FIXTURE });
  server.send('{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}');
  expect(await server.next()).toMatchObject({ id: null, error: { code: -32600 } });
  server.send(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a\\udfffb"}}}',
  );
  expect((await server.next()).result).toMatchObject({ content: [{ text: 'a\uFFFDb' }] });
  server.child.stdin.end();
  await server.exit;
});

it('tells the log where in our own code a bug was, and nobody what it said (PROT-016)', async () => {
  const server = await startGreeted({ args: ['--root', root.dir], program: FIXTURE });
  const { result } = await server.request(1, 'tools/call', { name: 'fail', arguments: {} });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'INTERNAL' } } });
  server.child.stdin.end();
  await server.exit;
  expect(await server.stderr()).toMatch(
    /"reason":"engine\/inline-engine\.js:\d+ < engine\/inline-engine\.js:\d+/,
  );
  expect((await server.stderr()) + JSON.stringify(result)).not.toContain('hunter2');
});

it('prints nothing but frames through a whole session in bytes', async () => {
  const server = startRaw({ args: ['--root', root.dir], program: FIXTURE });
  const chunks: Buffer[] = [];
  server.child.stdout.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  for (const line of ['nope', '[]', '{"jsonrpc":"2.0","id":1,"method":"ping"}', '{}']) server.send(line);
  server.child.stdin.end();
  await server.exit;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  expect(text.endsWith('\n')).toBe(true);
  const frames = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(frames).toHaveLength(4);
  for (const frame of frames) expect(frame).toMatchObject({ jsonrpc: '2.0' });
});
