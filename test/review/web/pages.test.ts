// What the pages say of changes that were applied, undone, decided or lost.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeReviewerKey } from '../../../src/security/approval/reviewer-key.ts';
import { sha256 } from '../../harness/sha256.ts';
import { BASE, swap } from '../fixture.ts';
import { openPage } from './open-page.ts';

const SCALE = [swap('2', '3')];

it('the history shows what was applied, who approved it, with its diff, and what has undone it', async () => {
  const { enter, propose, apply, finish } = await openPage();
  const first = await apply(await propose(SCALE));
  const session = await enter();
  expect((await session.get('/history')).body).toContain('not finished');
  await finish(first);
  expect((await session.get('/history')).body).not.toContain('not finished');
  const second = await apply(await propose(SCALE, { origin: { kind: 'revert', change_id: first } }));
  expect((await session.get('/history')).body).not.toContain('undone<');
  await finish(second);
  const list = (await session.get('/history')).body;
  for (const text of ['Approved by ann', 'an agent 1.2', 'undone', 'undoing an earlier change'])
    expect(list).toContain(text);
  const page = (await session.get(`/applied/${first}`)).body;
  expect(page).toContain(`/applied/${second}`);
  expect(page).toContain('<del>2</del>');
  expect((await session.get(`/applied/${'x'.repeat(52)}`)).status).toBe(404);
});

it('a change says that its file has moved on, and takes no approval once it was applied', async () => {
  const { enter, here, propose, state, previews, apply } = await openPage();
  const id = await propose(SCALE);
  const session = await enter();
  writeFileSync(join(here.root, 'a.yaml'), BASE.replace('shop', 'bakery'));
  expect((await session.get(`/change/${id}`)).body).toContain('The file has changed since');
  expect((await previews.load(id)).id).toBe(id);
  await apply(id);
  const late = await session.post(`/change/${id}/approve`);
  expect(late.status).toBe(409);
  expect(late.body).toContain('it has been applied already');
  expect((await state.store.statusOf(id)).decisions).toEqual([]);
});

it('a change whose file has moved on can only be rejected: its new preview is decided [WEB-6]', async () => {
  const { enter, here, propose } = await openPage();
  const id = await propose(SCALE);
  const session = await enter();
  writeFileSync(join(here.root, 'a.yaml'), BASE.replace('shop', 'bakery'));
  const page = (await session.get(`/change/${id}`)).body;
  expect(page).toContain('it can only be rejected');
  expect(page).not.toMatch(/class="good"/u);
});

it('a file that is deleted is not shown as one that loses its data [WEB-6]', async () => {
  const { enter, previews, draft, look } = await openPage();
  const edits = [{ start: 0, end: BASE.length, insert: '' }];
  const hashes = { base_sha256: sha256(BASE), result_sha256: sha256('') };
  const whole = { file: 'a.yaml', base: BASE, ...hashes, file_op: 'delete', mode: 0o644, edits } as const;
  const gone = { ...whole, ...look('a.yaml', BASE, '', edits, 'delete') };
  const id = (await previews.save(draft([gone], { approval: 'human' })))?.id ?? '';
  const { body } = await (await enter()).get(`/change/${id}`);
  for (const text of ['(the whole file)', 'the file</span>', 'no file: it is deleted'])
    expect(body).toContain(text);
});

it('the list that cannot be made says so, and does not pass for an empty one (finding 15.5)', async () => {
  const { enter, propose, here } = await openPage();
  await propose(SCALE);
  const session = await enter();
  rmSync(join(here.base, 'state/state.db'));
  const { status, body } = await session.get('/');
  expect([status === 200, body.includes('The pending changes cannot be listed')]).toEqual([false, true]);
  expect(body).not.toContain('No pending changes');
});

it('a change that was rejected offers no decision that would be refused', async () => {
  const { enter, propose, service, keys } = await openPage();
  const id = await propose([swap('shop', 'bakery'), ...SCALE]);
  const session = await enter();
  expect((await session.get(`/change/${id}`)).body).toContain('Approve this change');
  await service.reject(id, 'no', keys.bob);
  const { body } = await session.get(`/change/${id}`);
  expect(body).toContain('One rejection is final');
  expect(body).not.toMatch(/Approve|Reject<|name="part"/);
});

