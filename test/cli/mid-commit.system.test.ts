// ENVI-009: a signal, or a client that is gone, in the middle of a commit: the commit is carried to its end, and
// then the process ends cleanly. And what the next start brings in order it says where the operator looks.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGreeted } from '../harness/raw-server.ts';
import { ISOLATED } from '../harness/start-process.ts';
import { tempRoot } from '../harness/temp-root.ts';

const FILES = ['a.yaml', 'd/b.yaml', 'd/c.yaml'];
const CLEAN = { code: 0, signal: null };
/** Early, between the temporary files and the record, and among the renames. */
const SIGNALS = [
  { signal: 'SIGTERM', step: 60 },
  { signal: 'SIGINT', step: 5 },
  { signal: 'SIGHUP', step: 90 },
];

function prepared() {
  const root = tempRoot(Object.fromEntries(FILES.map((file) => [file, 'a: old\n'])));
  onTestFinished(() => root.remove());
  const texts = () => FILES.map((file) => readFileSync(join(root.dir, file), 'utf8'));
  const left = () =>
    readdirSync(root.dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.config-airlock'),
    );
  return { root, texts, left };
}

const call = (step: number, signal: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'commit_until', arguments: { files: FILES, text: 'a: new\n', step, signal } },
});

it.skipIf(process.platform === 'win32').each(SIGNALS)(
  'ends after the commit at $signal in the middle of it, at call $step [WRT-7]',
  async ({ signal, step }) => {
    const { root, texts, left } = prepared();
    const server = await startGreeted({ program: ISOLATED, args: ['--root', root.dir] });
    server.send(call(step, signal));
    expect(await server.exit).toEqual(CLEAN);
    expect([new Set(texts()), left()]).toEqual([new Set(['a: new\n']), []]);
    expect(await server.stderr()).toContain('"event":"stopped"');
  },
);

it.skipIf(process.platform === 'win32')('goes on at SIGPIPE, which it does not heed', async () => {
  const { root, texts, left } = prepared();
  const server = await startGreeted({ program: ISOLATED, args: ['--root', root.dir] });
  server.send(call(60, 'SIGPIPE'));
  expect(await server.next()).toMatchObject({ id: 1 });
  expect([new Set(texts()), left()]).toEqual([new Set(['a: new\n']), []]);
  server.child.stdin.end();
  expect(await server.exit).toEqual(CLEAN);
});

it('ends after the commit where nobody reads its answer any more', async () => {
  const { root, texts, left } = prepared();
  const server = await startGreeted({ program: ISOLATED, args: ['--root', root.dir] });
  server.child.stdout.destroy();
  server.send(call(60, 'SIGPIPE'));
  // From here on the commit has begun: what has not begun some seconds after the end of input is not done.
  await server.logged('audit');
  server.child.stdin.end();
  expect(await server.exit).toEqual(CLEAN);
  expect([new Set(texts()), left()]).toEqual([new Set(['a: new\n']), []]);
});

it('says on stderr what it brought in order, also where the log is a file [WRT-7]', async () => {
  const { root, left } = prepared();
  const logs = tempRoot();
  onTestFinished(() => logs.remove());
  writeFileSync(join(root.dir, `.config-airlock-${'ab'.repeat(12)}.new`), 'half');
  const log = join(logs.dir, 'log.jsonl');
  const server = await startGreeted({ args: ['--root', root.dir, '--log-file', log] });
  server.child.stdin.end();
  const lines = (await server.stderr()).split('\n').filter(Boolean);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"event":"leftovers_swept","count":1');
  expect(readFileSync(log, 'utf8')).toContain('"event":"leftovers_swept","count":1');
  expect(left()).toEqual([]);
});
