// Rules that ask for several reviewers or certain ones, at a terminal: whoever undoes a change has proposed it, and is
// none of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../harness/start-server.ts';
import { ENTER, HAS_TERMINAL } from '../harness/terminal.ts';
import { PASSPHRASE, type Shop, shop } from './shop.ts';

async function underRule(rule: string) {
  const here = shop('preview');
  const policy = join(here.root, '../policy.yaml');
  writeFileSync(policy, `default: preview\nundo: preview\nrules:\n  - { id: eyes, ${rule}, then: human }\n`, {
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
    const { here, flags, approve, call, confirmed, propose } = await underRule('paths: image, count: 2');
    const id = await propose('image', 'web:2');
    for (const name of ['ann', 'bob'] as const) expect(await approve(id, name)).toBe(0);
    const { data } = await call('config_apply', { preview_id: id });
    expect(data).toMatchObject({ ok: true, reviewer: 'ann, bob' });
    const said = ['Not undone yet', 'there are not enough'];
    const undo = ['undo', String(data['change_id'])];
    expect(await confirmed(undo, 'Type yes to propose this', ...said)).toBe(1);
    await tellsBeforeThePassphrase(here, flags, 'you proposed it');
  });

  it('who cannot approve is told why before the passphrase, and can still reject', async () => {
    const { here, flags, propose } = await underRule('paths: image, approvers: [bob]');
    const id = await propose('image', 'web:2');
    await tellsBeforeThePassphrase(here, flags, 'the rule asks for: bob');
    const one = here.at(['approve', id, ...flags]);
    expect(await one.ends()).toEqual({ status: 2, isSane: true });
    expect(one.text()).toContain('cannot approve this: the rule asks for: bob');
    expect(one.text()).not.toContain('Passphrase');
  });
});

/** ann reviews what waits. */
async function tellsBeforeThePassphrase(here: Shop, flags: readonly string[], reason: string) {
  const screen = here.at(['review', '--no-color', ...flags]);
  // What is typed before a question is shown counts as no answer to it.
  const answers = async (key: string) => {
    await screen.sees('\n[r]eject [d]iff [s]kip [q]uit ?');
    screen.types(key + ENTER);
  };
  await screen.sees(`Cannot approve: ${reason}`);
  await answers('a');
  await screen.sees(`Cannot approve: ${reason}. You can reject it, or skip it.`);
  await answers('p');
  await screen.sees('It cannot be approved in parts.');
  await answers('q');
  expect(await screen.ends()).toEqual({ status: 0, isSane: true });
  expect(screen.text()).not.toContain('Passphrase');
}
