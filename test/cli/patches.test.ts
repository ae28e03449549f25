// `history --format mbox`: what stands in a patch for a file that comes or goes, and one folder for each mbox.
// watch.system.test.ts gives one to Git.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stage } from '../harness/previews.ts';
import { runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';

it('a patch says that a file comes or goes', async () => {
  const at = stage();
  const server = await at.start();
  const edits = [
    { op: 'create_file', file: 'd/new.yaml', content: 'a: 1\n' },
    { op: 'delete_file', file: 'b.yaml' },
  ];
  await server.ok('config_edit', { edits, dry_run: false });
  const flags = ['--root', at.root, '--state-dir', at.state];
  const { stdout } = await runCommand(['history', '--format', 'mbox', ...flags]);
  expect(stdout).toContain('new file mode 100644\n--- /dev/null\n+++ b/d/new.yaml\n@@ -0,0 +1 @@\n+a: 1\n');
  expect(stdout).toMatch(/deleted file mode 100\d{3}\n--- a\/b\.yaml\n\+\+\+ \/dev\/null\n/u);
  expect(stdout).toMatch(/\n-- \nconfig-airlock \d/u);
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
