// A preview from the moment that it is saved until it is used, expires or has to go.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  approvedByPreview,
  canonicalJson,
  contentId,
  type Preview,
  sha256Hex,
} from '../../../src/security/index.ts';
import { codeOf } from '../fixture.ts';
import { BASE, CHANGE_ID, draft, idOf, look, opened } from './ground.ts';

describe('a stored preview', () => {
  it('is loaded as it was saved, also by another process, and its file is private', () => {
    const { previews, dir } = opened();
    const id = idOf(previews());
    expect(previews().load(id, look).record).toMatchObject(draft());
    expect(statSync(join(dir, 'previews', `${id}.json`)).mode & 0o777).toBe(0o600);
  });

  it.each<{ why: string; change: (preview: Preview) => unknown; text?: string }>([
    {
      why: 'the diff',
      change: (preview) => ({ ...preview, files: preview.files.map((f) => ({ ...f, diff: 'harmless' })) }),
    },
    { why: 'the base', change: (preview) => preview, text: 'a: 9\n' },
    { why: 'the length of the base', change: (preview) => preview, text: `${BASE}b` },
    {
      why: 'the place of the base',
      change: (preview) => ({ ...preview, files: preview.files.map((f) => ({ ...f, base: BASE })) }),
    },
    { why: 'an unknown field', change: (preview) => ({ ...preview, approved: true }) },
    { why: 'the expiry', change: (preview) => ({ ...preview, expires_at: '2099-01-01T00:00:00.000Z' }) },
  ])(
    'is not found once somebody has changed $why, under the old id and under a new one [APR-1]',
    ({ change, text = BASE }) => {
      const { previews, dir, here } = opened();
      const id = idOf(previews());
      const file = join(dir, 'previews', `${id}.json`);
      const line = canonicalJson(change(JSON.parse(readFileSync(file, 'utf8'))));
      writeFileSync(join(dir, 'texts', sha256Hex(BASE)), text);
      writeFileSync(file, line);
      expect(codeOf(() => previews().load(id, look))).toBe('PREVIEW_NOT_FOUND');
      expect(here.logged().at(-1)).toMatchObject({ event: 'preview_tampered' });
      writeFileSync(join(dir, 'previews', `${contentId(line)}.json`), line, { mode: 0o600 });
      expect(codeOf(() => previews().load(contentId(line), look))).toBe('PREVIEW_NOT_FOUND');
    },
  );

  it('cannot be named by anything but its id [APR-1]', () => {
    const { previews } = opened();
    for (const id of ['', '../audit/head', 'x'.repeat(43), '\0'])
      expect(codeOf(() => previews().load(id, look))).toBe('PREVIEW_NOT_FOUND');
  });

  // WORK-021.
  it('expires: minutes for an agent, days for a person, and at once where the clock was set back', () => {
    const { previews, pass, trail } = opened();
    const [agent, person] = [idOf(previews(), { approval: 'preview' }), idOf(previews())];
    pass(16);
    expect(codeOf(() => previews().load(agent, look))).toBe('PREVIEW_EXPIRED');
    expect(previews().load(person, look).id).toBe(person);
    pass(-60);
    expect(codeOf(() => previews().load(person, look))).toBe('PREVIEW_EXPIRED');
    pass(8 * 24 * 60);
    const locked = vi.spyOn(trail, 'locked');
    expect([previews().tidy(), locked.mock.calls.length]).toEqual([undefined, 1]);
    expect(codeOf(() => previews().load(person, look))).toBe('PREVIEW_NOT_FOUND');
    expect(previews().waiting()).toEqual([]);
  });

  // WORK-020.
  it('is one of a bounded number: what was used goes first, then what has expired, then the oldest [APR-6]', () => {
    const { previews, pass, trail, state } = opened();
    const store = previews({ previews: 4, totalBytes: 1e6, previewBytes: 1e5 });
    const agent = { approval: 'preview' } as const;
    const late = idOf(store, agent);
    pass(16);
    const [oldest, used, next] = [idOf(store, agent), idOf(store, agent), idOf(store, agent)];
    const commit = { action: 'commit', preview: used, change_id: CHANGE_ID };
    trail.append(() => [
      { ...commit, outcome: 'intent' },
      { ...commit, outcome: 'applied' },
    ]);
    const why = (id: string) => codeOf(() => store.load(id, look));
    idOf(store, agent);
    expect([used, late, oldest, next].map(why)).toEqual([
      ...['PREVIEW_USED', 'PREVIEW_NOT_FOUND', 'no error', 'no error'],
    ]);
    for (let more = 0; more < 2; more += 1) idOf(store, agent);
    expect(why(oldest)).toBe('PREVIEW_NOT_FOUND');
    expect(store.save(draft({ warnings: ['x'.repeat(1e5)] }))).toBeUndefined();
    // One text for all of them; and whoever serves other roots is told nothing of those that are kept.
    expect(state.texts.names()).toEqual([sha256Hex(BASE)]);
    expect(codeOf(() => previews(undefined, '1'.repeat(64)).load(next, look))).toBe('PREVIEW_NOT_FOUND');
  });

  // WORK-020.
  it('is not pushed out by a flood while it waits for a person: not by previews, other roots or other proposals [APR-6]', () => {
    const { previews, decide } = opened();
    const bounds = { previews: 3, totalBytes: 1e6, previewBytes: 1e5 };
    const [store, others] = [previews(bounds), previews(bounds, '1'.repeat(64))];
    const ids = [1, 2, 3].map(() => idOf(store));
    for (let more = 0; more < 5; more += 1) {
      idOf(store, { approval: 'preview' });
      if (more < 3) idOf(others);
      expect(codeOf(() => store.save(draft()))).toBe('APPROVAL_UNAVAILABLE');
    }
    for (const id of ids) expect(store.load(id, look).id).toBe(id);
    expect([store.waitingCount, others.waitingCount]).toEqual([6, 3]);
    // A person's own part has room; and each rejection makes room.
    const [first = '', second = ''] = ids;
    expect(idOf(store, { origin: { kind: 'part', of: second, kept: [0] } })).not.toBe('');
    for (const preview of [first, second]) decide({ preview, decision: 'reject' });
    idOf(store);
    expect(codeOf(() => store.load(first, look))).toBe('APPROVAL_DECLINED');
  });

  it('is applied once, and can be tried again where nothing came of it', () => {
    const { previews, trail } = opened();
    const id = idOf(previews(), { approval: 'preview' });
    const approved = approvedByPreview(previews().load(id, look));
    const ask = () => previews().requireStillApproved(approved);
    const say = (outcome: string) =>
      trail.append(() => [{ action: 'commit', outcome, preview: id, change_id: CHANGE_ID }]);
    ask();
    say('intent');
    expect(codeOf(ask)).toBe('PREVIEW_USED');
    expect(codeOf(() => previews().load(id, look))).toBe('PREVIEW_USED');
    say('rolled_back');
    ask();
    expect(previews().load(id, look).id).toBe(id);
  });
});
