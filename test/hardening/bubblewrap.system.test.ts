// The bubblewrap recipe of docs/hardening.md, run as it stands there: the server works in it, and a hostile
// program finds nothing. Without the box the same program reaches everything.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startProcess } from '../harness/start-process.ts';
import {
  alsoNeeded,
  asLauncher,
  ESCAPE,
  escapeReport,
  type Ground,
  HOME,
  openGround,
  type Plan,
  recipe,
  SOURCE,
  saved,
} from './recipes.ts';

let ground: Ground;
let launcher: string;
beforeAll(async () => {
  ground = await openGround();
  launcher = saved(ledHere(recipe('bubblewrap')), ground.dir, 'launcher');
});
afterAll(() => ground.remove());

/** The same script; what it mounts comes from the test's own places. */
function ledHere(script: string): string {
  const more = alsoNeeded().flatMap((path) => ['--ro-bind', path, path]);
  return script
    .replace('--bind /srv/config ', `--bind ${join(ground.dir, 'config')} `)
    .replace('--bind /var/lib/config-airlock ', `--bind ${join(ground.dir, 'state')} `)
    .replace('--ro-bind /opt/config-airlock ', `${more.join(' ')} --ro-bind ${HOME} `)
    .replace('/usr/bin/node', process.execPath);
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'bubblewrap is for Linux';
  const probe = spawnSync('bwrap', [
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--ro-bind',
    '/',
    '/',
    'true',
  ]);
  if (probe.error !== undefined) return 'bwrap is not installed';
  return probe.status === 0 ? undefined : 'bwrap is too old, or user namespaces are off';
}

describe('the bubblewrap recipe', () => {
  const reason = whyNot();
  beforeEach(({ skip }) => {
    if (reason !== undefined) skip(reason);
  });

  it.each(['v1', 'v2-modern'] as const)('lets a client read and edit (%s) [SRV-14]', async (client) => {
    const server = await startProcess({ client, launcher: asLauncher(launcher) });
    try {
      const { data } = await server.callTool('list_capabilities');
      expect(data).toMatchObject({ ok: true, containment: 'fd-walk', running_as_root: false });
      const before = await server.callTool('config_get', { file: 'web.yaml', path: 'replicas' });
      const json = before.text === '2' ? 3 : 2;
      const set = await server.callTool('config_set', {
        file: 'web.yaml',
        path: 'replicas',
        json,
        dry_run: false,
      });
      expect(set.data).toMatchObject({ ok: true, applied: true });
      expect(readFileSync(join(ground.dir, 'config/web.yaml'), 'utf8')).toBe(
        SOURCE.replace('2', String(json)),
      );
      expect(server.log()).not.toContain('running_as_root');
    } finally {
      await server.close();
    }
  });

  it('takes flags from the client, such as --read-only', async () => {
    const server = await startProcess({ launcher: asLauncher(launcher, '--read-only') });
    try {
      const input = { file: 'web.yaml', path: 'name', value: 'x', dry_run: false };
      expect((await server.callTool('config_set', input)).text).toMatch(/^READ_ONLY/);
    } finally {
      await server.close();
    }
  });

  it('holds a program that tries to get out, which outside of it gets everywhere [SRV-14]', () => {
    const outside = join(ground.dir, 'outside/secret.yaml');
    const inside = '/srv/config/new.yaml';
    const plan: Plan = {
      reads: [outside, '/etc/passwd', `/proc/${process.pid}/environ`],
      writes: [outside],
      creates: [],
      port: ground.port,
      pid: process.pid,
    };
    const naive = escapeReport(process.execPath, [join(HOME, ESCAPE)], plan);
    expect(new Set([...Object.values(naive.reads), ...Object.values(naive.writes)])).toEqual(new Set(['ok']));
    expect([naive.connect, naive.signal]).toEqual(['ok', 'ok']);
    expect(naive.environment).toContain('CLIENT_SECRET');

    const folders = [
      '',
      '/usr',
      '/opt/config-airlock/bundle',
      '/opt',
      '/srv',
      '/dev/shm',
      '/proc',
      '/tmp',
      '/etc',
    ];
    const own = `${basename(ground.dir)}-new`;
    const elsewhere = [...folders, join(ground.dir, 'outside')].map((folder) => `${folder}/${own}`);
    const kernel = ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/self/oom_score_adj'];
    const boxed = escapeReport(saved(hostile(), ground.dir, 'hostile'), [], {
      ...plan,
      writes: [outside, ...kernel],
      creates: [inside, ...elsewhere],
    });
    expect(new Set(Object.values(boxed.reads))).toEqual(new Set(['ENOENT']));
    expect(new Set(Object.values(boxed.writes))).not.toContain('ok');
    const { [inside]: home, ...away } = boxed.creates;
    expect(home).toBe('ok');
    expect(Object.keys(away)).toHaveLength(elsewhere.length);
    expect(new Set(Object.values(away))).toEqual(new Set(['EROFS', 'ENOENT']));
    expect(boxed.connect).toBe('ECONNREFUSED');
    expect(boxed.interfaces).toEqual(['lo']);
    expect(boxed.signal).toBe('ESRCH');
    expect(boxed.processes).toBeLessThan(4);
    expect(boxed.environment).not.toContain('CLIENT_SECRET');
    expect(boxed.status).toMatch(/^CapEff:\s+0+$/m);
    expect(boxed.status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(existsSync(join(ground.dir, 'outside', own))).toBe(false);
  });
});

/** The box with another program in it. */
function hostile(): string {
  const script = ledHere(recipe('bubblewrap')).replace(/bundle\/cli\.js --root \S+ --state-dir \S+/u, ESCAPE);
  expect(script).toContain(ESCAPE);
  return script;
}
