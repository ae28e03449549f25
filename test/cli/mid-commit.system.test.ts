// ENVI-009: a signal, or a client that is gone, in the middle of a commit: the commit is carried to its end, and
// then the process ends cleanly. And what the next start brings in order it says where the operator looks.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { jsonLines } from '../harness/json-lines.ts';
import { type RawServer, startGreeted } from '../harness/raw-server.ts';
import { ISOLATED } from '../harness/start-process.ts';
import { trailOf } from '../harness/state.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { eventually } from '../harness/wait.ts';

const FILES = ['a.yaml', 'd/b.yaml', 'd/c.yaml'];
const CLEAN = { code: 0, signal: null };
/** Parts of the commit: early, before the renames, and among them. */
const SIGNALS = [
  { signal: 'SIGTERM', part: 0.5 },
  { signal: 'SIGINT', part: 0.05 },
  { signal: 'SIGHUP', part: 0.85 },
];

function prepared() {
  const root = tempRoot(Object.fromEntries(FILES.map((file) => [file, 'a: old\n'])));
  const beside = tempRoot();
  onTestFinished(() => {
    root.remove();
    beside.remove();
  });
  const texts = () => FILES.map((file) => readFileSync(join(root.dir, file), 'utf8'));
  const left = () =>
    readdirSync(root.dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.config-airlock'),
    );
  return { root, texts, left, stateDir: join(beside.dir, 'state'), log: join(beside.dir, 'log.jsonl') };
}

const commit = (text: string, step = 0, signal?: string) => ({
  name: 'commit_until',
  arguments: { files: FILES, text: `a: ${text}\n`, step, ...(signal === undefined ? {} : { signal }) },
});
const call = (step: number, signal: string) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: commit('new', step, signal),
});

/** How many calls to the disk such a commit makes. */
async function stepsOf(server: RawServer): Promise<number> {
  // The first one of a thread makes some calls that the next ones need not.
  await server.request(2, 'tools/call', commit('first'));
  const { result } = await server.request(3, 'tools/call', commit('second'));
  return z.object({ content: z.tuple([z.object({ text: z.coerce.number().min(20) })]) }).parse(result)
    .content[0].text;
}

it.skipIf(process.platform === 'win32').each(SIGNALS)(
  'ends after the commit at $signal in the middle of it, after $part of its calls [WRT-7]',
  async ({ signal, part }) => {
    const { root, texts, left } = prepared();
    const server = await startGreeted({ program: ISOLATED, args: ['--root', root.dir] });
    server.send(call(Math.round(part * (await stepsOf(server))), signal));
    expect(await server.exit).toEqual(CLEAN);
    expect([new Set(texts()), left()]).toEqual([new Set(['a: new\n']), []]);
    expect(await server.stderr()).toContain('"event":"stopped"');
  },
);

it.skipIf(process.platform === 'win32')('goes on at SIGPIPE, which it does not heed', async () => {
  const { root, texts, left } = prepared();
  const server = await startGreeted({ program: ISOLATED, args: ['--root', root.dir] });
  server.send(call(Math.round((await stepsOf(server)) / 2), 'SIGPIPE'));
  expect(await server.next()).toMatchObject({ id: 1 });
  expect([new Set(texts()), left()]).toEqual([new Set(['a: new\n']), []]);
  server.child.stdin.end();
  expect(await server.exit).toEqual(CLEAN);
});

it('ends after the commit where nobody reads its answer any more', async () => {
  const { root, texts, left, stateDir } = prepared();
  const env = { AIRLOCK_STATE_DIR: stateDir };
  const server = await startGreeted({ program: ISOLATED, args: ['--root', root.dir], env });
  const half = Math.round((await stepsOf(server)) / 2);
  server.child.stdout.destroy();
  server.send(call(half, 'SIGPIPE'));
  // What has not begun some seconds after the end of input is not done: by then it is recorded.
  await eventually(() => expect(trailOf(stateDir).filter(({ type }) => type === 'begun')).toHaveLength(3));
  server.child.stdin.end();
  expect(await server.exit).toEqual(CLEAN);
  expect([new Set(texts()), left()]).toEqual([new Set(['a: new\n']), []]);
});

it('says on stderr what it brought in order, also where the log is a file [WRT-7]', async () => {
  const { root, texts, left, stateDir, log } = prepared();
  const started = { args: ['--root', root.dir], env: { AIRLOCK_STATE_DIR: stateDir } };
  const killed = await startGreeted({ ...started, program: ISOLATED });
  const step = Math.round((await stepsOf(killed)) * 0.85);
  killed.send(call(step, 'SIGKILL'));
  expect(await killed.exit).toEqual({ code: null, signal: 'SIGKILL' });
  expect(left()).not.toEqual([]);
  const server = await startGreeted({ ...started, args: ['--log-file', log, ...started.args] });
  server.child.stdin.end();
  const lines = (await server.stderr()).split('\n').filter(Boolean);
  expect(lines).toHaveLength(1);
  for (const text of [lines[0], readFileSync(log, 'utf8')])
    expect(jsonLines(text ?? '')).toContainEqual(
      expect.objectContaining({ event: 'recovered', state: 'undone', count: 3 }),
    );
  expect([new Set(texts()), left()]).toEqual([new Set(['a: second\n']), []]);
});
