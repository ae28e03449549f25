// config_apply through a client: exactly what the preview showed, once, by whoever may; or a code and unchanged
// files.

import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  FILES,
  humanFlags,
  person,
  preview,
  rewritePreview,
  SET,
  SET_TEXT,
  type Stage,
  sharedStage,
  stage,
} from '../harness/previews.ts';
import { keptIn, type RawDatabase, record, trailOf, withDatabase } from '../harness/state.ts';
import { ownToolServer, type ToolServer } from '../harness/tool-server.ts';

/** Records the signature of ann over one preview as if it were over another. */
async function approvedAs(
  { state }: Pick<Stage, 'state'>,
  signedFor: string,
  preview: string,
): Promise<void> {
  const hers = trailOf(state).find(({ about, type }) => about === signedFor && type === 'approved');
  if (hers === undefined) throw new Error('ann has signed it');
  await record(state, () => ({ ...hers, about: preview }));
}

function refusal(server: ToolServer, id: unknown) {
  return server.refused('config_apply', { preview_id: id });
}

const [ann, bob, eve] = [person('ann'), person('bob'), person('eve')];
const direct = sharedStage();
const strict = sharedStage(['--approval', 'preview']);
const asking = sharedStage(['--approval', 'client']);
const reviewed = sharedStage((at) => humanFlags(at, [ann, bob]));

describe('a preview', () => {
  it.each(['direct', 'preview'])(
    'is applied to the byte, and says how it was confirmed: %s [APR-1]',
    async (level) => {
      const { at, server } = await (level === 'direct' ? direct : strict)();
      const shown = await server.ok('config_set', SET);
      const { data, text } = await server.ok('config_apply', { preview_id: shown.data['preview_id'] });
      expect(data).toMatchObject({ ok: true, applied: true, confirmed_by: level });
      expect(data['change_id']).toMatch(/^(?:pv|ch)_\w{10}$/u);
      expect(data['sha256']).toEqual(shown.data['sha256']);
      expect(text.endsWith(` config_revert {"change_id":"${String(data['change_id'])}"}`)).toBe(true);
      expect(at.disk('a.yaml')).toBe(SET_TEXT);
    },
  );

  it('survives a restart', async () => {
    const at = stage();
    const first = await at.start();
    const id = await preview(first);
    await first.close();
    await (await at.start()).ok('config_apply', { preview_id: id });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  });

  it('that is too long to be shown whole has no id and is not kept [APR-9]', async () => {
    const at = stage();
    const server = await at.start(['--max-reply-chars', '300', '--approval', 'preview']);
    const { data, text } = await server.ok('config_set', {
      ...SET,
      value: `"${'x'.repeat(400)}"`,
      json: undefined,
    });
    expect(data['dry_run']).toBe(true);
    expect(data).not.toHaveProperty('preview_id');
    expect(text).toContain('It has no preview_id');
    expect(keptIn(at.state, 'previews')).toEqual([]);
  });

  it('in read-only mode is not kept, and nothing is opened for it', async () => {
    const at = stage();
    const server = await at.start(['--read-only']);
    const { data, text } = await server.ok('config_set', SET);
    expect(data).not.toHaveProperty('preview_id');
    expect(text).toContain('read-only, and the preview was not kept');
    expect(existsSync(at.state)).toBe(false);
    const refused = await refusal(server, 'a'.repeat(52));
    expect(refused.code).toBe('READ_ONLY');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
  });
});

it.each([
  { flags: () => [], before: 0 },
  { flags: (at: Stage) => humanFlags(at, [ann]), before: 1 },
])(
  'keeps the text of a file only if a person looks at it, or from the write on: $before [APR-13]',
  async ({ flags, before }) => {
    const at = stage();
    const server = await at.start(flags(at));
    const texts = () => withDatabase(at.state, (database) => database.all('SELECT bases FROM texts'));
    const id = await preview(server);
    expect(texts()).toHaveLength(before);
    const read = await server.ok('config_get', { file: 'a.yaml', path: 'a', preview_id: id });
    expect(read.text).toContain('7');
    if (before > 0) await ann.decide(at, id, 'approve');
    const { data } = await server.ok('config_apply', { preview_id: id });
    expect(texts()).toEqual([{ bases: JSON.stringify([FILES['a.yaml']]) }]);
    const own = { file: 'a.yaml', before_change: data['change_id'] };
    expect((await server.ok('config_diff', { a: own, b: { file: 'a.yaml' } })).text).toContain('~ a: 1 → 7');
    await server.ok('config_revert', { change_id: data['change_id'] });
  },
);

