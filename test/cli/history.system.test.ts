// What scripts and people read of what was done: `history`, `audit verify`, and `preview` and `apply` without an
// agent. Output goes to stdout, trouble to stderr in one or two lines, and the exit code says which it was.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../harness/run-command.ts';
import { fullIdIn, openIn, trailOf, withDatabase } from '../harness/state.ts';
import { type Shop, shop } from './shop.ts';

function envOf({ env }: Shop) {
  return { ...env, PATH: process.env['PATH'] ?? '' };
}

const run = ({ flags, env }: Shop, ...args: readonly string[]) => runCommand([...args, ...flags], { env });

const CHILD = fileURLToPath(new URL('../review/children/mortal-apply.mjs', import.meta.url));
const fileOf = ({ root }: Shop): string => readFileSync(join(root, 'a.yaml'), 'utf8');

describe('preview and apply, for scripts', () => {
  it('tell by their exit code what there is to do, and apply what was shown', async () => {
    const here = shop('preview');
    const before = fileOf(here);
    const same = await run(here, 'preview', 'a.yaml', 'replicas', '2');
    expect(same).toEqual({ status: 0, stdout: 'No change.\n', stderr: '' });
    const shown = await run(here, 'preview', 'a.yaml', 'replicas', '3');
    expect(shown).toMatchObject({ status: 0, stderr: '' });
    const compared = await run(here, 'preview', 'a.yaml', 'replicas', '3', '--exit-code');
    expect(compared).toMatchObject({ status: 1, stderr: '' });
    expect(shown.stdout).toContain('-replicas: 2\n+replicas: 3\n');
    expect(fileOf(here)).toBe(before);
    const next = /^Nothing is written yet\. Next: (.* apply (\S+) .*)$/m.exec(shown.stdout);
    const id = next?.[2] ?? '';
    // Copied as it is, in another folder.
    const applied = spawnSync('sh', ['-c', `${next?.[1]} --json`], {
      encoding: 'utf8',
      cwd: here.root,
      env: envOf(here),
    });
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(applied.stdout)).toMatchObject({ ok: true, applied: true, confirmed_by: 'preview' });
    expect(fileOf(here)).toBe(before.replace('replicas: 2', 'replicas: 3'));
    const again = await run(here, 'apply', id);
    expect(again).toMatchObject({ status: 2, stdout: '' });
    expect(again.stderr).toMatch(/^config-airlock: PREVIEW_USED: [^\n]+\n(?:config-airlock: [^\n]+\n)?$/);
  });

  it('say what is wrong in a line with a code and one with the way out, and as JSON what the tool answers', async () => {
    const here = shop('preview');
    const wrong = await run(here, 'preview', 'a.yaml', 'replicas.x', '3', '--json');
    expect(wrong.status).toBe(2);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false, error: { code: 'TYPE_MISMATCH' } });
    const outside = await run(here, 'preview', '../a.yaml', 'x', '\u001b[2J');
    expect(outside).toMatchObject({ status: 2, stdout: '' });
    expect(outside.stderr).toMatch(/^config-airlock: PATH_INVALID: [ -~]+\nconfig-airlock: [ -~]+\n$/);
  });

  it('show the diff in read-only mode too, keep nothing there, and write nothing', async () => {
    const here = shop('preview');
    const before = fileOf(here);
    const shown = await run(here, 'preview', 'a.yaml', 'replicas', '3', '--read-only');
    expect(shown).toMatchObject({ status: 0, stderr: '' });
    expect(shown.stdout).toContain('+replicas: 3');
    expect(shown.stdout).toContain('the preview is not kept: this is read-only');
    expect(existsSync(here.stateDir)).toBe(false);
    const { status, stderr } = await run(here, 'history', '--read-only');
    expect(status).toBe(2);
    expect(stderr).toContain('leave out --read-only');
    expect(fileOf(here)).toBe(before);
  });

  it('leave the decision to a person where the policy wants one, and ask nobody where there is nobody', async () => {
    const here = shop('human');
    const { stdout } = await run(here, 'preview', 'a.yaml', 'replicas', '3', '--json');
    const id: string = JSON.parse(stdout).preview_id;
    const early = await run(here, 'apply', id);
    expect(early).toMatchObject({ status: 2, stdout: '' });
    expect(early.stderr).toContain('APPROVAL_REQUIRED');
    expect(trailOf(here.stateDir).at(-1)).toMatchObject({
      ...{ type: 'refused', tool: 'config_apply', code: 'APPROVAL_REQUIRED' },
      caller: { name: 'config-airlock apply' },
    });
    const asked = shop('client');
    const proposed = await run(asked, 'preview', 'a.yaml', 'replicas', '3', '--json');
    // Nor is a way named that cannot work.
    const { stdout: way } = await run(asked, 'preview', 'a.yaml', 'replicas', '4');
    expect(way).toMatch(
      /Next: an agent calls config_apply with preview_id pv_\w{10}, and its client asks the person there\n$/u,
    );
    const refused = await run(asked, 'apply', JSON.parse(proposed.stdout).preview_id);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('APPROVAL_UNAVAILABLE');
    expect(fileOf(asked)).toBe(fileOf(here));
  });
});

