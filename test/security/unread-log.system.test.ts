// Finding 15.9: most clients never read the stderr of a server. That stops nothing, for the audit trail has every record.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGreeted } from '../harness/raw-server.ts';
import { trailOf } from '../harness/state.ts';
import { tempRoot } from '../harness/temp-root.ts';

const PREVIEWS = 500;

it('unread log (finding 15.9): a client that never reads stderr previews and writes, and the trail has all of it [AUD-1]', async () => {
  const [root, state] = [tempRoot({ 'a.yaml': 'a: 1\n' }), tempRoot()];
  onTestFinished(() => {
    for (const one of [root, state]) one.remove();
  });
  const folder = join(state.dir, 'state');
  const server = await startGreeted({ args: ['--root', root.dir, '--state-dir', folder] });
  server.child.stderr.pause();
  const set = (id: number, dry_run: boolean) => {
    const args = { file: 'a.yaml', path: 'a', value: '2', dry_run };
    return server.request(id, 'tools/call', { name: 'config_set', arguments: args });
  };
  for (let id = 1; id <= PREVIEWS; id += 1)
    expect((await set(id, true)).result).toHaveProperty('structuredContent.preview_id');
  expect((await set(PREVIEWS + 1, false)).result).toHaveProperty('structuredContent.change_id');
  expect(readFileSync(join(root.dir, 'a.yaml'), 'utf8')).toBe('a: 2\n');
  expect(trailOf(folder).filter(({ type }) => type === 'previewed')).toHaveLength(PREVIEWS);
  // Whoever begins to read is told with the next line that there is room for: the first may find the pipe still full.
  server.child.stderr.resume();
  const lost = server.logged('log_lines_lost');
  let isTold = false;
  const settled = () => {
    isTold = true;
  };
  lost.then(settled, settled);
  for (let id = PREVIEWS + 2; !isTold; id += 1)
    await server.request(id, 'tools/call', { name: 'list_capabilities', arguments: {} });
  expect((await lost)['count']).toBeGreaterThan(50);
  server.child.stdin.end();
  await server.exit;
});
