// A change of 98 files: what is listed of it names three files, and the number of the others.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../harness/run-command.ts';
import { startServer } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { atTerminal, ENTER, HAS_TERMINAL } from '../harness/terminal.ts';

const NAMES = /app-\d+\.yaml/gu;

describe.skipIf(!HAS_TERMINAL)('a change of 98 files', () => {
  it('is listed by three names and "and 95 more": in the queue, in history and in policy replay', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 98 }, (_, n) => [`root/app-${n}.yaml`, 'image: web:1\nreplicas: 1\n']),
    );
    const temp = tempRoot(files);
    onTestFinished(() => temp.remove());
    const policy = join(temp.dir, 'policy.yaml');
    const rule = '{ id: images, paths: image, then: human }';
    writeFileSync(policy, `default: preview\nrules:\n  - ${rule}\n`, { mode: 0o600 });
    const [root, state] = [join(temp.dir, 'root'), join(temp.dir, 'state')];
    const reviewers = join(temp.dir, 'reviewers');
    writeFileSync(reviewers, `ann ed25519:${Buffer.alloc(32, 1).toString('base64')}\n`, { mode: 0o600 });
    const flags = ['--policy', policy, '--reviewers', reviewers];
    const server = await startServer({ root, state, flags });
    onTestFinished(() => server.close());
    const set = (path: string, json: unknown) =>
      server.callTool('config_edit', { edits: [{ op: 'set', file: 'app-*.yaml', path, json }] });
    const preview = await set('replicas', 2);
    const id = String(preview.data['preview_id']);
    expect((await server.callTool('config_apply', { preview_id: id })).data).toMatchObject({ applied: true });
    expect((await set('image', 'web:2')).data).toMatchObject({ needs: 'human' });

    const where = ['--root', root, '--state-dir', state, ...flags];
    const env = { HOME: temp.dir };
    const listed = await runCommand(['history', ...where], { env });
    // A rule denies it today, so that the replay lists it.
    writeFileSync(policy, 'default: preview\nrules:\n  - { id: no, paths: replicas, then: deny }\n');
    const replayed = await runCommand(['policy', 'replay', ...where], { env });
    writeFileSync(policy, `default: preview\nrules:\n  - ${rule}\n`);
    const screen = atTerminal(['review', ...where], { env });
    await screen.sees('1 of 1 to decide');
    const queue = screen.text();
    await screen.sees(/-- more: Enter continues|\[q\]uit \?/u);
    screen.types(`q${ENTER}`);
    for (const text of [listed.stdout, replayed.stdout, queue]) {
      expect(text).toContain(' and 95 more');
      expect(text.match(NAMES)).toHaveLength(3);
    }
    expect(queue.split('\n').length).toBeLessThan(24);
  });
});