it('a note that is too long, and parts that are none or all, decide nothing and say why', async () => {
  const { enter, propose, service } = await openPage();
  const id = await propose([swap('shop', 'bakery'), ...SCALE]);
  const { post, token } = await enter();
  const bad: readonly (readonly [string, string])[] = [
    ['reject', `token=${token}&note=${'x'.repeat(501)}`],
    ['part', `token=${token}`],
    ['part', `token=${token}&part=0&part=1`],
    ...['7', '-1', '1e3', '', '01', '99999999'].map(
      (part) => ['part', `token=${token}&part=${part}`] as const,
    ),
    ['keep', `token=${token}`],
    ['keep', `token=${token}&part=0&part=0`],
    ['keep', `token=${token}&part=0&part=1`],
  ];
  for (const [step, form] of bad) {
    const { status, body } = await post(`/change/${id}/${step}`, form);
    expect(status, form).toBe(409);
    expect(body).toContain('role="alert"');
  }
  expect((await service.open(id)).state).toBe('pending');
  expect((await post(`/change/${id}/part`, `token=${token}&part=1`)).body).toContain('1 of 2 parts');
  expect((await service.open(id)).state).toBe('pending');
});

it('a change that is not there, or is none of a person, is not shown', async () => {
  const { enter, propose } = await openPage();
  const session = await enter();
  expect((await session.get(`/change/${'x'.repeat(52)}`)).status).toBe(404);
  const direct = await propose(SCALE, { approval: 'preview' });
  expect((await session.get('/')).body).not.toContain(direct);
  const { body } = await session.get(`/change/${direct}`);
  expect(body).toContain('needs no reviewer');
  // The only form on it ends the session.
  expect(body.match(/<form/gu)).toHaveLength(1);
  expect((await session.post(`/change/${direct}/approve`)).status).toBe(409);
});

it('a key that was taken off the list while the page was open decides nothing, and is told why', async () => {
  const { enter, propose, here, service } = await openPage();
  const id = await propose([swap('shop', 'bakery'), ...SCALE]);
  const { post, token } = await enter();
  here.write('reviewers', `${makeReviewerKey('bob').line}\n`, 0o600);
  for (const [step, form] of [
    ['approve', `token=${token}`],
    ['reject', `token=${token}&note=`],
    ['keep', `token=${token}&part=0`],
  ] as const) {
    const { status, body } = await post(`/change/${id}/${step}`, form);
    expect(status).toBe(403);
    expect(body).toContain('this key is not in the reviewers file');
  }
  expect((await service.open(id)).decisions).toEqual([]);
});

it('a change is undone from the page that runs beside the files, seen first, and approved where that is needed [WEB-6]', async () => {
  const proposed: unknown[] = [];
  const at = { id: '' };
  const applied: unknown[] = [];
  const page = await openPage({
    propose: async (change, reviewer) => {
      proposed.push([change, reviewer]);
      return at.id;
    },
    apply: async (id) => {
      applied.push(id);
      return 'c'.repeat(52);
    },
  });
  const { enter, apply, finish, propose } = page;
  const change = await apply(await propose(SCALE));
  await finish(change);
  at.id = await propose(SCALE, { origin: { kind: 'revert', change_id: change } });
  const other = await propose(SCALE);
  const session = await enter();
  const { token } = session;
  expect((await session.get(`/applied/${change}`)).body).toContain(`/applied/${change}/undo`);
  const begun = await session.post(`/applied/${change}/undo`, { token });
  expect(begun.headers.get('location')).toBe(`${session.base}/change/${at.id}`);
  expect(proposed).toEqual([[change, 'ann']]);
  expect((await session.get(`/change/${at.id}`)).body).not.toContain(`/change/${at.id}/apply`);
  await session.post(`/change/${at.id}/approve`, { token });
  expect((await session.get(`/change/${at.id}`)).body).toContain(`/change/${at.id}/apply`);
  expect((await session.post(`/change/${other}/apply`, { token })).status).toBe(409);
  const ended = await session.post(`/change/${at.id}/apply`, { token });
  expect(ended.headers.get('location')).toBe(`${session.base}/applied/${'c'.repeat(52)}`);
  expect(applied).toEqual([at.id]);
});
