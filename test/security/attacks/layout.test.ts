// What stands on the disk and is no plain file, through a real client and every tool that takes a file.
// Each row proves first that plain file access would have gone through.

import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../harness/start-server.ts';
import { attack, offered, openSide, type Side } from './attack.ts';
import { CANARY, codeIn, leaksOf, makeGround } from './ground.ts';
import { isPossible, LAYOUTS, type LayoutRow } from './layout-rows.ts';

let side: Side;
let socket: Server;
beforeAll(async () => {
  side = await openSide(['--log-level', 'error'], (ground) => {
    for (const layout of LAYOUTS.filter(isPossible)) layout.make(ground);
  });
  // Bound before the server reads anything, and left listening.
  socket = createServer().listen(join(side.ground.root, 'sock.yaml'));
  await once(socket, 'listening');
});
afterAll(async () => {
  await side.close();
  socket.close();
});

async function expectRefused(files: readonly string[], code: string): Promise<void> {
  const { ground } = side;
  const before = [ground.sentinels(), ground.inside()];
  for (const { isCursor, ...answer } of await attack(side, files)) {
    expect(answer, answer.asked).toMatchObject({ code: isCursor ? 'ok' : code, leaks: [] });
  }
  expect([ground.sentinels(), ground.inside()]).toEqual(before);
  expect(existsSync(join(ground.base, 'outside/new.yaml'))).toBe(false);
  expect(await side.server.callTool('config_get', { file: 'ok.yaml' })).toMatchObject({ text: 'a: 1\n' });
}

describe('a path to', () => {
  for (const row of LAYOUTS) {
    it.skipIf(!isPossible(row))(`${row.why} is ${row.code} (${row.id})`, async () => {
      const { files, code, naive } = row;
      if (naive !== 'hangs') expect(naively(join(side.ground.root, files[0] ?? ''))).toBe(naive);
      await expectRefused(files, code);
    });
  }

  it('a socket is NOT_REGULAR_FILE (PATH-035)', () => expectRefused(['sock.yaml'], 'NOT_REGULAR_FILE'));

  it('none of these is listed', async () => {
    const { data } = await side.server.callTool('config_list', { limit: 500 });
    expect(data).toMatchObject({ truncated: false });
    const files = Array.isArray(data['files']) ? data['files'].map(({ file }) => file) : [];
    // A file is listed by its kind and links; its size is told beside it.
    expect(files).toEqual(['a/b/deep.yaml', 'ok.yaml', 'sparse.yaml']);
  });

  it('a FIFO keeps nobody waiting: eight at once, then an ordinary one (PATH-034) [CON-2]', async () => {
    const calls = Array.from({ length: 8 }, () => side.server.callTool('config_get', { file: 'fifo.yaml' }));
    const codes = (await Promise.all(calls)).map(codeIn);
    expect(codes).toEqual(Array.from({ length: 8 }, () => 'NOT_REGULAR_FILE'));
    expect(await side.server.callTool('config_get', { file: 'ok.yaml' })).toMatchObject({ text: 'a: 1\n' });
  });
});

it('a link is refused in the same words wherever it leads (PATH-023) [DIS-3]', async () => {
  const { root } = side.ground;
  const targets = [
    '../outside/s.yaml',
    '../outside/none.yaml',
    '/etc/passwd',
    '/root',
    '/nowhere',
    '.git/c.yaml',
    'ok.yaml',
    '../outside',
    'x'.repeat(250),
  ];
  const seen = new Set<string>();
  for (const target of targets) {
    symlinkSync(target, join(root, 'l.yaml'));
    symlinkSync(target, join(root, 'd'));
    const answers = await attack(side, ['l.yaml', 'd/s.yaml']);
    seen.add(JSON.stringify(answers));
    unlinkSync(join(root, 'l.yaml'));
    unlinkSync(join(root, 'd'));
  }
  expect(seen.size).toBe(1);
});

it('a target that became a link between preview and write stays untouched (FILE-031) [CON-2]', async () => {
  const { ground, server } = side;
  for (const target of ['../outside/s.yaml', '../outside/fresh.yaml', 'ok.yaml']) {
    const file = ground.write('root/turns.yaml', 'a: 1\n');
    const preview = await server.callTool('config_set', { file: 'turns.yaml', path: 'a', value: '2' });
    unlinkSync(file);
    symlinkSync(target, file);
    const before = [ground.sentinels(), ground.inside()];
    const outcome = await server.callTool('config_apply', offered(preview));
    expect(codeIn(outcome)).toBe('SYMLINK_REFUSED');
    expect([ground.sentinels(), ground.inside()]).toEqual(before);
    unlinkSync(file);
  }
});

