// config_revert through a client: what was applied is undone to the byte, what came since stays, or nothing happens.
import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { humanFlags, person, preview, type Stage, sharedStage, stage } from '../harness/previews.ts';
import { bodyIn, fullIdIn, withDatabase } from '../harness/state.ts';
import type { ToolServer } from '../harness/tool-server.ts';

const WEB = `# the shop
web:
  image: shop:1   # pinned
  # how many
  replicas: 2
list:
  - a
  - b
`;
const DB = 'host: &h a\r\nport: 1\r\ncopy: *h';
const FILES = { 'web.yaml': WEB, 'db.yaml': DB };

const REPLICAS = { op: 'set', file: 'web.yaml', path: 'web.replicas', json: 3 };
const GONE = { op: 'delete', file: 'web.yaml', path: 'web.replicas' };
const HOST = { op: 'set', file: 'db.yaml', path: 'host', value: '&h b' };

const direct = sharedStage([], FILES);
const strict = sharedStage(['--approval', 'preview'], FILES);

/** Previewed and applied; the change's id. */
async function apply(server: ToolServer, ...edits: readonly object[]): Promise<string> {
  const { data } = await server.ok('config_apply', {
    preview_id: await preview(server, { edits }, 'config_edit'),
  });
  return String(data['change_id']);
}

/** The same, of the way back. */
async function revert(server: ToolServer, change: string): Promise<string> {
  const id = await preview(server, { change_id: change }, 'config_revert');
  const { data } = await server.ok('config_apply', { preview_id: id });
  return String(data['change_id']);
}

describe('an applied change is undone', () => {
  it.each(['direct', 'preview'])('to the very bytes, after a preview like any other: %s', async (level) => {
    const { at, server } = await (level === 'direct' ? direct : strict)();
    const change = await apply(server, GONE);
    const after = at.disk('web.yaml');
    const { data, text } = await server.ok('config_revert', { change_id: change });
    expect(data).toMatchObject({ ok: true, dry_run: true, summary: '1 path in 1 file' });
    expect(text).toContain('+  # how many\n+  replicas: 2\n');
    expect(at.disk('web.yaml')).toBe(after);
    const undone = await server.ok('config_apply', { preview_id: data['preview_id'] });
    expect(undone.data).toMatchObject({ applied: true, confirmed_by: level });
    expect(at.disk('web.yaml')).toBe(WEB);
    const body = bodyIn(at.state, String(undone.data['change_id'])) ?? '';
    expect(JSON.parse(body).origin).toEqual({ kind: 'revert', change_id: fullIdIn(at.state, change) });
  });

  it('at once, where the operator lets writes go without a preview, and nowhere else', async () => {
    const { at, server } = await direct();
    const { data } = await server.ok('config_edit', { edits: [REPLICAS], dry_run: false });
    const undone = await server.ok('config_revert', { change_id: data['change_id'], dry_run: false });
    expect(undone.data).toMatchObject({ applied: true, confirmed_by: 'direct' });
    expect(at.disk('web.yaml')).toBe(WEB);

    const elsewhere = await strict();
    const change = await apply(elsewhere.server, REPLICAS);
    const refused = await elsewhere.server.refused('config_revert', { change_id: change, dry_run: false });
    expect(refused.code).toBe('PREVIEW_REQUIRED');
    expect(elsewhere.at.disk('web.yaml')).not.toBe(WEB);
    await elsewhere.server.ok(refused.again?.tool ?? '', refused.again?.arguments);
  });

  it('and the undoing is undone, and that again', async () => {
    const { at, server } = await direct();
    const change = await apply(server, GONE, HOST);
    const after = at.disk('web.yaml');
    const back = await revert(server, change);
    expect(at.disk('web.yaml')).toBe(WEB);
    const forth = await revert(server, back);
    expect(at.disk('web.yaml')).toBe(after);
    await revert(server, forth);
    expect([at.disk('web.yaml'), at.disk('db.yaml')]).toEqual([WEB, DB]);
    // In force or not, it can be undone only once more.
    const { data } = await server.ok('config_revert', { change_id: change });
    expect(data).not.toHaveProperty('preview_id');
  });

  it('only with the signature that any change needs [EDT-7]', async () => {
    const at = stage(FILES);
    const ada = person('ada');
    const server = await at.start(humanFlags(at, [ada]));
    const id = await preview(server, { edits: [REPLICAS] }, 'config_edit');
    await ada.decide(at, id, 'approve');
    const { data } = await server.ok('config_apply', { preview_id: id });
    const way = await preview(server, { change_id: data['change_id'] }, 'config_revert');
    expect((await server.refused('config_apply', { preview_id: way })).code).toBe('APPROVAL_REQUIRED');
    expect(at.disk('web.yaml')).not.toBe(WEB);
    await ada.decide(at, way, 'approve');
    expect((await server.ok('config_apply', { preview_id: way })).data).toMatchObject({ reviewer: 'ada' });
    expect(at.disk('web.yaml')).toBe(WEB);
  });
});

