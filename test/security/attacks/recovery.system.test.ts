// Anyone who may write to a shared state can begin a write in it. A server settles only what its own journal has: any other open write
// changes nothing, is named, and blocks its files until an operator ends it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/state/postgres.ts';
import { openStore } from '../../../src/state/store.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { CLI } from '../../harness/start-process.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { atTerminal, HAS_TERMINAL } from '../../harness/terminal.ts';

describe.runIf(hasPostgres && HAS_TERMINAL)('an unfinished change in a shared state', () => {
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
    const preview = (file: string, path: string, value: string): string =>
      JSON.parse(run('preview', file, path, value, '--json').stdout).preview_id;
    const text = (file: string) => readFileSync(join(temp.dir, 'root', file), 'utf8');
    return { run, preview, text, address, root: join(temp.dir, 'root') };
  }

  it('that is in no journal here writes nothing, is named, and blocks its files until it is ended [WRT-6]', async () => {
    const { run, preview, text, address, root } = ground('invented');
    const [theirs, ours, other] = [
      preview('@config/a.yaml', 'replicas', '666'),
      preview('@config/a.yaml', 'replicas', '3'),
      preview('@config/b.yaml', 'port', '8080'),
    ];
    const store = await openStore(await openPostgres(database.options('invented')));
    const { id = '' } = (await store.find(theirs)) ?? {};
    const files = [{ file: '@config/a.yaml' }];
    const begun = { time: new Date().toISOString(), type: 'begun', about: id, files } as const;
    await store.begin({ ...begun, confirmed_by: 'preview' }, { decidedAt: 0 });
    await store.close();

    const blocked = run('apply', ours, '--json');
    expect(JSON.parse(blocked.stdout).error.code).toBe('BUSY');
    expect(blocked.stdout).toContain(`config-airlock state settle ch_${id.slice(0, 10)}`);
    expect([text('a.yaml'), text('b.yaml')]).toEqual(['replicas: 2\n', 'port: 80\n']);
    expect(run('apply', other, '--json').status).toBe(0);

    const screen = atTerminal(['state', 'settle', `ch_${id.slice(0, 10)}`, '--state', address]);
    await screen.sees('@config/a.yaml');
    await screen.sees('Type yes to record that what came of it is unknown:');
    screen.types('yes\r');
    expect((await screen.ends()).status).toBe(0);
    expect(run('apply', ours, '--json').status).toBe(0);
    expect([text('a.yaml'), text('b.yaml')]).toEqual(['replicas: 3\n', 'port: 8080\n']);
    expect(readdirSync(root).sort()).toEqual(['a.yaml', 'b.yaml']);
  });
});
