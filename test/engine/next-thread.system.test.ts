// The thread after one that ended: it brings in order what was left in the middle of a commit before any call
// is served, though the process that the lock names lives; and it serves the same roots, wherever they are
// by now. Needs Linux and `npm run build`.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timesOf } from '../harness/runs.ts';
import { ISOLATED } from '../harness/start-process.ts';
import { keptIn, openIn } from '../harness/state.ts';
import { startToolProcess, type ToolServer } from '../harness/tool-server.ts';

const FILES = ['a.yaml', 'd/b.yaml', 'd/c.yaml'];
/** Parts of a commit, from its first system call to its last. */
const PARTS = [0.02, 0.15, 0.3, 0.45, 0.55, 0.62, 0.7, 0.78, 0.86, 0.93, 0.97, 1].filter(
  (_, index) => index % timesOf(2, 1) === timesOf(1, 0),
);

describe.skipIf(process.platform !== 'linux')('the thread after one that ended', () => {
  let server: ToolServer;
  beforeEach(async () => {
    const files = Object.fromEntries(FILES.map((file) => [file, 'a: old\n']));
    server = await startToolProcess({ program: ISOLATED, files });
  });
  afterEach(() => server.close());

  const commit = (text: string, step = 0) => ({ files: FILES, text: `a: ${text}\n`, step });
  const seen = async () => {
    const reads = FILES.map((file) => server.ok('config_get', { file, path: 'a' }));
    const texts = (await Promise.all(reads)).map(({ data }) => String(data['source']));
    return [...new Set(texts)].join(' and ');
  };

  const left = () =>
    readdirSync(server.root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.config-airlock'),
    );

  it('finds all files old or all new after a death at any step of a commit, and can write [SRV-9]', async () => {
    // The first one of a thread makes some calls that the next ones need not.
    await server.ok('commit_until', commit('first'));
    const steps = Number((await server.ok('commit_until', commit('0'))).text);
    const outcomes = new Set<string>();
    let before = '0';
    for (const [index, part] of PARTS.entries()) {
      const now = String(index + 1);
      const step = Math.max(1, Math.round(steps * part));
      expect(await server.refused('commit_until', commit(now, step))).toMatchObject({ code: 'INTERNAL' });
      const after = await seen();
      expect([before, now]).toContain(after);
      outcomes.add(after === now ? 'new' : 'old');
      // A lock of the dead may stay, for whoever writes next.
      expect(left().filter((name) => !/\.lock$|\.draft$/u.test(name))).toEqual([]);
      before = `${now}w`;
      await server.ok('commit_until', commit(before));
      expect(await seen()).toBe(before);
      expect(left().filter((name) => !name.endsWith('.draft'))).toEqual([]);
    }
    expect(outcomes).toEqual(new Set(['old', 'new']));
  });

  it('knows how the change ended that was being applied, so that it is not taken for one that is', async () => {
    await server.ok('doom', { file: 'a.yaml' });
    const edit = { file: 'a.yaml', path: 'a', value: 'new', dry_run: false };
    expect(await server.refused('config_set', edit)).toMatchObject({ code: 'INTERNAL' });
    expect((await server.ok('config_get', { file: 'a.yaml', path: 'a' })).data['source']).toBe('old');
    expect(keptIn(server.state, 'changes')).toEqual([]);
    await server.ok('config_set', edit);
    expect(keptIn(server.state, 'changes')).toHaveLength(1);
    expect(openIn(server.state)).toEqual([]);
  });

  it('serves the folder that the server was started on, though it was renamed and another has its name [SRV-9]', async () => {
    const moved = `${server.root}-moved`;
    renameSync(server.root, moved);
    try {
      mkdirSync(server.root);
      writeFileSync(join(server.root, 'a.yaml'), 'a: another folder\n');
      await server.refused('exit');
      expect((await server.ok('config_get', { file: 'a.yaml', path: 'a' })).data['source']).toBe('old');
      const edit = { file: 'a.yaml', path: 'a', value: 'new', dry_run: false };
      await server.ok('config_set', edit);
      expect(readFileSync(join(moved, 'a.yaml'), 'utf8')).toBe('a: new\n');
      expect(readFileSync(join(server.root, 'a.yaml'), 'utf8')).toBe('a: another folder\n');
    } finally {
      rmSync(server.root, { recursive: true });
      renameSync(moved, server.root);
    }
  });
});
