// Rules that ask for several reviewers or certain ones, at a terminal: whoever undoes a change, or enters a value into one, has
// proposed it, and is none of them.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI, startServer } from '../harness/start-server.ts';
import { ENTER, HAS_TERMINAL } from '../harness/terminal.ts';
import { trailOf } from '../harness/trail.ts';
import { PASSPHRASE, shop } from './shop.ts';

const BASE = 'name: shop # ours\nreplicas: 2\nimage: web:1\n';

async function underRule(rule: string) {
  const here = shop('preview');
  const policy = join(here.root, '../policy.yaml');
  writeFileSync(policy, `default: preview\nrules:\n  - { id: eyes, ${rule}, then: human }\n`, {
    mode: 0o600,
  });
  const flags = ['--policy', policy];
  const all = [...here.flags.slice(2), ...flags];
  const server = await startServer({ root: here.root, state: here.stateDir, flags: all, env: here.env });
  onTestFinished(() => server.close());
  /** Shown, confirmed and signed. */
  const confirmed = async (args: readonly string[], question: string, ...ends: readonly string[]) => {
    const screen = here.at([...args, ...flags]);
    await screen.sees(question);
    screen.types(`yes${ENTER}`);
    await screen.sees('Passphrase');
    screen.types(PASSPHRASE + ENTER);
    for (const end of ends) await screen.sees(end);
    return (await screen.ends()).status;
  };
  return {
    ...{ here, flags, confirmed },
    call: (tool: string, args: Readonly<Record<string, unknown>>) => server.callTool(tool, args),
    propose: async (path: string, json: unknown) =>
      String((await server.callTool('config_set', { file: 'a.yaml', path, json })).data['preview_id']),
    approve: (id: string, name: 'ann' | 'bob', ...ends: readonly string[]) =>
      confirmed(['approve', id, '--key', here.key(name)], 'Type yes', ...ends),
  };
}

describe.skipIf(!HAS_TERMINAL)('four eyes at a terminal', () => {
  it('who undoes a change proposes that, and their own approval does not count [POL-6] [TTY-6]', async () => {
    const { approve, call, confirmed, propose } = await underRule('paths: image, count: 2');
    const id = await propose('image', 'web:2');
    for (const name of ['ann', 'bob'] as const) expect(await approve(id, name)).toBe(0);
    const { data } = await call('config_apply', { preview_id: id });
    expect(data).toMatchObject({ ok: true, reviewer: 'ann, bob' });
    const said = ['Not undone yet', 'there are not enough'];
    expect(await confirmed(['undo', String(data['change_id'])], 'Type yes to propose this', ...said)).toBe(1);
  });

  it('who enters a value proposes it, for the preview that stands in for it too, and another reviewer approves [POL-6] [TTY-7]', async () => {
    const { here, flags, approve, call, propose } = await underRule('paths: note, count: 1');
    const id = await propose('note', 'CHANGEME');
    const piped = spawnSync(process.execPath, [CLI, 'fill', id, 'note', ...here.flags, ...flags], {
      env: { ...here.env, PATH: process.env['PATH'] ?? '' },
      input: 'x',
      encoding: 'utf8',
    });
    expect(piped).toMatchObject({ status: 2, stderr: expect.stringContaining('run it at a terminal') });

    const filling = here.at(['fill', id, 'note', ...flags]);
    await filling.sees('your own approval will not count');
    for (const [question, typed] of [
      ['Passphrase', PASSPHRASE],
      ['Value:', 'kanari-9'],
      ['again:', 'kanari-9'],
    ] as const) {
      await filling.sees(question);
      filling.types(typed + ENTER);
    }
    await filling.sees('takes the place of the one before');
    expect((await filling.ends()).status).toBe(0);
    const filled = /Preview (pv_\w+) takes/u.exec(filling.text())?.[1] ?? '';
    expect(trailOf({ state: here.stateDir }).find(({ action }) => action === 'fill')).toMatchObject({
      caller: { principal: 'ann' },
    });
    expect(await approve(filled, 'ann', 'it would not count')).toBe(2);

    expect(await approve(filled, 'bob', 'Approved')).toBe(0);
    writeFileSync(join(here.root, 'a.yaml'), BASE.replace('web:1', 'web:2'));
    const changed = await call('config_apply', { preview_id: filled });
    const next = /pv_\w+/u.exec(JSON.stringify(changed.data).replaceAll(filled, ''))?.[0] ?? '';
    expect(await approve(next, 'ann', 'it would not count')).toBe(2);
    expect(await approve(next, 'bob', 'Approved')).toBe(0);
    expect((await call('config_apply', { preview_id: next })).data).toMatchObject({
      ok: true,
      reviewer: 'bob',
    });
  });
});
