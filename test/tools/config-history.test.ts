// config_history through a client: what was applied and what waits, so that an agent that lost an id finds it again, of
// the files that the policy lets it see.

import { describe, expect, it } from 'vitest';
import { shortId } from '../../src/state/canonical.ts';
import { humanFlags, person, preview, sharedStage, stage } from '../harness/previews.ts';
import type { ToolServer } from '../harness/tool-server.ts';

const direct = sharedStage();

async function historyOf(server: ToolServer, args: object = {}): Promise<readonly string[]> {
  const { data } = await server.ok('config_history', { ...args });
  return Array.isArray(data['history']) ? data['history'].map(String) : [];
}

describe('the history', () => {
  it('finds a change whose id was lost, and it can be undone', async () => {
    const at = stage();
    const server = await at.start();
    await server.ok('config_set', { file: 'a.yaml', path: 'a', json: 5, dry_run: false });
    await server.ok('config_set', { file: 'b.yaml', path: 'x', json: 6, dry_run: false });
    const [first = '', second = '', ...rest] = await historyOf(server);
    expect(rest).toEqual([]);
    expect(first).toMatch(/^\S+ {2}20\d\d-\S+Z {2}applied {2}b\.yaml \(1 path\)$/u);
    expect(second).toContain('a.yaml');
    expect(await historyOf(server, { file: 'a.yaml' })).toEqual([second]);
    expect(await historyOf(server, { since: '1h', limit: 1 })).toEqual([first]);
    expect(await historyOf(server, { since: '2199-01-01' })).toEqual([]);
    const [change_id = ''] = second.split(' ');
    const one = await server.ok('config_history', { change_id });
    expect(one.text).toContain('-a: 1 # one\n+a: 5 # one');
    expect(one.text).toContain(`config_revert {"change_id":"${change_id}"}`);
    await server.ok('config_revert', { change_id, dry_run: false });
    expect(at.disk('a.yaml')).toBe('a: 1 # one\nb: 2\n');
    const [undoing, , undone] = await historyOf(server);
    expect(undoing).toContain(`applied, undoes ${change_id}`);
    expect(undone).toContain('applied, undone since');
    expect((await server.ok('config_history', { change_id })).text).toContain('Undone by ');
  });

  it('names the other files of a change as well, for undoing it concerns them', async () => {
    const server = await stage().start();
    const edits = ['b.yaml', 'a.yaml'].map((file) => ({ op: 'set', file, path: 'z', json: 1 }));
    await server.ok('config_edit', { edits, dry_run: false });
    const [line = '', ...rest] = await historyOf(server, { file: 'a.yaml' });
    expect(line).toContain('applied  a.yaml (1 path), b.yaml (1 path)');
    expect(rest).toEqual([]);
    expect(await historyOf(server, { file: 'none.yaml' })).toEqual([]);
  });

  it('finds a preview that waits, and what it became', async () => {
    const { server } = await direct();
    const id = await preview(server, { file: 'b.yaml', path: 'x', json: 7 }, 'config_set');
    const [waiting = ''] = await historyOf(server, { file: 'b.yaml' });
    expect(waiting).toContain(`${shortId('pv', id)}  `);
    expect(waiting).toContain('preview, not applied  b.yaml (1 path)');
    const { text } = await server.ok('config_history', { preview_id: id });
    expect(text).toContain('-x: 1\n+x: 7');
    expect(text).toContain(`config_apply {"preview_id":"${shortId('pv', id)}"}`);
    const { data } = await server.ok('config_apply', { preview_id: id });
    const applied = await server.ok('config_history', { preview_id: id });
    expect(applied.text).toContain(`${String(data['change_id'])}  `);
  });

  it("shows a reviewer's note", async () => {
    const at = stage();
    const anna = person('anna');
    const server = await at.start(humanFlags(at, [anna]));
    const id = await preview(server, { file: 'a.yaml', path: 'a', json: 5 }, 'config_set');
    expect((await historyOf(server))[0]).toContain('preview, waits for a reviewer');
    await anna.decide(at, id, 'reject', { note: 'not on a Friday' });
    expect((await historyOf(server))[0]).toContain('preview, rejected by anna: "not on a Friday"');
    const { text } = await server.ok('config_history', { preview_id: id });
    expect(text).toContain('rejected by anna: "not on a Friday"');
  });
});

it('neither names nor counts what the policy hides by now', async () => {
  const at = stage();
  const before = await at.start();
  const edits = [
    { op: 'set', file: 'a.yaml', path: 'a', json: 5 },
    { op: 'set', file: 'b.yaml', path: 'x', json: 5 },
  ];
  await before.ok('config_edit', { edits, dry_run: false });
  await before.ok('config_set', { file: 'b.yaml', path: 'x', json: 6, dry_run: false });
  const [hidden = ''] = await historyOf(before);
  await before.close();
  const server = await at.start(['--deny', 'b.yaml']);
  const rows = await historyOf(server);
  expect(rows).toHaveLength(1);
  const [change_id = ''] = String(rows[0]).split(' ');
  const { text } = await server.ok('config_history', { change_id });
  expect(`${rows.join()}${text}`).not.toContain('b.yaml');
  const gone = await server.refused('config_history', { change_id: hidden.split(' ')[0] });
  expect(gone.code).toBe('CHANGE_NOT_FOUND');
});

it('is none where nothing is kept, and refuses a time that is none', async () => {
  const server = await stage().start(['--read-only']);
  expect((await server.ok('config_history')).text).toContain('This server is read-only');
  const { server: other } = await direct();
  expect((await other.refused('config_history', { since: 'soon' })).code).toBe('ARGUMENT_INVALID');
  expect((await other.refused('config_history', { change_id: 'x' })).code).toBe('CHANGE_NOT_FOUND');
  expect((await other.refused('config_history', { preview_id: 'x' })).code).toBe('PREVIEW_NOT_FOUND');
});