it('a folder that was swapped between preview and write is not written to (WORK-003)', async () => {
  const { ground, server } = side;
  const { root, base } = ground;
  ground.write('root/f/x.yaml', 'a: 1\n');
  ground.write('outside/f/x.yaml', 'a: 1\n');
  const preview = await server.callTool('config_set', { file: 'f/x.yaml', path: 'a', value: '2' });
  renameSync(join(root, 'f'), join(root, 'g'));
  symlinkSync('../outside/f', join(root, 'f'));
  const before = [ground.sentinels(), ground.inside()];
  expect(codeIn(await server.callTool('config_apply', offered(preview)))).toBe('SYMLINK_REFUSED');
  expect([ground.sentinels(), ground.inside()]).toEqual(before);
  expect(readFileSync(join(base, 'outside/f/x.yaml'), 'utf8')).toBe('a: 1\n');
});

describe('a root', () => {
  it('that is a link is resolved once: where the link leads later changes nothing (PATH-030) [CON-4]', async () => {
    const ground = makeGround();
    const link = join(ground.base, 'link');
    symlinkSync('root', link);
    const server = await startServer({ root: link });
    unlinkSync(link);
    symlinkSync('outside', link);
    const before = ground.sentinels();
    expect(await server.callTool('config_get', { file: 'ok.yaml' })).toMatchObject({ text: 'a: 1\n' });
    expect(codeIn(await server.callTool('config_get', { file: 's.yaml' }))).toBe('FILE_NOT_FOUND');
    expect(
      codeIn(await server.callTool('config_set', { file: 'ok.yaml', path: 'a', value: '2', dry_run: false })),
    ).toBe('ok');
    expect(ground.sentinels()).toEqual(before);
    expect(readFileSync(join(ground.root, 'ok.yaml'), 'utf8')).toBe('a: 2\n');
    await server.close();
    ground.remove();
  });

  it('that was renamed is followed or refused, and whoever took its name is not served (PATH-031) [CON-4]', async () => {
    const ground = makeGround();
    const server = await startServer({ root: ground.root });
    renameSync(ground.root, join(ground.base, 'moved'));
    expect(['ok', 'IO_ERROR']).toContain(codeIn(await server.callTool('config_get', { file: 'ok.yaml' })));
    expect(existsSync(ground.root)).toBe(false);
    ground.write('root/ok.yaml', `a: ${CANARY}\n`);
    ground.write('root/new.yaml', `a: ${CANARY}\n`);
    const before = [ground.sentinels(), ground.inside()];
    const ways = await attack({ ground, server, ways: side.ways, close: server.close }, [
      'ok.yaml',
      'new.yaml',
    ]);
    for (const answer of ways) {
      expect(['ok', 'IO_ERROR', 'FILE_NOT_FOUND'], answer.asked).toContain(answer.code);
      expect(answer.reply).not.toContain(CANARY);
    }
    expect([ground.sentinels(), ground.inside()]).toEqual(before);
    await server.close();
    ground.remove();
  });

  it('that was deleted answers IO_ERROR, and is not brought back (PATH-032)', async () => {
    const ground = makeGround();
    const server = await startServer({ root: ground.root });
    rmSync(ground.root, { recursive: true });
    for (const answer of await attack({ ground, server, ways: side.ways, close: server.close }, [
      'ok.yaml',
      'a/b.yaml',
    ])) {
      expect(answer, answer.asked).toMatchObject({ code: 'IO_ERROR', leaks: [] });
    }
    expect(codeIn(await server.callTool('config_list'))).toBe('IO_ERROR');
    expect(codeIn(await server.callTool('list_capabilities'))).toBe('ok');
    expect(existsSync(ground.root)).toBe(false);
    mkdirSync(ground.root);
    writeFileSync(join(ground.root, 'ok.yaml'), `a: ${CANARY}\n`);
    const outcome = await server.callTool('config_get', { file: 'ok.yaml' });
    expect([codeIn(outcome), leaksOf(outcome, ground)]).toEqual(['IO_ERROR', []]);
    await server.close();
    ground.remove();
  });
});

function naively(path: string): LayoutRow['naive'] {
  try {
    return readFileSync(path, 'utf8').includes(CANARY) ? 'reads a canary' : 'reads';
  } catch {
    return 'fails';
  }
}
