// The store of the previews: what is kept, what an id still opens, for whom, and once.

import crypto from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { approvedByPreview, type PreviewDraft } from '../../../src/security/index.ts';
import { shortId } from '../../../src/security/text/short-id.ts';
import { codeOf, refusalOf } from '../fixture.ts';
import { failing } from './disk.ts';
import { BASE, CHANGE_ID, draft, idOf, look, opened } from './ground.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const AGENTS = { approval: 'preview' } as const;
const OTHERS = '1'.repeat(64);
const POLICY = draft().policy;
const OTHER_POLICY = 'f'.repeat(64);
const messageOf = (act: () => unknown) => refusalOf(act)?.message;

function started() {
  const at = opened();
  const file = (name: string) => join(at.dir, 'previews', name);
  return { ...at, store: at.previews(), file };
}

describe('a preview is kept', () => {
  it('under an id that is no option on a command line', () => {
    const { store } = started();
    const real = crypto.hash;
    let calls = 0;
    vi.spyOn(crypto, 'hash').mockImplementation((...args: unknown[]) => {
      const hashed: string = Reflect.apply(real, crypto, args);
      if (args[2] !== 'base64url') return hashed;
      calls += 1;
      return calls === 1 ? `-${hashed.slice(1)}` : hashed;
    });
    syncBuiltinESMExports();
    const id = idOf(store);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    // Each of the others begins with one in 64 runs.
    expect([calls > 1, id.startsWith('-')]).toEqual([true, false]);
    expect(store.load(id, look).id).toBe(id);
  });

  it('where it is no larger than a preview, and all of them, may be', () => {
    const { store, file, previews } = started();
    const size = statSync(file(`${idOf(store, AGENTS)}.json`)).size + BASE.length;
    const saved = (previewBytes: number, totalBytes: number) =>
      previews({ previews: 10, previewBytes, totalBytes }, 'a'.repeat(64)).save(draft(AGENTS));
    expect([saved(size - 1, 1e6), saved(1e6, size - 1)]).toEqual([undefined, undefined]);
    expect(readdirSync(file('.'))).toHaveLength(1);
    expect(saved(size, size)).toMatchObject({ expiresAt: '2026-11-21T12:15:00.000Z' });
  });

  it('with texts that a power cut has torn made anew, also where they kept their length', () => {
    const { store, dir } = started();
    const [sha = ''] = draft().files.map(({ base_sha256 }) => base_sha256);
    for (const torn of ['', '\0'.repeat(BASE.length)]) {
      const id = idOf(store, AGENTS);
      writeFileSync(join(dir, 'texts', sha), torn);
      expect(codeOf(() => store.load(id, look))).toBe('PREVIEW_NOT_FOUND');
      expect(store.load(idOf(store, AGENTS), look).record.files[0]?.base).toBe(BASE);
    }
  });

  it('where it is no longer than can be read: in bytes', () => {
    const { previews } = started();
    const long = draft({ ...AGENTS, warnings: ['é'.repeat(600)] });
    const small = previews({ previews: 9, previewBytes: 2_000, totalBytes: 1e6 });
    expect(small.save(long)).toBeUndefined();
    expect(small.save(draft({ ...AGENTS, warnings: ['e'.repeat(600)] }))).toBeDefined();
  });

  it('where there is room: twice as much for what a person has chosen', () => {
    const { previews, file } = started();
    const size = statSync(file(`${idOf(previews())}.json`)).size;
    const part = { origin: { kind: 'part', of: CHANGE_ID, kept: [0] } } as const;
    const bounds = { previews: 9, previewBytes: 1e5, totalBytes: Math.floor(1.5 * size) };
    const refused = (changes?: Partial<PreviewDraft>) => codeOf(() => previews(bounds).save(draft(changes)));
    expect([refused(), refused(part), refused(part)]).toEqual([
      'APPROVAL_UNAVAILABLE',
      'no error',
      'APPROVAL_UNAVAILABLE',
    ]);
    const tiny = previews({ previews: 0, previewBytes: 1e5, totalBytes: 1e5 });
    expect(codeOf(() => tiny.save(draft(AGENTS)))).toBe('NO_SPACE');
    expect(codeOf(() => tiny.save(draft()))).toBe('APPROVAL_UNAVAILABLE');
  });

  it('and known from then on', () => {
    const { store } = started();
    idOf(store);
    expect(store.waitingCount).toBe(1);
    idOf(store);
    expect(store.waitingCount).toBe(2);
  });

  it('or it is said what could not be done', () => {
    const { store } = started();
    const preview = store.load(idOf(store, AGENTS), look);
    // Behind that of the lock.
    failing('writeSync', 'ENOSPC', 2);
    expect(messageOf(() => store.save(draft()))).toMatch(/^Cannot keep the preview: the disk is full/u);
    vi.restoreAllMocks();
    failing('readSync', 'EIO');
    expect(messageOf(() => store.load(preview.id, look))).toMatch(/^Cannot read the preview: /u);
  });

  it('and goes again where nobody was told of it, whether or not the disk lets it', () => {
    const { store, file } = started();
    const id = idOf(store);
    failing('unlinkSync', 'EIO');
    store.discard(id);
    vi.restoreAllMocks();
    expect(existsSync(file(`${id}.json`))).toBe(true);
    store.discard(id);
    expect(readdirSync(file('.'))).toEqual([]);
  });
});