describe('after the file has moved on', () => {
  it.each([
    { why: 'is gone', code: 'FILE_NOT_FOUND', act: (at: Stage) => unlinkSync(join(at.root, 'db.yaml')) },
    { why: 'can no longer be read', code: 'SYNTAX_INVALID', act: (at: Stage) => at.write('db.yaml', 'a: [') },
  ])('a batch of which one file $why is refused', async ({ code, act }) => {
    const { at, server } = await direct();
    const change = await apply(server, REPLICAS, HOST);
    act(at);
    const web = at.disk('web.yaml');
    expect((await server.refused('config_revert', { change_id: change })).code).toBe(code);
    expect(at.disk('web.yaml')).toBe(web);
  });

  it.each([
    { why: 'was edited', act: (at: Stage) => at.write('db.yaml', DB.replace('&h a', '&h c')) },
    { why: 'is gone', act: (at: Stage) => unlinkSync(join(at.root, 'db.yaml')) },
    { why: 'cannot be parsed', act: (at: Stage) => at.write('db.yaml', 'a: [') },
  ])('the other files are undone by the call that the refusal names, where one $why', async ({ act }) => {
    const { at, server } = await direct();
    const change = await apply(server, REPLICAS, HOST);
    act(at);
    const { again } = await server.refused('config_revert', { change_id: change });
    expect(again).toMatchObject({ arguments: { change_id: change, exclude: ['db.yaml'] } });
    const undone = await server.ok(again?.tool ?? '', again?.arguments);
    await server.ok('config_apply', { preview_id: undone.data['preview_id'] });
    expect(at.disk('web.yaml')).toBe(WEB);
    expect((await server.ok('config_history', { change_id: change })).text).toContain('undone in part since');
    const { history } = (await server.ok('config_history', {})).data;
    expect(history).toContainEqual(
      expect.stringMatching(new RegExp(`^${change} .*, undone in part since`, 'u')),
    );
    at.write('db.yaml', DB.replace('&h a', '&h b'));
    await revert(server, change);
    expect([at.disk('web.yaml'), at.disk('db.yaml')]).toEqual([WEB, DB]);
    expect((await server.ok('config_history', { change_id: change })).text).toContain(', undone since');
  });
});

describe('it is refused', () => {
  it('where no such change was applied', async () => {
    const { server } = await direct();
    const ofPreview = await preview(server, { edits: [REPLICAS] }, 'config_edit');
    for (const id of ['', 'x', 'a'.repeat(52), '../changes/x', '-'.repeat(52), ofPreview]) {
      const error = await server.refused('config_revert', { change_id: id });
      expect([id, error.code]).toEqual([id, 'CHANGE_NOT_FOUND']);
      await server.ok(error.again?.tool ?? '', error.again?.arguments);
    }
  });

  it('where the record was tampered with, as one that is not there', async () => {
    const { at, server } = await direct();
    const change = await apply(server, REPLICAS);
    withDatabase(at.state, (database) =>
      database.run(
        "UPDATE previews SET body = replace(body, 'shop:1', 'evil:1') WHERE id = ?",
        fullIdIn(at.state, change),
      ),
    );
    expect((await server.refused('config_revert', { change_id: change })).code).toBe('CHANGE_NOT_FOUND');
    expect(at.disk('web.yaml')).toContain('replicas: 3');
  });

  it("where today's policy denies a file", async () => {
    const { at, server: lax } = await direct();
    const change = await apply(lax, REPLICAS, HOST);
    const server = await at.start(['--deny', 'db.yaml']);
    const error = await server.refused('config_revert', { change_id: change });
    expect(error).toMatchObject({ code: 'PATH_DENIED', file: 'db.yaml' });
  });

  it('in read-only mode, where nothing is opened to look for it', async () => {
    const at = stage(FILES);
    const server = await at.start(['--read-only']);
    const error = await server.refused('config_revert', { change_id: 'a'.repeat(52) });
    expect(error.code).toBe('READ_ONLY');
    await server.ok(error.again?.tool ?? '', error.again?.arguments);
    expect(existsSync(at.state)).toBe(false);
  });
});
