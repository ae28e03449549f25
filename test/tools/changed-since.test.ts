// A preview whose file has changed since is never applied: the call runs again. If it changes the same values, that is a new
// preview; otherwise the reply shows both.

import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { humanFlags, person, preview, type Stage, sharedStage, stage } from '../harness/previews.ts';
import { sha256 } from '../harness/sha256.ts';
import { bodyIn } from '../harness/state.ts';

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
  expect(error).toMatchObject({ code: 'FILE_CHANGED' });
  expect(at.disk('web.yaml')).toBe(now);
  return { at, server, id, now, error };
}

const TIDY = { op: 'set', ...at0, path: 'jobs[name=tidy].every', json: '2h' };
const EVERYWHERE = { op: 'set', file: '*.yaml', path: '**.replicas', json: 3, doc: '*' };

describe('the same change of a file that changed', () => {
  it.each([
    { why: 'another key', edits: [REPLICAS], by: ['shop:1', 'shop:2'] },
    { why: 'a comment only', edits: [REPLICAS], by: ['# how many', '# how many of them'] },
    { why: 'a key before it', edits: [REPLICAS], by: [/^/, 'top: 1\n'] },
    {
      why: 'another item of a nameless list',
      edits: [{ op: 'set', ...at0, path: 'items[1].n', json: 2 }],
      by: ['at: a, n: 1', 'at: a, n: 5'],
    },
    {
      why: 'another document',
      edits: [DB_REPLICAS],
      by: [/spec: \{ replicas: 1 \}/, 'spec: { replicas: 9 }'],
    },
    {
      why: 'another document came before it',
      edits: [DB_REPLICAS],
      by: ['---\nkind', '---\nkind: Job\nmetadata: { name: web }\n---\nkind'],
    },
    {
      why: 'an item came before the named one',
      edits: [TIDY],
      by: ['jobs:\n', 'jobs:\n  - { name: new }\n'],
    },
    { why: 'another key of the named item', edits: [TIDY], by: ['name: tidy,', 'name: tidy, at: noon,'] },
    {
      why: 'another key, of a change that is a comment',
      edits: [{ op: 'comment', ...at0, path: 'web.replicas', comment: 'enough', place: 'line_end' }],
      by: ['shop:1', 'shop:2'],
    },
    {
      why: 'another line, of a text that is replaced',
      edits: [{ op: 'replace_text', file: 'web.yaml', old_text: 'every: 5m', new_text: 'every: 6m' }],
      by: ['shop:1', 'shop:2'],
    },
  ] as const)('is previewed anew: $why [EDT-8]', async ({ edits, by: [from, to] }) => {
    const { at, server, id, now, error } = await refusedAfter(edits, from, to);
    expect(error.details).not.toContain('Previewed: ');
    const fresh = error.preview?.preview_id ?? '';
    expect(fresh).toMatch(/^pv_\w{10}$/u);
    expect(fresh).not.toBe(id);
    expect(Date.parse(error.preview?.expires_at ?? '')).toBeGreaterThan(Date.now());
    expect(error.again).toMatchObject({ tool: 'config_apply', arguments: { preview_id: fresh } });
    expect(error.text).toContain(error.preview?.diff.split('\n')[3]);
    // It takes the place of the other one.
    expect((await server.refused('config_apply', { preview_id: id })).code).toBe('PREVIEW_REPLACED');
    await server.ok('config_apply', { preview_id: fresh });
    // What the same edits do to the file as it is now.
    const other = await direct();
    other.at.write('web.yaml', now);
    await other.server.ok('config_edit', { edits, dry_run: false });
    expect([at.disk('web.yaml'), at.disk('db.yaml')]).toEqual([
      other.at.disk('web.yaml'),
      other.at.disk('db.yaml'),
    ]);
  });

  it('keeps its reason, its call and its origin, and asks for no hash [EDT-8]', async () => {
    const { at, server } = await strict();
    const call = { file: 'db.yaml', path: 'host', json: 'b' };
    const [expected_sha256] = [sha256(FILES['db.yaml'])];
    const id = await preview(server, { ...call, expected_sha256, reason: 'moves' }, 'config_set');
    at.write('db.yaml', `${FILES['db.yaml']}more: 1\n`);
    const { preview: fresh } = await server.refused('config_apply', { preview_id: id });
    const record = JSON.parse(bodyIn(at.state, fresh?.preview_id ?? '') ?? '');
    expect(record).toMatchObject({
      ...{ tool: 'config_set', request: call, reason: 'moves', origin: { kind: 'edit' } },
    });
    await server.ok('config_apply', { preview_id: fresh?.preview_id });
    expect(at.disk('db.yaml')).toBe('host: b\nport: 1\nmore: 1\n');
  });

  it('is made anew for an undo [EDT-8]', async () => {
    const { at, server } = await strict();
    const first = await server.ok('config_edit', { edits: [DB_REPLICAS], dry_run: true });
    const { data } = await server.ok('config_apply', { preview_id: first.data['preview_id'] });
    const id = await preview(server, { change_id: data['change_id'] }, 'config_revert');
    const now = drifted(at, 'shop:1', 'shop:2');
    const { preview: fresh } = await server.refused('config_apply', { preview_id: id });
    await server.ok('config_apply', { preview_id: fresh?.preview_id });
    expect(at.disk('web.yaml')).toBe(now.replace('replicas: 4', 'replicas: 1'));
    const { text } = await server.ok('config_history', { change_id: data['change_id'] });
    expect(text).toContain('undone since');
  });

  it('is asked of a person again, whether they had decided or not [EDT-8]', async () => {
    const at = stage(FILES);
    const ada = person('ada');
    const server = await at.start(humanFlags(at, [ada]));
    let id = await preview(server, { edits: [REPLICAS] }, 'config_edit');
    for (const hasDecided of [false, true]) {
      if (hasDecided) await ada.decide(at, id, 'approve');
      drifted(at, /^/, '# more\n');
      const error = await server.refused('config_apply', { preview_id: id });
      expect(error.details).toContain('waits for the approval of a person again');
      id = error.preview?.preview_id ?? '';
      expect((await server.refused('config_apply', { preview_id: id })).code).toBe('APPROVAL_REQUIRED');
    }
    await ada.decide(at, id, 'approve');
    await server.ok('config_apply', { preview_id: id });
    expect(at.disk('web.yaml')).toBe(`# more\n# more\n${WEB.replace('replicas: 2', 'replicas: 3')}`);
    // What was rejected is not asked again.
    const other = await preview(server, { edits: [HOST] }, 'config_edit');
    await ada.decide(at, other, 'reject');
    at.write('db.yaml', 'host: a\nport: 2\n');
    expect((await server.refused('config_apply', { preview_id: other })).code).toBe('APPROVAL_DECLINED');
  });
});