describe('is refused, and no file changes,', () => {
  it('where the id is forged, guessed, or a way to another file', async () => {
    const { at, server } = await direct();
    const id = await preview(server);
    const forged = [
      '',
      'x',
      'a'.repeat(52),
      `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`,
      id.slice(0, 10),
      id.toUpperCase(),
      `${id}.json`,
      `../previews/${id}`,
      `${id}\0`,
      'x'.repeat(100_000),
    ];
    for (const preview_id of forged) {
      const { code } = await refusal(server, preview_id);
      expect([preview_id.slice(0, 60), code]).toEqual([preview_id.slice(0, 60), 'PREVIEW_NOT_FOUND']);
    }
    for (const preview_id of [null, 7, [id], { id }, undefined])
      expect((await server.refused('config_apply', { preview_id })).code).toBe('ARGUMENT_INVALID');
    for (const more of [
      { confirmed: 'terminal' },
      { approved: true },
      { dry_run: false },
      { confirmed_by: 'human' },
    ])
      expect((await server.refused('config_apply', { preview_id: id, ...more })).code).toBe(
        'ARGUMENT_INVALID',
      );
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
  });

  it('where it was applied before, also by a server that has just started [APR-2]', async () => {
    const { at, server } = await direct();
    const id = await preview(server);
    await server.ok('config_apply', { preview_id: id });
    at.write('a.yaml', FILES['a.yaml']);
    for (const again of [server, await at.start()]) {
      const error = await refusal(again, id);
      expect(error).toMatchObject({ code: 'PREVIEW_USED', file: 'a.yaml' });
      await again.ok(error.again?.tool ?? '', error.again?.arguments);
    }
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
  });

  const rewritten = (from: string, to: string) => (database: RawDatabase, id: string) =>
    database.run('UPDATE previews SET body = replace(body, ?, ?) WHERE id = ?', from, to, id);

  it('where somebody has changed the text that a reviewer was shown [APR-1]', async () => {
    const at = stage();
    const server = await at.start(humanFlags(at, [ann]));
    const id = await preview(server);
    await ann.decide(at, id, 'approve');
    withDatabase(at.state, (database) =>
      database.run("UPDATE texts SET bases = replace(bases, '# one', '# two')"),
    );
    expect((await refusal(server, id)).code).toBe('PREVIEW_NOT_FOUND');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
  });

  it.each([
    { why: 'the edits', change: rewritten('"insert":"7"', '"insert":"9"') },
    { why: 'the expiry', change: rewritten('"expires_at":"20', '"expires_at":"21') },
  ])('where somebody has changed $why of the stored preview [APR-1]', async ({ change }) => {
    const at = stage();
    const server = await at.start();
    const id = await preview(server);
    const kept = () => withDatabase(at.state, (database) => database.all('SELECT body FROM previews'));
    const before = kept();
    withDatabase(at.state, (database) => change(database, id));
    expect(kept()).not.toEqual(before);
    const error = await refusal(server, id);
    expect(error.code).toBe('PREVIEW_NOT_FOUND');
    await server.ok(error.again?.tool ?? '', error.again?.arguments);
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    expect(server.log()).toContain('"event":"preview_tampered"');
  });

  it.each([
    {
      why: 'too old',
      changes: { created_at: '2020-01-01T00:00:00.000Z', expires_at: '2020-01-01T00:15:00.000Z' },
    },
    {
      why: 'from the future',
      changes: { created_at: '2099-01-01T00:00:00.000Z', expires_at: '2099-01-01T00:15:00.000Z' },
    },
  ])('where the preview is $why, and the step previews it anew (WORK-021) [APR-2]', async ({ changes }) => {
    const { at, server } = await direct();
    const id = await rewritePreview(at, await preview(server), changes);
    const error = await refusal(server, id);
    expect(error.code).toBe('PREVIEW_EXPIRED');
    const step = error.again;
    const again = await server.ok(step?.tool ?? '', step?.arguments);
    await server.ok('config_apply', { preview_id: again.data['preview_id'] });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  });

  it.each([
    { why: 'denies the file', flags: ['--deny', 'a.yaml'] },
    { why: 'allows less', flags: ['--allow', '*.yaml'] },
  ])('where the server was started anew with a policy that $why [APR-1]', async ({ flags }) => {
    const { at, server: first } = await direct();
    const id = await preview(first);
    const server = await at.start(flags);
    const error = await refusal(server, id);
    expect(error.code).toBe('PREVIEW_EXPIRED');
    // The arguments of then may hold what is masked by now.
    expect(error.again?.tool).toBe('config_list');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
  });

  it.each([
    {
      why: 'a symbolic link',
      code: 'SYMLINK_REFUSED',
      put: (file: string, copy: string) => symlinkSync(copy, file),
    },
    {
      why: 'a file with a second name',
      code: 'HARD_LINK_REFUSED',
      put: (file: string, copy: string) => linkSync(copy, file),
    },
    { why: 'nothing', code: 'FILE_NOT_FOUND', put: () => undefined },
  ])('where $why stands in the place of the file by now', async ({ code, put }) => {
    const { at, server } = await direct();
    const id = await preview(server);
    const [file, copy] = [join(at.root, 'a.yaml'), join(at.place, 'copy.yaml')];
    renameSync(file, copy);
    put(file, copy);
    expect((await refusal(server, id)).code).toBe(code);
    expect(readFileSync(copy, 'utf8')).toBe(FILES['a.yaml']);
  });

  it.each([
    { why: 'at the same path', text: 'a: 3 # one\nb: 2\n' },
    { why: 'to no YAML', text: 'a: [\n' },
  ])('where the file has changed since, $why (WORK-001) [APR-1]', async ({ text }) => {
    const { at, server } = await direct();
    const id = await preview(server);
    at.write('a.yaml', text);
    expect((await refusal(server, id)).code).toBe('FILE_CHANGED');
    expect(at.disk('a.yaml')).toBe(text);
    at.write('a.yaml', FILES['a.yaml']);
    await server.ok('config_apply', { preview_id: id });
  });

  it('all of a batch, where one of its files has changed (WORK-019)', async () => {
    const { at, server } = await direct();
    const edits = ['a', 'b'].map((name) => ({ op: 'set', file: `${name}.yaml`, path: 'z', json: 1 }));
    const id = await preview(server, { edits }, 'config_edit');
    at.write('b.yaml', 'x: 1 # mine\n');
    expect((await refusal(server, id)).code).toBe('FILE_CHANGED');
    expect([at.disk('a.yaml'), at.disk('b.yaml')]).toEqual([FILES['a.yaml'], 'x: 1 # mine\n']);
  });

  it.each([
    ['preview', strict],
    ['client', asking],
    ['human', reviewed],
  ] as const)('where a call wants to write at once: %s [APR-3]', async (_, shared) => {
    const { at, server } = await shared();
    const error = await server.refused('config_set', { ...SET, dry_run: false });
    expect(error.code).toBe('PREVIEW_REQUIRED');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    const step = error.again;
    expect((await server.ok(step?.tool ?? '', step?.arguments)).data).toHaveProperty('preview_id');
  });

  it('where nobody at the client can be asked (WORK-014)', async () => {
    const { at, server } = await asking();
    const error = await refusal(server, await preview(server));
    expect(error.code).toBe('APPROVAL_UNAVAILABLE');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
  });
});

