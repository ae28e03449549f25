// Writes that nobody meant: two at once, one that was only to be shown, one where writing is forbidden, one on a
// file that has changed since. Through real clients and, where two are needed, two servers.

import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { timesOf } from '../../harness/runs.ts';
import { startProcess } from '../../harness/start-process.ts';
import type { RunningServer } from '../../harness/start-server.ts';
import { offered, openSide, type Side } from './attack.ts';
import { codeIn, leaksOf, makeGround } from './ground.ts';

let side: Side;
beforeAll(async () => {
  side = await openSide(['--log-level', 'info']);
});
afterAll(() => side.close());
afterEach(() => side.ground.refill());

const read = (): string => readFileSync(join(side.ground.root, 'ok.yaml'), 'utf8');

/** The call that a preview offers. */
async function previewed(server: RunningServer, tool: string, args: Readonly<Record<string, unknown>>) {
  const call = offered(await server.callTool(tool, args));
  return () => server.callTool('config_apply', call);
}

const ROUNDS = timesOf(10, 50);

it(`of two servers that write on the same preview, exactly one does, in each of ${ROUNDS} rounds (WORK-006)`, async () => {
  const other = await startProcess({ root: side.ground.root, flags: ['--log-level', 'error'] });
  const servers = [side.server, other];
  for (let round = 0; round < ROUNDS; round++) {
    const calls = await Promise.all(
      servers.map((server, who) =>
        previewed(server, 'config_set', { file: 'ok.yaml', path: 'a', json: `${round}-${who}` }),
      ),
    );
    const codes = (await Promise.all(calls.map((call) => call()))).map(codeIn);
    expect(codes.toSorted()).toEqual(['FILE_CHANGED', 'ok']);
    expect(read()).toBe(`a: ${round}-${codes.indexOf('ok')}\n`);
  }
  expect(readdirSync(side.ground.root).sort()).toEqual(['a', 'ok.yaml']);
  await other.close();
});

it('of two writes on the same preview within one server, exactly one does (WORK-007)', async () => {
  const call = await previewed(side.server, 'config_set', { file: 'ok.yaml', path: 'a', json: 'x' });
  const codes = (await Promise.all(Array.from({ length: 10 }, call))).map(codeIn);
  expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set(['ok', 'PREVIEW_USED']));
});

describe('a file that changed between preview and write', () => {
  it.each([
    { why: 'edited by a person', change: (file: string) => writeFileSync(file, 'a: 1 # mine\n') },
    {
      why: 'other bytes of the same length and times',
      change: (file: string) => {
        const { atime, mtime } = statSync(file);
        writeFileSync(file, 'a: 7\n');
        utimesSync(file, atime, mtime);
      },
    },
    {
      why: 'another file of the same length put in its place',
      change: (file: string) => {
        writeFileSync(`${file}.new`, 'b: 1\n');
        renameSync(`${file}.new`, file);
      },
    },
  ])('$why stays as it is now (WORK-001)', async ({ change }) => {
    const call = await previewed(side.server, 'config_set', { file: 'ok.yaml', path: 'a', json: 2 });
    change(join(side.ground.root, 'ok.yaml'));
    const now = read();
    expect(codeIn(await call())).toBe('FILE_CHANGED');
    expect(read()).toBe(now);
  });

  it('and changed back is what was seen, and is written (WORK-002)', async () => {
    const call = await previewed(side.server, 'config_set', { file: 'ok.yaml', path: 'a', json: 2 });
    for (const text of ['a: 9\n', 'a: 1\n']) writeFileSync(join(side.ground.root, 'ok.yaml'), text);
    expect(codeIn(await call())).toBe('ok');
    expect(read()).toBe('a: 2\n');
  });

  it('is gone is FILE_NOT_FOUND, and is not made anew', async () => {
    const call = await previewed(side.server, 'config_set', { file: 'ok.yaml', path: 'a', json: 2 });
    rmSync(join(side.ground.root, 'ok.yaml'));
    expect(codeIn(await call())).toBe('FILE_NOT_FOUND');
    expect(readdirSync(side.ground.root)).toEqual(['a']);
  });

  it('lets none of a batch be written (WORK-019)', async () => {
    side.ground.write('root/z.yaml', 'a: 1\n');
    const edits = ['ok.yaml', 'a/b/deep.yaml', 'z.yaml'].map((file) => ({
      op: 'set',
      file,
      path: 'a',
      json: 2,
    }));
    const call = await previewed(side.server, 'config_edit', { edits });
    side.ground.write('root/z.yaml', 'a: 1 # mine\n');
    const before = side.ground.inside();
    expect(codeIn(await call())).toBe('FILE_CHANGED');
    expect(side.ground.inside()).toEqual(before);
  });
});