describe('an id opens', () => {
  it('what was made under the policy in force, if it is to be applied', () => {
    const { store } = started();
    const id = idOf(store);
    expect([store.load(id, look).id, store.load(id, look, POLICY).id]).toEqual([id, id]);
    expect(refusalOf(() => store.load(id, look, OTHER_POLICY))).toMatchObject({
      code: 'PREVIEW_EXPIRED',
      message: 'Cannot use this preview: it was made under another policy. Preview the change again.',
      clues: {
        again: { tool: 'config_set', arguments: { file: 'a.yaml', path: 'a', json: 2, dry_run: true } },
      },
    });
  });

  it('nothing that somebody has written to, which the log is told', () => {
    const { store, file, here } = started();
    const id = idOf(store);
    appendFileSync(file(`${id}.json`), 'x');
    expect(codeOf(() => store.load(id, look, POLICY))).toBe('PREVIEW_NOT_FOUND');
    expect(here.logged()).toMatchObject([{ level: 'error', event: 'preview_tampered', sha256: id }]);
  });

  it('nothing that is too old, and says so', () => {
    const { store, pass } = started();
    const [id, gone] = [idOf(store, AGENTS), idOf(store, AGENTS)];
    pass(15);
    const again = { tool: 'config_set', arguments: { file: 'a.yaml', path: 'a', json: 2, dry_run: true } };
    const message = 'Cannot use this preview: it is too old. Preview the change again.';
    expect(refusalOf(() => store.load(id, look))).toMatchObject({
      code: 'PREVIEW_EXPIRED',
      message,
      clues: { again },
    });
    store.tidy();
    expect(codeOf(() => store.load(gone, look))).toBe('PREVIEW_NOT_FOUND');
  });

  it('nothing that a person rejected, also where it is no longer kept', () => {
    const { previews, decide } = started();
    const store = previews({ previews: 1, previewBytes: 1e5, totalBytes: 1e5 });
    const id = idOf(store);
    decide({ preview: id, decision: 'reject' });
    idOf(store);
    expect(messageOf(() => store.load(id, look))).toBe('Cannot apply this preview: ann has rejected it');
  });

  it('for a person of another policy or other roots, no more than until when it waits', () => {
    const { store, previews, file } = started();
    const others = previews(undefined, OTHERS);
    const id = idOf(store);
    const until = '2026-11-28T12:00:00.000Z';
    expect([store.foreignUntil(id, POLICY), store.foreignUntil(id, OTHER_POLICY)]).toEqual([
      undefined,
      until,
    ]);
    expect([others.foreignUntil(id, POLICY), others.foreignUntil(id, OTHER_POLICY)]).toEqual([until, until]);
    const agents = idOf(store, AGENTS);
    expect([store.foreignUntil(agents, OTHER_POLICY), store.foreignUntil(CHANGE_ID, POLICY)]).toEqual([
      undefined,
      undefined,
    ]);
    appendFileSync(file(`${id}.json`), 'x');
    expect(store.foreignUntil(id, OTHER_POLICY)).toBeUndefined();
  });
});

describe('an approval', () => {
  function approved(changes: Partial<PreviewDraft> = AGENTS) {
    const at = started();
    const preview = at.store.load(idOf(at.store, changes), look);
    const by = approvedByPreview(preview);
    return { ...at, preview, ask: () => at.store.requireStillApproved(by) };
  }

  it('stands until the preview is applied by somebody, or rejected', () => {
    const { ask, trail, preview, store } = approved();
    ask();
    store.requireOpen(preview.id);
    trail.append(() => [{ action: 'reject', outcome: 'kept', preview: preview.id, reviewer: 'ann' }]);
    expect(refusalOf(ask)).toMatchObject({
      code: 'APPROVAL_DECLINED',
      message: 'Cannot apply this preview: ann has rejected it',
    });
    store.requireOpen(preview.id);
    trail.append(() => [
      { action: 'commit', outcome: 'applied', preview: preview.id, change_id: 'B'.repeat(43) },
    ]);
    const used = `Cannot use this preview: it has been applied already, and works once. It became change ${shortId('ch', 'B'.repeat(43))}`;
    expect([messageOf(ask), messageOf(() => store.requireOpen(preview.id))]).toEqual([used, used]);
  });

  it('comes to what the trail says', () => {
    const { store, preview, trail } = approved();
    expect(store.changeOf(preview.id)).toBeUndefined();
    trail.append(() => [{ action: 'commit', outcome: 'intent', preview: preview.id, change_id: CHANGE_ID }]);
    expect(store.changeOf(preview.id)).toBe(CHANGE_ID);
  });
});
