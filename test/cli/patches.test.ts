// `history --format mbox`: what stands in a patch for a file that comes, goes or changes, and one folder for each mbox.
// watch.system.test.ts gives one to Git.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ChangePatch, mailOf } from '../../src/review/index.ts';
import { runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';

const CHANGE: ChangePatch = {
  ...{
    id: 'c'.repeat(52),
    v: 1,
    nonce: 'n',
    roots: 'r',
    at: '2026-11-27T00:00:00.000Z',
    caller: { name: 'agent', version: '1' },
  },
  ...{
    policy: 'p',
    origin: { kind: 'edit' },
    confirmed_by: 'preview',
    state: 'applied',
    undoneBy: undefined,
  },
  files: [],
};
const HUNK = '@@ -1 +1 @@\n-a: 1\n+a: 2\n';

describe('a patch', () => {
  it.each([
    { op: undefined, mode: 0o644, head: '--- a/d/a.yaml\n+++ b/d/a.yaml\n' },
    { op: 'create', mode: 0o755, head: 'new file mode 100755\n--- /dev/null\n+++ b/d/a.yaml\n' },
    { op: 'delete', mode: 0o644, head: 'deleted file mode 100644\n--- a/d/a.yaml\n+++ /dev/null\n' },
  ] as const)('says what becomes of the file: $op', ({ op, mode, head }) => {
    const diff = `--- x\n+++ y\n${HUNK}`;
    const file = {
      file: '@root/d/a.yaml',
      root: 'root',
      path: 'd/a.yaml',
      mode,
      diff,
      ...(op === undefined ? {} : { file_op: op }),
    };
    const text = mailOf({ ...CHANGE, files: [file] }, '1.0.0');
    expect(text).toContain(
      `\n\ndiff --git a/d/a.yaml b/d/a.yaml\n${head}${HUNK}-- \nconfig-airlock 1.0.0\n\n`,
    );
  });

  it('is for one folder, and says which to name where there are several', async () => {
    const { dir, remove } = tempRoot({ 'a/x.yaml': 'a: 1\n', 'b/x.yaml': 'a: 1\n' });
    onTestFinished(remove);
    mkdirSync(join(dir, 'home'), { mode: 0o700 });
    const roots = ['a', 'b'].flatMap((name) => ['--root', `${name}=${join(dir, name)}`]);
    const flags = [...roots, '--state-dir', join(dir, 'home'), '--approval', 'preview'];
    const run = (...args: readonly string[]) => runCommand([...args, ...flags]);
    for (const file of ['@a/x.yaml', '@b/x.yaml']) {
      const { stdout } = await run('preview', file, 'a', '2', '--json');
      expect((await run('apply', JSON.parse(stdout).preview_id)).status).toBe(0);
    }
    const refused = await run('history', '--format', 'mbox');
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('a patch is for one: give --file @a, for example');
    const { status, stdout } = await run('history', '--format', 'mbox', '--file', '@b');
    expect(status).toBe(0);
    expect(stdout.match(/^diff --git .*$/gmu)).toEqual(['diff --git a/x.yaml b/x.yaml']);
    expect(stdout).toContain('Subject: [PATCH] config: @b/x.yaml\n');
  });
});
