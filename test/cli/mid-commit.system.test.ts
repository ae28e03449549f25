// ENVI-009: a signal, or a client that is gone, in the middle of a commit: the commit is carried to its end, and
// then the process ends cleanly. And what the next start brings in order it says where the operator looks.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { jsonLines } from '../harness/json-lines.ts';
import { startGreeted } from '../harness/raw-server.ts';
import { ISOLATED } from '../harness/start-process.ts';
import { trailOf } from '../harness/state.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { eventually } from '../harness/wait.ts';

const FILES = ['a.yaml', 'd/b.yaml', 'd/c.yaml'];
const CLEAN = { code: 0, signal: null };
/** Moments of the commit: when it takes a lock, before its renames, and among them. */
const SIGNALS = [
  { signal: 'SIGINT', before: 'linkSync /.config-airlock.lock' },
  { signal: 'SIGTERM', before: 'renameSync /a.yaml' },
  { signal: 'SIGHUP', before: 'renameSync /b.yaml' },
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

const CALL = {
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: {
    name: 'config_edit',
    arguments: { edits: FILES.map((file) => ({ op: 'set', file, path: 'a', value: 'new' })), dry_run: false },
  },
};

/** A server that gets a signal before this call to the disk. */
function signalled(before: string, signal: string, { root, stateDir }: ReturnType<typeof prepared>) {
  const env = { AIRLOCK_STATE_DIR: stateDir, SIGNAL_AT: `${before} ${signal}` };
  return startGreeted({ program: ISOLATED, args: ['--root', root.dir], env });
}

it.skipIf(process.platform === 'win32').each(SIGNALS)(
  'ends after the commit at $signal in the middle of it, before $before [WRT-7]',
  async ({ signal, before }) => {
    const at = prepared();
    const server = await signalled(before, signal, at);
    server.send(CALL);
    expect(await server.exit).toEqual(CLEAN);
    expect([new Set(at.texts()), at.left()]).toEqual([new Set(['a: new\n']), []]);
    expect(await server.stderr()).toContain('"event":"stopped"');
  },
);

it.skipIf(process.platform === 'win32')('goes on at SIGPIPE, which it does not heed', async () => {
  const at = prepared();
  const server = await signalled('renameSync /b.yaml', 'SIGPIPE', at);
  server.send(CALL);
  expect(await server.next()).toMatchObject({ id: 1 });
  expect([new Set(at.texts()), at.left()]).toEqual([new Set(['a: new\n']), []]);
  server.child.stdin.end();
  expect(await server.exit).toEqual(CLEAN);
});

it('ends after the commit where nobody reads its answer any more', async () => {
  const at = prepared();
  const server = await signalled('renameSync /b.yaml', 'SIGPIPE', at);
  server.child.stdout.destroy();
  server.send(CALL);
  // What has not begun some seconds after the end of input is not done: by then it is recorded.
  await eventually(() => expect(trailOf(at.stateDir).map(({ type }) => type)).toContain('begun'));
  server.child.stdin.end();
  expect(await server.exit).toEqual(CLEAN);
  expect([new Set(at.texts()), at.left()]).toEqual([new Set(['a: new\n']), []]);
});

it('says on stderr what it brought in order, also where the log is a file [WRT-7]', async () => {
  const at = prepared();
  const killed = await signalled('renameSync /c.yaml', 'SIGKILL', at);
  killed.send(CALL);
  expect(await killed.exit).toEqual({ code: null, signal: 'SIGKILL' });
  expect(at.left()).not.toEqual([]);
  const args = ['--log-file', at.log, '--root', at.root.dir];
  const server = await startGreeted({ args, env: { AIRLOCK_STATE_DIR: at.stateDir } });
  server.child.stdin.end();
  const lines = (await server.stderr()).split('\n').filter(Boolean);
  expect(lines).toHaveLength(1);
  for (const text of [lines[0], readFileSync(at.log, 'utf8')])
    expect(jsonLines(text ?? '')).toContainEqual(
      expect.objectContaining({ event: 'recovered', state: 'undone', count: 3 }),
    );
  expect([new Set(at.texts()), at.left()]).toEqual([new Set(['a: old\n']), []]);
});