describe('a call that would make another change now', () => {
  it.each([
    {
      why: 'the same key',
      edits: [REPLICAS],
      by: ['replicas: 2', 'replicas: 5'],
      was: 'web.replicas 2 → 3',
      is: 'web.replicas 5 → 3',
    },
    {
      why: 'the key says that already',
      edits: [REPLICAS],
      by: ['replicas: 2', 'replicas: 3'],
      was: 'web.replicas 2 → 3',
      is: undefined,
    },
    {
      why: 'a key below',
      edits: [{ op: 'set', ...at0, path: 'web', value: 'none' }],
      by: ['replicas: 2', 'replicas: 5'],
      was: 'replace web ',
      is: 'replace web ',
    },
    {
      why: 'an index means another item',
      edits: [{ op: 'set', ...at0, path: 'jobs[1].every', json: '2h' }],
      by: ['jobs:\n', 'jobs:\n  - { name: new, every: 1h }\n'],
      was: 'jobs[1].every 1h → 2h',
      is: 'jobs[1].every 5m → 2h',
    },
    {
      why: 'an index means another item with the same value',
      edits: [{ op: 'set', ...at0, path: 'items[1].n', json: 2 }],
      by: ['items:\n', 'items:\n  - { at: c, n: 1 }\n'],
      was: 'items[1].n 1 → 2',
      is: 'items[1].n 1 → 2',
    },
    {
      why: 'an index means another document with the same value',
      edits: [{ ...DB_REPLICAS, doc: 2 }],
      by: ['---\n', '---\nkind: Job\n---\n'],
      was: 'spec.replicas 1 → 4',
      is: 'spec.replicas 1 → 4',
    },
    {
      why: 'a pattern means one more',
      edits: [EVERYWHERE],
      by: ['jobs:', 'new: { replicas: 1 }\njobs:'],
      was: undefined,
      is: 'new.replicas 1 → 3',
    },
    {
      why: 'a list that has grown',
      edits: [{ op: 'append', ...at0, path: 'jobs', json: { name: 'late' } }],
      by: ['items:', '  - { name: more }\nitems:'],
      was: 'add jobs[2]',
      is: 'add jobs[3]',
    },
  ] as const)('is refused with both, and no new preview: $why [EDT-8]', async ({ edits, by, was, is }) => {
    const { server, now, at, error } = await refusedAfter(edits, by[0], by[1]);
    const lines = error.details?.split('\n') ?? [];
    for (const [title, line] of [
      ['Previewed', was],
      ['Now', is],
    ]) {
      const some = lines.filter((one) => one.startsWith(`${title}: `)).join();
      if (line === undefined) expect(some).toBe('');
      else expect(some).toContain(line);
    }
    expect(error.preview).toBeUndefined();
    // To preview it anew is up to whoever asked for it.
    const step = error.again;
    expect(step?.tool).toBe('config_edit');
    expect(step?.arguments).toMatchObject({ edits, dry_run: true });
    await server.ok(step?.tool ?? '', step?.arguments);
    expect(at.disk('web.yaml')).toBe(now);
  });
});

