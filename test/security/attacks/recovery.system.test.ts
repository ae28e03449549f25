// Who may write to a shared state can put an unfinished change into it. A server believes only what one that writes in its folders
// has begun: what is invented is left open and named, and a real crash is settled as before.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { encodeRecord, openPostgresStore, sha256Hex } from '../../../src/state/index.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { CLI } from '../../harness/start-process.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { committed } from '../../state/records.mjs';

describe.runIf(hasPostgres)('an unfinished change in a shared state', () => {
  let database: PostgresServer;
  beforeAll(() => {
    database = startPostgres();
    return () => database.remove();
  });

  function ground(name: string) {
    database.sql(`CREATE DATABASE ${name}`);
    const temp = tempRoot({ 'root/a.yaml': 'replicas: 2\n', 'root/b.yaml': 'port: 80\n' });
    onTestFinished(() => temp.remove());
    const address = `postgres://owner@/${name}?host=${database.socket}&port=${database.port}`;
    const options = ['--state', address, '--root', `config=${join(temp.dir, 'root')}`];
    const run = (...args: readonly string[]) => {
      const env = { HOME: temp.dir, PATH: process.env['PATH'] ?? '', AIRLOCK_LOG_LEVEL: 'info' };
      return spawnSync(process.execPath, [CLI, ...args, ...options], { encoding: 'utf8', env });
    };
    const set = (file: string, path: string, value: string) =>
      run('apply', JSON.parse(run('preview', file, path, value, '--json').stdout).preview_id, '--json');
    const text = (file: string) => readFileSync(join(temp.dir, 'root', file), 'utf8');
    return { run, set, text, root: join(temp.dir, 'root') };
  }

  it('that no server has begun writes and deletes nothing, is named, and blocks its files only', async () => {
    const { run, set, text, root } = ground('invented');
    expect(set('@config/a.yaml', 'replicas', '3').status).toBe(0);
    const known = JSON.parse(database.sql('SELECT record FROM config_airlock.changes LIMIT 1', 'invented'));
    const { v: _v, nonce: _n, files, preview: _p, ...record } = known;
    const invented = (file: string, base: string, result: string) => ({
      ...files[0],
      ...{ file: `@config/${file}`, base, base_sha256: sha256Hex(base), result_sha256: sha256Hex(result) },
      edits: [{ start: 0, end: base.length, insert: result }],
    });
    // The one is as after its write, the other as before it: the first would be put back.
    const evil = [
      invented('a.yaml', 'replicas: 666\n', text('a.yaml')),
      invented('b.yaml', text('b.yaml'), 'port: 1\n'),
    ];
    const change = encodeRecord({ ...record, files: evil });
    const store = await openPostgresStore(database.options('invented'));
    await store.beginChange({ ...change, exact: [] }, committed(change.id, 'intent'), undefined);
    await store.close();

    const next = run('preview', '@config/b.yaml', 'port', '8080', '--json');
    const { stderr } = run('apply', JSON.parse(next.stdout).preview_id, '--verbose');
    expect([text('a.yaml'), text('b.yaml')]).toEqual(['replicas: 3\n', 'port: 80\n']);
    expect(stderr).toContain('recovery_waiting');
    expect(stderr).toContain('not_ours');
    expect(stderr).toContain('BUSY');
    expect(readdirSync(root).sort()).toEqual(['a.yaml', 'b.yaml']);
  });
});