describe('nothing but dry_run: false writes (WORK-017):', () => {
  const values: readonly unknown[] = [0, '', [], {}, 1, 'no', 'FALSE ', { false: false }];

  it.each(values.map((dryRun) => ({ dryRun })))('$dryRun is refused', async ({ dryRun }) => {
    const before = [side.ground.inside(), side.ground.sentinels()];
    for (const way of side.ways.filter(({ kind }) => kind === 'write')) {
      const outcome = await side.server.callTool(way.tool, { ...way.arguments('ok.yaml'), dry_run: dryRun });
      expect([codeIn(outcome), leaksOf(outcome, side.ground)]).toEqual(['ARGUMENT_INVALID', []]);
    }
    expect([side.ground.inside(), side.ground.sentinels()]).toEqual(before);
  });

  it('nothing, true, null, and near misses of its name are previews or refused [SRV-1]', async () => {
    const before = side.ground.inside();
    for (const way of side.ways.filter(({ kind }) => kind === 'write')) {
      const { dry_run: _, ...rest } = way.arguments('ok.yaml');
      const previews = [
        rest,
        { ...rest, dry_run: true },
        { ...rest, dry_run: 'true' },
        { ...rest, dry_run: null },
      ];
      for (const args of previews)
        expect((await side.server.callTool(way.tool, args)).data).toMatchObject({ dry_run: true });
      const misses = 'dryRun dryrun DRY_RUN dry-run apply force confirm approved __proto__'.split(' ');
      for (const name of misses) {
        const args: unknown = JSON.parse(`{${JSON.stringify(name)}: false}`);
        const outcome = await side.server.callTool(way.tool, { ...rest, ...Object(args) });
        // The spread of "__proto__" leaves nothing behind: a preview.
        if (name !== '__proto__') expect(codeIn(outcome), name).toBe('ARGUMENT_INVALID');
      }
    }
    expect(side.ground.inside()).toEqual(before);
  });

  it('there is no tool that approves, applies unseen, or runs anything (WORK-012)', async () => {
    const names = (await side.server.listTools()).map(({ name }) => name);
    expect(names.filter((name) => /approve|exec|run|shell|eval|write_file|delete_file/.test(name))).toEqual(
      [],
    );
    for (const name of ['approve', 'config_approve', 'write_file', 'toString', '__proto__', '']) {
      await expect(side.server.callTool(name, { file: 'ok.yaml' })).rejects.toThrow();
    }
  });
});