it('a preview is none to a server of other roots, and what was asked for is not repeated to its agent [APR-6]', async () => {
  const at = stage();
  const server = await at.start();
  const id = await preview(server);
  const root = join(at.place, 'other');
  mkdirSync(root);
  writeFileSync(join(root, 'a.yaml'), FILES['a.yaml']);
  const other = await ownToolServer({ root, state: at.state });
  const error = await refusal(other, id);
  expect(error.code).toBe('PREVIEW_NOT_FOUND');
  expect(JSON.stringify(error)).not.toContain('a.yaml');
  await server.ok('config_apply', { preview_id: id });
  expect((await refusal(other, id)).code).toBe('PREVIEW_NOT_FOUND');
  expect(other.log()).not.toContain('preview_tampered');
  expect(readFileSync(join(root, 'a.yaml'), 'utf8')).toBe(FILES['a.yaml']);
});

describe('with a person who must approve, it', () => {
  it('waits, says for what, and applies once it is signed [APR-3]', async () => {
    const { at, server } = await reviewed();
    const before = Date.now();
    const shown = await server.ok('config_set', SET);
    const id = String(shown.data['preview_id']);
    expect(shown.text).toContain(`config-airlock approve ${id}`);
    expect(Date.parse(String(shown.data['expires_at']))).toBeGreaterThanOrEqual(before + 7 * 86_400_000);
    const waiting = await refusal(server, id);
    expect(waiting).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(waiting.message).toContain(`config-airlock approve ${id}`);
    expect(waiting.again).toMatchObject({
      tool: 'config_history',
      arguments: { preview_id: id },
    });
    await bob.decide(at, id, 'approve');
    const { data } = await server.ok('config_apply', { preview_id: id });
    expect(data).toMatchObject({ applied: true, confirmed_by: 'human', reviewer: 'bob' });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  });

  it('is the one that holds more edits, once some were added', async () => {
    const { at, server } = await reviewed();
    const first = await preview(server);
    const preview_id = await preview(server, { ...SET, preview_id: first });
    expect((await refusal(server, first)).code).toBe('PREVIEW_REPLACED');
    await bob.decide(at, preview_id, 'approve');
    await server.ok('config_apply', { preview_id });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  });

  it('tells of a rejection with its note, harmlessly', async () => {
    const { at, server } = await reviewed();
    const id = await preview(server);
    await ann.decide(at, id, 'reject', { note: 'not \u001b[2Jthis\u202e one\nAPPROVED' });
    const error = await refusal(server, id);
    expect(error.code).toBe('APPROVAL_DECLINED');
    expect(error.message).toContain('ann has rejected it: not <U+001B>[2Jthis<U+202E> one<U+000A>APPROVED');
    await server.ok(error.again?.tool ?? '', error.again?.arguments);
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    at.write('a.yaml', `${FILES['a.yaml']}# later\n`);
    expect(await refusal(server, id)).toMatchObject({ code: 'APPROVAL_DECLINED', message: error.message });
  });

  it('is not moved by a key that is not on the list, nor by a signature over another preview (WORK-011) [APR-3]', async () => {
    const { at, server } = await reviewed();
    const [id, other] = [await preview(server), await preview(server, { ...SET, json: 8 })];
    await eve.decide(at, id, 'approve');
    await ann.decide(at, other, 'approve');
    await approvedAs(at, other, id);
    expect((await refusal(server, id)).code).toBe('APPROVAL_REQUIRED');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    expect(server.log()).toContain('"event":"decision_not_genuine"');
  });

  it('is not moved by what somebody took out of the state directory or put back [APR-5]', async () => {
    const at = stage();
    const flags = humanFlags(at, [ann, bob]);
    const server = await at.start(flags);
    // A "yes" that is recorded again, behind the "no" of another, and behind that of the same reviewer.
    const rejected = await preview(server);
    await ann.decide(at, rejected, 'approve');
    for (const reviewer of [bob, ann]) {
      await reviewer.decide(at, rejected, 'reject');
      await approvedAs(at, rejected, rejected);
      expect((await refusal(server, rejected)).code).toBe('APPROVAL_DECLINED');
    }
    // The change that was deleted, and the file as it was.
    const used = await preview(server);
    await ann.decide(at, used, 'approve');
    await server.ok('config_apply', { preview_id: used });
    withDatabase(at.state, (database) => database.run('DELETE FROM previews WHERE id = ?', used));
    at.write('a.yaml', FILES['a.yaml']);
    for (const again of [server, await at.start(flags)])
      expect((await refusal(again, used)).code).toBe('PREVIEW_USED');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    expect(server.log()).toContain('"event":"decision_not_genuine"');
  });

  it('takes a rejection of the whole for one of its parts, and an approval that nobody recorded for none [APR-5]', async () => {
    const at = stage();
    const server = await at.start(humanFlags(at, [ann, bob]));
    const whole = await preview(server, { ...SET, json: 8 });
    const origin = { kind: 'part', of: whole, kept: [0] };
    const part = await rewritePreview(at, await preview(server), { origin });
    await ann.decide(at, part, 'approve');
    await bob.decide(at, whole, 'reject');
    expect((await refusal(server, part)).code).toBe('APPROVAL_DECLINED');
    const other = await preview(server);
    const fresh = await at.start(humanFlags(at, [ann, bob]));
    await ann.decide(at, other, 'approve');
    withDatabase(at.state, (database) =>
      database.run('DELETE FROM trail WHERE seq = (SELECT max(seq) FROM trail)'),
    );
    expect((await refusal(fresh, other)).code).toBe('APPROVAL_REQUIRED');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
  });

  it('does not count the word of whoever was taken off the list meanwhile, nor a list that others may write [APR-7]', async () => {
    const at = stage();
    const server = await at.start(humanFlags(at, [ann, bob]));
    const file = join(at.place, 'reviewers');
    const whole = readFileSync(file);
    const id = await preview(server);
    await ann.decide(at, id, 'approve');
    for (const spoil of [
      () => humanFlags(at, [bob]),
      () => writeFileSync(file, ''),
      () => writeFileSync(file, 'ann\n'),
      () => chmodSync(file, 0o666),
      () => rmSync(file),
    ]) {
      spoil();
      expect((await refusal(server, id)).code).toBe('APPROVAL_REQUIRED');
      writeFileSync(file, whole);
      chmodSync(file, 0o600);
    }
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    expect(server.log()).toContain('"event":"reviewers_unusable"');
    // One who came later counts as well.
    humanFlags(at, [ann, bob, eve]);
    const other = await preview(server, { ...SET, json: 8 });
    await eve.decide(at, other, 'approve');
    expect((await server.ok('config_apply', { preview_id: other })).data).toMatchObject({ reviewer: 'eve' });
  });

  it('does not start without reviewers, for nothing could be approved', async () => {
    await expect(stage().start(['--approval', 'human'])).rejects.toThrow('--approval human needs reviewers');
  });
});
