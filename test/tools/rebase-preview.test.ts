// A preview whose file has moved on: it is never applied. Where the change is in nobody's way, the same change is
// previewed anew; where it is, the reply says what is.

import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { humanFlags, person, preview, type Stage, sharedStage, stage } from '../harness/previews.ts';
import { recordIn } from '../harness/state.ts';

const WEB = `web:
  image: shop:1   # pinned
  # how many
  replicas: 2
jobs:
  - { name: mail, every: 5m }
  - { name: tidy, every: 1h }
items:
  - { at: a, n: 1 }
  - { at: b, n: 1 }
---
kind: Deployment
metadata: { name: web }
spec: { replicas: 1 }
---
kind: Deployment
metadata: { name: db }
spec: { replicas: 1 }
`;
const FILES = { 'web.yaml': WEB, 'db.yaml': 'host: a\nport: 1\n' };

const at0 = { file: 'web.yaml', doc: 0 };
const REPLICAS = { op: 'set', ...at0, path: 'web.replicas', json: 3 };
const HOST = { op: 'set', file: 'db.yaml', path: 'host', json: 'b' };

const DB_REPLICAS = {
  op: 'set',
  file: 'web.yaml',
  doc: { 'metadata.name': 'db' },
  path: 'spec.replicas',
  json: 4,
};

const direct = sharedStage([], FILES);
const strict = sharedStage(['--approval', 'preview'], FILES);

function drifted(at: Stage, from: string | RegExp, to: string): string {
  const now = at.disk('web.yaml').replace(from, to);
  at.write('web.yaml', now);
  return now;
}

async function refusedAfter(edits: readonly object[], from: string | RegExp, to: string) {
  const { at, server } = await strict();
  const id = await preview(server, { edits }, 'config_edit');
  const now = drifted(at, from, to);
  expect(now).not.toBe(WEB);
  const error = await server.refused('config_apply', { preview_id: id });
  expect(error).toMatchObject({ code: 'FILE_CHANGED', category: 'conflict' });
  expect(at.disk('web.yaml')).toBe(now);
  return { at, server, id, now, error };
}

describe('a file that changed elsewhere', () => {
  it.each([
    { why: 'another key', edits: [REPLICAS], by: ['shop:1', 'shop:2'], changes: ['web.image'] },
    { why: 'a comment only', edits: [REPLICAS], by: ['# how many', '# how many of them'], changes: [] },
    {
      why: 'another item of a nameless list',
      edits: [{ op: 'set', ...at0, path: 'items[1].n', json: 2 }],
      by: ['at: a, n: 1', 'at: a, n: 5'],
      changes: ['items[0].n'],
    },
    {
      why: 'another document',
      edits: [DB_REPLICAS],
      by: [/spec: \{ replicas: 1 \}/, 'spec: { replicas: 9 }'],
      changes: ['spec.replicas'],
    },
    {
      why: 'another document came before it',
      edits: [DB_REPLICAS],
      by: ['---\nkind', '---\nkind: Job\nmetadata: { name: web }\n---\nkind'],
      changes: [''],
    },
    {
      why: 'another key, of a change that is a comment',
      edits: [{ op: 'comment', ...at0, path: 'web.replicas', comment: 'enough', place: 'line_end' }],
      by: ['shop:1', 'shop:2'],
      changes: ['web.image'],
    },
  ] as const)(
    'is told apart, and the same change is previewed anew: $why [EDT-8]',
    async ({ edits, by: [from, to], changes }) => {
      const { at, server, id, now, error } = await refusedAfter(edits, from, to);
      expect(
        error.drift?.map(({ file, changes: since, meeting }) => [
          file,
          since.map(({ path }) => path),
          meeting,
        ]),
      ).toEqual([['web.yaml', changes, []]]);
      const fresh = error.preview?.preview_id ?? '';
      expect(fresh).toMatch(/^(?:pv|ch)_\w{10}$/u);
      expect(fresh).not.toBe(id);
      expect(Date.parse(error.preview?.expires_at ?? '')).toBeGreaterThan(Date.now());
      expect(error.recovery_steps).toMatchObject([
        { tool: 'config_apply', arguments: { preview_id: fresh } },
      ]);
      expect(error.text).toContain(error.preview?.diff.split('\n')[3]);
      await server.ok('config_apply', { preview_id: fresh });
      // What the same edits do to the file as it is now.
      const other = await direct();
      other.at.write('web.yaml', now);
      await other.server.ok('config_edit', { edits, dry_run: false });
      expect([at.disk('web.yaml'), at.disk('db.yaml')]).toEqual([
        other.at.disk('web.yaml'),
        other.at.disk('db.yaml'),
      ]);
      expect((await server.refused('config_apply', { preview_id: id })).code).toBe('FILE_CHANGED');
    },
  );

  it('is found by its name where its number is another one, and asked for under that [EDT-8]', async () => {
    const edits = [{ ...DB_REPLICAS, doc: 2 }];
    const { at, server, now, error } = await refusedAfter(edits, '---\n', '---\nkind: Job\n---\n');
    const fresh = error.preview?.preview_id ?? '';
    expect(JSON.parse(recordIn(at.state, fresh) ?? '')).toMatchObject({
      request: { edits: [{ file: 'web.yaml', doc: 3 }] },
      files: [{ changes: [{ doc: 3, path: 'spec.replicas' }] }],
    });
    await server.ok('config_apply', { preview_id: fresh });
    expect(at.disk('web.yaml')).toBe(now.replace(/1 \}\n$/, '4 }\n'));
  });

  it('is undone where a document came since [EDT-8]', async () => {
    const { at, server } = await strict();
    const first = await server.ok('config_edit', { edits: [DB_REPLICAS], dry_run: true });
    const { data } = await server.ok('config_apply', { preview_id: first.data['preview_id'] });
    const now = drifted(at, '---\n', '---\nkind: Job\n---\n');
    const undone = await server.ok('config_revert', { change_id: data['change_id'], dry_run: true });
    await server.ok('config_apply', { preview_id: undone.data['preview_id'] });
    expect(at.disk('web.yaml')).toBe(now.replace('replicas: 4', 'replicas: 1'));
  });

  it('is asked of a person again, where a person decides [EDT-8]', async () => {
    const at = stage(FILES);
    const ada = person('ada');
    const server = await at.start(humanFlags(at, [ada]));
    const id = await preview(server, { edits: [REPLICAS] }, 'config_edit');
    await ada.decide(at, id, 'approve');
    const now = drifted(at, 'shop:1', 'shop:2');
    const error = await server.refused('config_apply', { preview_id: id });
    const fresh = error.preview?.preview_id ?? '';
    expect(error.suggestions.join()).toContain('waits for the approval of a person again');
    expect((await server.refused('config_apply', { preview_id: fresh })).code).toBe('APPROVAL_REQUIRED');
    expect(at.disk('web.yaml')).toBe(now);
    await ada.decide(at, fresh, 'approve');
    await server.ok('config_apply', { preview_id: fresh });
    expect(at.disk('web.yaml')).toBe(now.replace('replicas: 2', 'replicas: 3'));
  });
});