describe('history and audit verify', () => {
  it('are whole after the texts that are kept were erased, and the next change goes as before [AUD-7]', async () => {
    const here = shop('preview');
    const change = async (value: string) => {
      const { preview_id } = JSON.parse(
        (await run(here, 'preview', 'a.yaml', 'name', value, '--json')).stdout,
      );
      return (await run(here, 'apply', preview_id)).status;
    };
    const holding = (text: string) =>
      readdirSync(here.stateDir, { recursive: true, encoding: 'utf8' })
        .map((name) => join(here.stateDir, name))
        .filter((file) => statSync(file).isFile() && readFileSync(file, 'utf8').includes(text));
    expect(await change('hunter2')).toBe(0);
    expect(await change('gone')).toBe(0);
    expect(holding('hunter2').length).toBeGreaterThan(0);
    expect(JSON.stringify(trailOf(here.stateDir))).not.toContain('hunter2');
    expect((await run(here, 'state', 'erase')).status).toBe(0);
    expect(holding('hunter2')).toEqual([]);
    expect((await run(here, 'audit', 'verify')).status).toBe(0);
    expect(await change('next')).toBe(0);
    expect((await run(here, 'audit', 'verify')).status).toBe(0);
  });

  it('account for what was applied, for people and as JSON', async () => {
    const here = shop('preview');
    expect(await run(here, 'history')).toEqual({
      status: 0,
      stdout: 'No change has been applied yet.\n',
      stderr: '',
    });
    const { preview_id } = JSON.parse(
      (await run(here, 'preview', 'a.yaml', 'replicas', '3', '--json')).stdout,
    );
    const { change_id } = JSON.parse((await run(here, 'apply', preview_id, '--json')).stdout);
    const listed = await run(here, 'history');
    expect(listed).toMatchObject({ status: 0, stderr: '' });
    expect(listed.stdout).toContain(`change ${change_id}\n  requested by config-airlock preview`);
    const { changes } = JSON.parse((await run(here, 'history', '--json')).stdout);
    expect(changes).toMatchObject([
      { id: fullIdIn(here.stateDir, change_id), confirmed_by: 'preview', files: ['a.yaml'] },
    ]);
    const idsWith = async (...flags: readonly string[]) =>
      JSON.parse((await run(here, 'history', '--json', ...flags)).stdout).changes.length;
    expect(await idsWith('--file', './a.yaml', '--since', '2000-01-01')).toBe(1);
    expect(await idsWith('--file', 'b.yaml')).toBe(0);
    expect(await idsWith('--since', '2999-01-01')).toBe(0);
    expect((await run(here, 'history', '--file', 'b.yaml')).stdout).toBe('No such change was found.\n');
    const one = await run(here, 'history', change_id);
    expect(one.stdout).toContain('-replicas: 2\n+replicas: 3\n');
    expect(JSON.parse((await run(here, 'history', change_id, '--json')).stdout)).toMatchObject({
      id: fullIdIn(here.stateDir, change_id),
      files: [{ file: 'a.yaml', changes: [{ path: 'replicas', from: '2', to: '3' }] }],
    });
    for (const id of ['x'.repeat(43), 'bogus']) {
      const none = await run(here, 'history', id);
      expect(none).toMatchObject({ status: 2, stdout: '' });
      expect(none.stderr).toMatch(
        /CHANGE_NOT_FOUND: [^\n]+\nconfig-airlock: List what was applied with the command "history"/u,
      );
    }
    const whole = await run(here, 'audit', 'verify');
    expect(whole).toMatchObject({ status: 0, stderr: '' });
    expect(whole.stdout).toMatch(/^The audit trail is intact: \d+ records\.\n/);
  });

  it('leave the root as it is, also what a killed server left there, which is for one that applies', async () => {
    const here = shop('preview');
    const preview = async (value: string) =>
      JSON.parse((await run(here, 'preview', 'a.yaml', 'replicas', value, '--json')).stdout).preview_id;
    const [killed, next] = [await preview('3'), await preview('4')];
    const args = [CHILD, here.root, here.stateDir, killed, 'staged'];
    expect(spawnSync(process.execPath, args).signal).toBe('SIGKILL');
    const left = () => readdirSync(here.root).filter((name) => name.endsWith('.new'));
    expect((await run(here, 'history')).status).toBe(0);
    expect((await run(here, 'preview', 'a.yaml', 'replicas', '5')).status).toBe(0);
    expect([left().length, openIn(here.stateDir).length]).toEqual([1, 1]);
    expect((await run(here, 'apply', next)).status).toBe(0);
    expect([left(), openIn(here.stateDir)]).toEqual([[], []]);
  });

  it('name the first record that was edited, and leave with 1', async () => {
    const here = shop('preview');
    const { preview_id } = JSON.parse(
      (await run(here, 'preview', 'a.yaml', 'replicas', '3', '--json')).stdout,
    );
    await run(here, 'apply', preview_id);
    withDatabase(here.stateDir, (database) =>
      database.run(
        `UPDATE trail SET body = replace(body, '"confirmed_by":"preview"', '"confirmed_by":"human"')`,
      ),
    );
    const found = await run(here, 'audit', 'verify');
    expect(found).toMatchObject({ status: 1, stderr: '' });
    expect(found.stdout).toMatch(
      /^The audit trail is damaged: edited, at record 2\.\nRecords before the damage: 1\.\n/,
    );
    // And the way out, which is described.
    expect(found.stdout).toContain('move all of it away and start over');
    expect(found.stdout).toContain('docs/hardening.md, "A damaged audit trail"');
    const described = readFileSync(new URL('../../docs/hardening.md', import.meta.url), 'utf8');
    expect(described).toContain('\n## A damaged audit trail\n');
    expect(JSON.parse((await run(here, 'audit', 'verify', '--json')).stdout)).toMatchObject({
      ok: false,
      damage: { how: 'edited', seq: 2 },
    });
    const other = await run(here, 'audit', 'check');
    expect(other).toMatchObject({ status: 2, stdout: '' });
    expect(other.stderr).toContain('unknown command "audit check"');
  });
});
