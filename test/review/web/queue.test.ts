// The queue as a reviewer of many changes sees it: what it says of each, what it lists, how it stays up to date, and how a change of
// hundreds of files is shown.
import { expect, it } from 'vitest';
import type { PreviewFile } from '../../../src/state/preview.ts';
import { BASE, swap } from '../fixture.ts';
import { openPage } from './open-page.ts';

const SCALE = [swap('2', '3')];

it('says of each change who asked, why, what changes first, by which rules, and what others have decided', async () => {
  const { enter, propose, service, keys } = await openPage();
  const rules = [{ rule: 'replicas', level: 'human', file: 'a.yaml', path: 'replicas', count: 1 }] as const;
  const id = await propose(SCALE, { rules, reason: 'more <load>', warnings: ['one', 'two'] });
  const session = await enter();
  const { body } = await session.get('/');
  for (const text of ['replace replicas: 2 → 3', 'more &lt;load&gt;', 'Rules: replicas', '2 warnings'])
    expect(body).toContain(text);
  await service.reject(id, 'no', keys.bob);
  expect((await session.get('/')).body).toContain('Rejected by bob');
});

it('lists what the filter admits, for as long as it stands', async () => {
  const { enter, propose } = await openPage();
  const rules = [{ rule: 'replicas', level: 'human', file: 'a.yaml', path: 'replicas', count: 1 }] as const;
  await propose(SCALE, { rules, reason: 'scaled', caller: { name: 'Deployer', version: '1' } });
  await propose([swap('web:1', 'web:2')], { reason: 'bumped' });
  const session = await enter();
  const { token } = session;
  const listed = async (fields: Readonly<Record<string, string>>) => {
    expect((await session.post('/filter', { token, ...fields })).status).toBe(303);
    const { body } = await session.get('/');
    return ['scaled', 'bumped'].filter((reason) => body.includes(reason));
  };
  expect(await listed({ rule: 'replicas' })).toEqual(['scaled']);
  expect(await listed({ caller: 'deploy' })).toEqual(['scaled']);
  expect(await listed({ file: 'a.yaml' })).toEqual(['scaled', 'bumped']);
  expect(await listed({ file: 'b' })).toEqual([]);
  expect(await listed({ file: '', rule: '"><b>', caller: '' })).toEqual([]);
  expect((await session.get('/')).body).toContain('value="&quot;&gt;&lt;b&gt;"');
  expect(await listed({})).toEqual(['scaled', 'bumped']);
  expect((await session.post('/filter', { token, other: 'x' })).status).toBe(400);
});

it('loads itself again by a header, without a script, and is not used by that [WEB-4]', async () => {
  const { enter, propose, tick } = await openPage();
  const session = await enter();
  const { headers } = await session.get('/');
  expect(headers.get('refresh')).toBe(`30;url=${session.base}/fresh`);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/u);
  const id = await propose(SCALE);
  for (let minutes = 0; minutes < 29; minutes += 1) {
    tick(1);
    expect((await session.get('/fresh')).body).toContain(`/change/${id}`);
  }
  expect((await session.get(`/change/${id}`)).headers.get('refresh')).toBeUndefined();
  for (let minutes = 0; minutes < 30; minutes += 1) {
    tick(1);
    await session.get('/fresh');
  }
  expect((await session.get('/fresh')).status).toBe(403);
});

it('shows equal changes of 500 files once, with all their places, and each warning once', async () => {
  const { enter, previews, draft, file, service } = await openPage();
  const texts = Array.from({ length: 500 }, (_, n) => `name: app-${n}\n${BASE}`);
  const files: readonly PreviewFile[] = texts.map((text, n) => {
    const start = text.indexOf('web:1');
    return file(`apps/${n}.yaml`, text, [{ start, end: start + 5, insert: 'web:2' }]);
  });
  const other = file('other.yaml', BASE, SCALE);
  const saved = await previews.save(draft([...files, other]));
  const id = saved?.id ?? '';
  const view = await service.open(id);
  expect(view.folded.groups.map(({ title, places }) => [title, places.length])).toEqual([
    ['500 files: replace image: web:1 → web:2 (500×)', 500],
  ]);
  const session = await enter();
  const { status, body } = await session.get(`/change/${id}`);
  expect(status).toBe(200);
  expect(body.match(/class="diff"/gu)).toHaveLength(2);
  expect(body.match(/apps\/\d+\.yaml:4 image/gu)).toHaveLength(500);
  expect(body.match(/The file can no longer be read/gu)).toHaveLength(2);
  expect(body.length).toBeLessThan(100_000);
});

it('names the principal that was verified, and says where a name is not', async () => {
  const { enter, propose } = await openPage();
  await propose(SCALE, {
    caller: { name: 'Bot', version: '1', principal: 'ann@example.org', scopes: ['config:write'] },
  });
  await propose([swap('web:1', 'web:2')], { caller: { name: 'Bot', version: '2' } });
  const by = { principal: 'bob@example.org', scopes: ['config:write'] };
  await propose([swap('web:1', 'web:3')], { caller: { name: 'unknown', version: '', ...by } });
  const { body } = await (await enter()).get('/');
  expect(body).toContain('requested by ann@example.org (Bot 1)<');
  expect(body).toContain('requested by bob@example.org<');
  expect(body).toContain('requested by Bot 2 (unverified name)<');
});
