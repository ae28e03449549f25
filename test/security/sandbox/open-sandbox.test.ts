import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRoot, place } from '../fixture.ts';

const DIST = new URL('../../../dist/security/', import.meta.url);

describe('the containment', () => {
  it('is not chosen by the environment [CON-6]', () => {
    const env = { ...process.env, AIRLOCK_CONTAINMENT: 'checked', CONTAINMENT: 'checked' };
    expect(run([], [], env)).toBe('fd-walk\n');
  });

  it.each([
    {
      id: 'ENVI-001',
      flags: (root: string) => [
        `--allow-fs-read=${root}`,
        `--allow-fs-write=${root}`,
        '--allow-fs-read=/work',
      ],
    },
    { id: 'ENVI-002', flags: () => ['--allow-fs-read=*', '--allow-fs-write=*'] },
  ])("$id does not start under Node's permission model", ({ flags }) => {
    const own = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const dist = join(import.meta.dirname, '../../..');
    expect(run([own, ...flags('/tmp'), `--allow-fs-read=${dist}`, '--no-warnings'], [])).toMatch(
      /^StartError .*--permission/,
    );
  });

  it('does not start in a worker without /proc, where no walk is possible', ({ skip }) => {
    if (!isRoot) skip('needs root to hide /proc');
    const wrap = ['unshare', '-m', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh'];
    if (spawnSync(wrap[0] ?? '', [...wrap.slice(1), 'true']).status !== 0) skip('mount does not work here');
    expect(run([], wrap, process.env, true)).toMatch(/^StartError .*main thread/);
  });
});

/** Opens a sandbox in a new process, started through `wrap`; answers what it printed. */
function run(flags: readonly string[], wrap: readonly string[], env = process.env, inWorker = false): string {
  const here = place();
  here.write('root/a.yaml', 'a: 1\n');
  const script = here.write(
    'start.mjs',
    `import { Worker, isMainThread } from 'node:worker_threads';
    import { createLog } from '${DIST}audit/log.js';
    import { DEFAULT_LIMITS, DEFAULT_MASKING } from '${DIST}policy/policy.js';
    import { openSandbox } from '${DIST}sandbox/open-sandbox.js';
    const roots = [{ name: undefined, dir: ${JSON.stringify(here.root)} }];
    const policy = { roots, readOnly: false, allow: ['**/*.yaml'], deny: [], schemas: [], limits: DEFAULT_LIMITS, allowBroadRoot: false, changes: { default: 'direct', rules: [] }, masking: DEFAULT_MASKING };
    if (isMainThread && ${inWorker}) new Worker(new URL(import.meta.url));
    else try {
      const sandbox = openSandbox({ ...policy, approval: 'direct' }, createLog({ level: 'error', format: 'json' }));
      if (sandbox.open(sandbox.parse('a.yaml')).read().text !== 'a: 1\\n') throw new Error('read something else');
      console.log(sandbox.containment);
    } catch (error) {
      console.log(error.name + ' ' + error.message);
    }`,
  );
  const [command = '', ...rest] = [...wrap, process.execPath, ...flags, script];
  return spawnSync(command, rest, { encoding: 'utf8', env }).stdout;
}
