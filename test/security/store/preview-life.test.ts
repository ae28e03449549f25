// A preview from the moment that it is saved until it is used, expires or has to go.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  approvedByPreview,
  canonicalJson,
  contentId,
  type Preview,
  signDecision,
} from '../../../src/security/index.ts';
import { codeOf, refusalOf } from '../fixture.ts';
import { AT, BASE, CHANGE_ID, draft, idOf, look, opened } from './ground.ts';

describe('a stored preview', () => {
  it('is loaded as it was saved, also by another process, and its file is private', () => {
    const { previews, dir } = opened();
    const id = idOf(previews());
    expect(previews().load(id, look).record).toMatchObject(draft());
    expect(statSync(join(dir, 'previews', `${id}.json`)).mode & 0o777).toBe(0o600);
  });

  it.each<{ why: string; change: (preview: Preview) => unknown; texts?: string }>([
    {
      why: 'the diff',
      change: (preview) => ({ ...preview, files: preview.files.map((f) => ({ ...f, diff: 'harmless' })) }),
    },
    { why: 'the base', change: (preview) => preview, texts: 'a: 9\n' },
    { why: 'the length of the base', change: (preview) => preview, texts: `${BASE}b` },
    {
      why: 'the place of the base',
      change: (preview) => ({ ...preview, files: preview.files.map((f) => ({ ...f, base: BASE })) }),
    },
    { why: 'an unknown field', change: (preview) => ({ ...preview, approved: true }) },
    { why: 'the expiry', change: (preview) => ({ ...preview, expires_at: '2099-01-01T00:00:00.000Z' }) },
  ])(
    'is not found once somebody has changed $why, under the old id and under a new one [APR-1]',
    ({ change, texts = BASE }) => {
      const { previews, dir, here } = opened();
      const id = idOf(previews());
      const file = join(dir, 'previews', `${id}.json`);
      const [stored = ''] = readFileSync(file, 'utf8').split('\n');
      const line = canonicalJson(change(JSON.parse(stored)));
      const text = `${line}\n${texts}`;
      writeFileSync(file, text);
      expect(codeOf(() => previews().load(id, look))).toBe('PREVIEW_NOT_FOUND');
      expect(here.logged().at(-1)).toMatchObject({ event: 'preview_tampered' });
      writeFileSync(join(dir, 'previews', `${contentId(line)}.json`), text, { mode: 0o600 });
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
    const { previews, pass } = opened();
    const [agent, person] = [idOf(previews(), { approval: 'preview' }), idOf(previews())];
    pass(16);
    expect(codeOf(() => previews().load(agent, look))).toBe('PREVIEW_EXPIRED');
    expect(previews().load(person, look).id).toBe(person);
    pass(-60);
    expect(codeOf(() => previews().load(person, look))).toBe('PREVIEW_EXPIRED');
    pass(8 * 24 * 60);
    previews().tidy();
    expect(codeOf(() => previews().load(person, look))).toBe('PREVIEW_EXPIRED');
    expect(previews().waiting()).toEqual([]);
  });

  // WORK-020.
  it('is one of a bounded number: what was used goes first, then what has expired, then the oldest [APR-6]', () => {
    const { previews, pass, state } = opened();
    const store = previews({ previews: 4, totalBytes: 1e6, previewBytes: 1e5 });
    const agent = { approval: 'preview' } as const;
    const late = idOf(store, agent);
    pass(16);
    const [oldest, used, next] = [idOf(store, agent), idOf(store, agent), idOf(store, agent)];
    store.claim(approvedByPreview(store.load(used, look), 'preview'), CHANGE_ID);
    const why = (id: string) => refusalOf(() => store.load(id, look))?.message;
    idOf(store, agent);
    expect(why(used)).toContain('applied already');
    expect(why(late)).toContain('too old');
    expect(state.previews.names().filter((name) => name.endsWith('.gone'))).toHaveLength(2);
    expect([oldest, next].map(why)).toEqual([undefined, undefined]);
    for (let more = 0; more < 2; more += 1) idOf(store, agent);
    expect(why(oldest)).toContain('dropped to make room');
    expect(codeOf(() => store.load(oldest, look))).toBe('PREVIEW_EXPIRED');
    expect(store.save(draft({ warnings: ['x'.repeat(1e5)] }))).toBeUndefined();
    // Whoever serves other roots is told nothing of all that.
    for (const id of [oldest, used, late, next])
      expect(codeOf(() => previews(undefined, '1'.repeat(64)).load(id, look))).toBe('PREVIEW_NOT_FOUND');
  });

  // WORK-020.
  it('is not pushed out by a flood while it waits for a person: not by previews, other roots or other proposals [APR-6]', () => {
    const { previews, decide, ann } = opened();
    const bounds = { previews: 3, totalBytes: 1e6, previewBytes: 1e5 };
    const [store, others] = [previews(bounds), previews(bounds, '1'.repeat(64))];
    const ids = [idOf(store), idOf(store), idOf(store)];
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
    for (const preview of [first, second])
      decide(signDecision({ v: 1, preview, decision: 'reject', reviewer: 'ann', at: AT }, ann));
    idOf(store);
    expect(codeOf(() => store.load(first, look))).toBe('APPROVAL_DECLINED');
  });

  it('is claimed once, and can be tried again where nothing came of it', () => {
    const { previews } = opened();
    const id = idOf(previews(), { approval: 'preview' });
    const approved = approvedByPreview(previews().load(id, look), 'preview');
    const claim = previews().claim(approved, CHANGE_ID);
    expect(codeOf(() => previews().claim(approved, CHANGE_ID))).toBe('PREVIEW_USED');
    expect(codeOf(() => previews().load(id, look))).toBe('PREVIEW_USED');
    expect(claim.changeId).toBe(CHANGE_ID);
    previews().release(id, 'B'.repeat(43));
    expect(codeOf(() => previews().load(id, look))).toBe('PREVIEW_USED');
    previews().release(id, CHANGE_ID);
    expect(previews().load(id, look).id).toBe(id);
  });
});