describe('a call that is refused now', () => {
  it.each([
    {
      why: 'renamed',
      edits: [{ ...REPLICAS, create: false }],
      by: ['replicas: 2', 'count: 2'],
      says: 'no such key',
    },
    { why: 'no mapping', edits: [REPLICAS], by: [/web:[\s\S]*(?=jobs)/, 'web: no\n'], says: 'web' },
    {
      why: 'gone',
      edits: [{ op: 'replace_text', file: 'web.yaml', old_text: 'shop:1', new_text: 'shop:3' }],
      by: ['shop:1', 'shop:2'],
      says: 'text',
    },
    {
      why: 'there twice',
      edits: [{ ...DB_REPLICAS, doc: 'Deployment/db' }],
      by: [/$/, '---\nkind: Deployment\nmetadata: { name: db }\nspec: { replicas: 1 }\n'],
      says: 'document',
    },
    { why: 'broken', edits: [REPLICAS], by: [/[\s\S]+/, 'a: ['], says: 'cannot' },
  ] as const)('says why: what it is about is $why [EDT-8]', async ({ edits, by, says }) => {
    const { server, error } = await refusedAfter(edits, by[0], by[1]);
    expect(error.message.toLowerCase()).toContain(says);
    expect(error).toMatchObject({ file: 'web.yaml' });
    expect(error.preview).toBeUndefined();
    await server.ok(error.again?.tool ?? '', error.again?.arguments);
  });

  it('keeps a schema that the new file would break', async () => {
    const at = stage(FILES);
    const schema = '{"if":{"properties":{"port":{"const":2}}},"then":{"properties":{"host":{"const":"a"}}}}';
    at.write('../s.json', schema);
    const bound = ['--schema', `db.yaml=${join(at.place, 's.json')}`];
    const server = await at.start(['--approval', 'preview', ...bound]);
    const id = await preview(server, { edits: [HOST] }, 'config_edit');
    at.write('db.yaml', FILES['db.yaml'].replace('port: 1', 'port: 2'));
    const error = await server.refused('config_apply', { preview_id: id });
    expect(error.code).toBe('FILE_CHANGED');
    expect(error.preview).toBeUndefined();
  });

  it('names a file that is gone', async () => {
    const { at, server } = await direct();
    const id = await preview(server, { edits: [HOST, REPLICAS] }, 'config_edit');
    unlinkSync(join(at.root, 'web.yaml'));
    const error = await server.refused('config_apply', { preview_id: id });
    expect(error).toMatchObject({ code: 'FILE_NOT_FOUND', file: 'web.yaml' });
    expect(at.disk('db.yaml')).toBe(FILES['db.yaml']);
  });
});