describe('in read-only mode', () => {
  it('every write is refused, every preview works, and no request can change the mode (WORK-016)', async () => {
    const server = await startProcess({
      root: side.ground.root,
      flags: ['--read-only', '--log-level', 'info'],
    });
    const before = [side.ground.inside(), side.ground.sentinels()];
    for (const way of side.ways.filter(({ kind }) => kind !== 'cursor')) {
      const outcome = await server.callTool(way.tool, way.arguments('ok.yaml'));
      expect(codeIn(outcome), way.name).toBe(way.kind === 'write' ? 'READ_ONLY' : 'ok');
    }
    for (const more of [{ read_only: false }, { readOnly: false }, { root: '/' }, { allow: ['**'] }]) {
      const args = { file: 'ok.yaml', path: 'a', json: 2, dry_run: false, ...more };
      expect(codeIn(await server.callTool('config_set', args))).toBe('ARGUMENT_INVALID');
    }
    expect([side.ground.inside(), side.ground.sentinels()]).toEqual(before);
    expect(server.log().match(/"event":"write_refused".*"code":"READ_ONLY"/gu)?.length).toBeGreaterThan(0);
    await server.close();
  });

  it.skipIf(!canTrace())(
    'nothing is opened for writing, made, renamed or removed (WORK-016; needs strace)',
    async () => {
      const ground = makeGround();
      const trace = join(ground.base, 'trace');
      const calls =
        'openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,mkdir,mkdirat,truncate,ftruncate,chmod,fchmod,fchmodat,symlink,symlinkat';
      const server = await startProcess({
        root: ground.root,
        flags: ['--read-only', '--log-level', 'error'],
        launcher: ['strace', '-f', '-qq', '-e', `trace=${calls}`, '-o', trace],
      });
      for (const way of side.ways) {
        if (way.kind !== 'cursor') await server.callTool(way.tool, way.arguments('ok.yaml'));
      }
      await server.close();
      // Of a call that another thread interrupts, the first of its two lines has the arguments.
      const lines = readFileSync(trace, 'utf8')
        .split('\n')
        .filter((line) => !line.includes(' resumed>'));
      // Node itself opens no file for writing but what its own terminal and pipes are.
      const changing = lines.filter((line) =>
        /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|^\d+ +(?:f?truncate|creat|rename|unlink|link|mkdir|symlink|f?chmod)/.test(
          line,
        ),
      );
      const ours = changing.filter(
        (line) => !/\/dev\/(?:null|tty|pts)|ENOENT|\/cgroup|coredump_filter|O_TMPFILE/.test(line),
      );
      expect(ours).toEqual([]);
      expect(lines.some((line) => line.includes('ok.yaml'))).toBe(true);
      ground.remove();
    },
  );
});

describe('in its usual mode', () => {
  it.skipIf(!canTrace())(
    'what is refused is never opened: no call reaches its name but to look (PATH-036; needs strace) [CON-2]',
    async () => {
      const ground = makeGround();
      const trace = join(ground.base, 'trace');
      spawnSync('mkfifo', [join(ground.root, 'fifo.yaml')]);
      mkdirSync(join(ground.root, '.git'));
      writeFileSync(join(ground.root, '.git/c.yaml'), 'a: 1\n');
      const server = await startProcess({
        root: ground.root,
        flags: ['--log-level', 'error'],
        launcher: ['strace', '-f', '-qq', '-y', '-s', '200', '-e', 'trace=file', '-o', trace],
      });
      for (const file of [
        'fifo.yaml',
        '.git/c.yaml',
        '../outside/s.yaml',
        join(ground.base, 'outside/s.yaml'),
      ]) {
        for (const way of side.ways) await server.callTool(way.tool, way.arguments(file));
      }
      await server.close();
      // Where another thread comes between, a call has a second line, and its flags stand on the first.
      const lines = readFileSync(trace, 'utf8')
        .split('\n')
        .filter((line) => !line.includes(' resumed>'));
      const about = (name: string): readonly string[] => lines.filter((line) => line.includes(name));
      expect(about('fifo.yaml').length).toBeGreaterThan(0);
      for (const line of about('fifo.yaml')) expect(line).toMatch(/O_PATH|stat/);
      // Refused by their text alone: the system is not even asked.
      // A file of the same name inside the root may be sought for advice.
      expect(about('.git')).toEqual([]);
      expect(about(join(ground.base, 'outside'))).toEqual([]);
      ground.remove();
    },
  );
});

describe('a root that is', () => {
  const roots = ['/', '/proc/self', homedir(), '/proc/self/root', '/proc/self/cwd/..', '//'];

  it.each(roots)('%s is refused at the start, in one line (PATH-039) [CON-5]', async (root) => {
    await expect(startProcess({ root, env: { HOME: homedir() } })).rejects.toThrow(
      /^The server did not start: config-airlock: [^\n]+\n$/,
    );
  });
});

it('running as root is warned of, and as nobody it is not (ENVI-004)', () => {
  const isRoot = process.geteuid?.() === 0;
  expect(side.server.log().includes('running_as_root')).toBe(isRoot);
});

function canTrace(): boolean {
  return spawnSync('strace', ['-f', '-e', 'trace=openat', '-o', '/dev/null', 'true']).status === 0;
}