describe('a file that changed where the change is', () => {
  it.each([
    { why: 'the same key', edits: [REPLICAS], by: ['replicas: 2', 'replicas: 5'], meets: ['web.replicas'] },
    { why: 'the key above', edits: [REPLICAS], by: [/web:[\s\S]*(?=jobs)/, 'web: no\n'], meets: ['web'] },
    {
      why: 'a key below',
      edits: [{ op: 'set', ...at0, path: 'web', value: 'none' }],
      by: ['replicas: 2', 'replicas: 5'],
      meets: ['web.replicas'],
    },
    {
      why: 'a named item came before it',
      edits: [{ op: 'set', ...at0, path: 'jobs[1].every', json: '2h' }],
      by: ['jobs:\n', 'jobs:\n  - { name: new, every: 1m }\n'],
      meets: ['jobs[0]'],
    },
    {
      why: 'a document came that has its kind and name',
      edits: [{ ...DB_REPLICAS, doc: 2 }],
      by: [/$/, '---\nkind: Deployment\nmetadata: { name: db }\n'],
      meets: ['', '', ''],
    },
  ] as const)(
    'is refused with what is in the way, and no new preview: $why [EDT-8]',
    async ({ edits, by: [from, to], meets }) => {
      const { server, now, at, error } = await refusedAfter(edits, from, to);
      expect(error.drift?.flatMap(({ meeting }) => meeting)).toEqual(meets);
      expect(error.preview).toBeUndefined();
      // To preview it anew is up to whoever asked for it.
      const [step] = error.recovery_steps;
      expect(step?.tool).toBe('config_edit');
      expect(step?.arguments).toMatchObject({ edits, dry_run: true });
      if (!at.disk('web.yaml').includes('web: no')) await server.ok(step?.tool ?? '', step?.arguments);
      expect(at.disk('web.yaml')).toBe(now);
    },
  );

  it('keeps a schema that the new file would break', async () => {
    const at = stage(FILES);
    const schema = '{"if":{"properties":{"port":{"const":2}}},"then":{"properties":{"host":{"const":"a"}}}}';
    at.write('../s.json', schema);
    const server = await at.start([
      '--approval',
      'preview',
      '--schema',
      `db.yaml=${join(at.place, 's.json')}`,
    ]);
    const id = await preview(server, { edits: [HOST] }, 'config_edit');
    at.write('db.yaml', FILES['db.yaml'].replace('port: 1', 'port: 2'));
    const error = await server.refused('config_apply', { preview_id: id });
    expect(error.code).toBe('FILE_CHANGED');
    expect(error.preview).toBeUndefined();
  });
});

describe('a file that is no longer there to compare', () => {
  it.each([
    { why: 'gone', code: 'FILE_NOT_FOUND', act: (at: Stage) => unlinkSync(join(at.root, 'web.yaml')) },
    { why: 'broken', code: 'FILE_CHANGED', act: (at: Stage) => at.write('web.yaml', 'a: [') },
  ])('is refused as that: $why', async ({ code, act }) => {
    const { at, server } = await direct();
    const id = await preview(server, { edits: [HOST, REPLICAS] }, 'config_edit');
    act(at);
    const error = await server.refused('config_apply', { preview_id: id });
    expect(error).toMatchObject({ code, context: { file: 'web.yaml' } });
    expect(at.disk('db.yaml')).toBe(FILES['db.yaml']);
    for (const { tool, arguments: args } of error.recovery_steps) await server.ok(tool ?? '', args);
  });
});
