// The Landlock recipe of docs/hardening.md, run as it stands there: by setpriv where it knows Landlock,
// otherwise by a small launcher with the same options, where there is a C compiler.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
let setpriv: string | undefined;
let reason: string | undefined;
beforeAll(async () => {
  ground = await openGround();
  setpriv = launcherWithLandlock();
  reason = whyNot(setpriv);
});
afterAll(() => ground.remove());

/** setpriv itself, or the stand-in compiled from children/landlock-run.c; undefined where neither can be. */
function launcherWithLandlock(): string | undefined {
  const help = spawnSync('setpriv', ['--help'], { encoding: 'utf8' });
  if (help.error === undefined && help.stdout.includes('--landlock-access')) return 'setpriv';
  const built = join(ground.dir, 'setpriv');
  const source = join(HOME, 'test/hardening/children/landlock-run.c');
  return spawnSync('cc', ['-O1', '-o', built, source]).status === 0 ? built : undefined;
}

function whyNot(launcher: string | undefined): string | undefined {
  if (process.platform !== 'linux') return 'Landlock is for Linux';
  if (launcher === undefined) return 'setpriv is older than 2.40, and there is no C compiler';
  const rule = ['--landlock-access', 'fs', '--landlock-rule', 'path-beneath:read-file,read-dir,execute:/'];
  return spawnSync(launcher, [...rule, 'true']).status === 0 ? undefined : 'the kernel has no Landlock';
}

const COMMAND = 'bundle/cli.js --root /srv/config --state-dir /var/lib/config-airlock';

/** The same script; its paths are the test's own places. */
function ledHere(script: string, program = COMMAND): string {
  const more = alsoNeeded().map(
    (path) => `--landlock-rule path-beneath:read-file,read-dir,execute:${path} \\\n  `,
  );
  return script
    .replace(COMMAND, program)
    .replace('setpriv', setpriv ?? '')
    .replaceAll('/srv/config', join(ground.dir, 'config'))
    .replaceAll('/var/lib/config-airlock', join(ground.dir, 'state'))
    .replaceAll('/opt/config-airlock', HOME)
    .replace('/usr/bin/node', `${more.join('')}${process.execPath}`);
}

describe('the Landlock recipe', () => {
  beforeEach(({ skip }) => {
    if (reason !== undefined) skip(reason);
  });

  it('lets a client read, list and edit (ENVI-003) [SRV-14]', async () => {
    const launcher = saved(ledHere(recipe('landlock')), ground.dir, 'launcher');
    const server = await startProcess({ launcher: asLauncher(launcher) });
    try {
      expect((await server.callTool('list_capabilities')).data).toMatchObject({ containment: 'fd-walk' });
      expect((await server.callTool('config_list')).text).toContain('web.yaml');
      const edits = ['replicas', 'a', 'b'].map((path) => ({ op: 'set', file: 'web.yaml', path, json: 3 }));
      const edited = await server.callTool('config_edit', { edits, dry_run: false });
      expect(edited.data).toMatchObject({ ok: true, applied: true });
      const now = readFileSync(join(ground.dir, 'config/web.yaml'), 'utf8');
      expect(now).toBe(`${SOURCE.replace('2', '3')}a: 3\nb: 3\n`);
    } finally {
      await server.close();
    }
  });

  it('holds a program that tries to get out, which outside of it gets everywhere [SRV-14]', () => {
    const outside = join(ground.dir, 'outside/secret.yaml');
    const inside = join(ground.dir, 'config/new.yaml');
    // Outside of the box these are made: another run of this test may do the same now.
    const own = `${basename(ground.dir)}-new`;
    const elsewhere = [join(ground.dir, 'outside/new'), join(tmpdir(), own), join(HOME, 'dist', own)];
    const plan: Plan = {
      reads: [outside, '/etc/passwd'],
      writes: [outside],
      creates: [inside, ...elsewhere],
      port: ground.port,
      pid: process.pid,
    };
    const naive = escapeReport(process.execPath, [join(HOME, ESCAPE)], plan);
    const tried = [naive.reads, naive.writes, naive.creates].flatMap((group) => Object.values(group));
    expect(new Set(tried)).toEqual(new Set(['ok']));

    const script = ledHere(recipe('landlock'), ESCAPE);
    const boxed = escapeReport(saved(script, ground.dir, 'hostile'), [], plan);
    const { [inside]: home, ...away } = boxed.creates;
    expect(home).toBe('ok');
    const refused = [boxed.reads, boxed.writes, away].flatMap((group) => Object.values(group));
    expect(refused).toHaveLength(6);
    expect(new Set(refused)).toEqual(new Set(['EACCES']));
    expect(boxed.environment).not.toContain('CLIENT_SECRET');
    expect(boxed.status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(existsSync(join(ground.dir, 'outside/new'))).toBe(false);
  });
});
