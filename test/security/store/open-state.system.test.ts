// What a server keeps is opened together, tells the operator what matters, and is tidied as time goes by.
import fs, { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  approvedByReviewer,
  canonicalJson,
  makeReviewerKey,
  reopenState,
  requireStateThere,
  sha256Hex,
  startExpiryTimer,
  toHandle,
} from '../../../src/security/index.ts';
import { codeOf, refusalOf } from '../fixture.ts';
import { failing, isLinux, openDescriptors } from './disk.ts';
import { AT, decideIn, draft, look } from './ground.ts';
import { served } from './served.ts';

afterEach(() => vi.restoreAllMocks());

const RECORD = { action: 'propose', outcome: 'kept', file: 'a.yaml' } as const;

describe('what a server keeps', () => {
  it('is opened together: previews, decisions, changes and the trail that the log writes to', () => {
    const { here, dir, open, trail } = served();
    const { line, key: ann } = makeReviewerKey('ann');
    const file = here.write('reviewers', `${line}\n`, 0o600);
    const state = open(relative(process.cwd(), file), () => new Date(AT));
    expect(state.reviewersFile).toEqual({ file, forbidden: [here.root, dir] });
    expect(state.reviewers().map(({ name }) => name)).toEqual(['ann']);
    expect(state.roots).toBe(sha256Hex(canonicalJson([{ place: here.root }])));
    const { id, expiresAt } = state.previews.save(draft()) ?? { id: '', expiresAt: '' };
    const preview = state.previews.load(id, look);
    expect([preview.record.created_at, preview.record.roots, expiresAt]).toEqual([
      AT,
      state.roots,
      '2026-11-28T12:00:00.000Z',
    ]);
    expect(codeOf(() => approvedByReviewer(preview, state.decisions))).toBe('APPROVAL_REQUIRED');
    decideIn(state.trail, { preview: id, decision: 'approve' }, ann);
    expect(trail()).toMatchObject([{ seq: 1, time: AT, action: 'approve' }]);
    expect(approvedByReviewer(preview, state.decisions).reviewer).toBe('ann');
    const { caller, policy, origin, files } = draft();
    const change = state.changes.draft({ caller, policy, origin, files, confirmed_by: 'direct' });
    state.changes.keep(change);
    expect(state.changes.find(change.id)).toMatchObject({ at: AT, roots: state.roots });
  });

  it('is of the roots that are served, by name and place', () => {
    const { here, open } = served();
    fs.mkdirSync(join(here.root, 'a'));
    fs.mkdirSync(join(here.root, 'b'));
    const roots = ['a', 'b'].map((name) => ({ name, dir: join(here.root, name) }));
    expect(served({ roots }).open().roots).toBe(
      sha256Hex(canonicalJson(roots.map(({ name, dir }) => ({ name, place: dir })))),
    );
    expect(open().roots).not.toBe(served({ roots }).open().roots);
  });

  it('has the time of day', () => {
    const state = served().open();
    const before = new Date().toISOString();
    const preview = state.previews.load(state.previews.save(draft())?.id ?? '', look);
    expect([before, preview.record.created_at, new Date().toISOString()].toSorted()[1]).toBe(
      preview.record.created_at,
    );
    expect(state.reviewers()).toEqual([]);
    expect(state.reviewersFile).toBeUndefined();
  });

  it.skipIf(!isLinux)(
    'is not opened where the roots or the reviewers cannot be used, and nothing stays open',
    () => {
      const { here, dir, open } = served();
      const { line } = makeReviewerKey('ann');
      const outside = here.write('reviewers', `${line}\n`, 0o600);
      open(outside).dir.close();
      const inside = ['root/reviewers', 'state/reviewers'].map((name) =>
        here.write(name, `${line}\n`, 0o600),
      );
      for (const file of [...inside, join(here.base, 'none')]) {
        const before = openDescriptors(here.base);
        expect([file, codeOf(() => open(file))]).toEqual([file, 'StartError']);
        expect(openDescriptors(here.base)).toBe(before);
      }
      rmSync(dir, { recursive: true });
      rmSync(here.root, { recursive: true });
      expect(codeOf(() => open(outside))).toBe('StartError');
      expect(existsSync(dir)).toBe(false);
    },
  );

  it('does not start where a person must approve and nobody is named, and names the way out', () => {
    const { here, dir, open } = served({ approval: 'human' });
    rmSync(dir, { recursive: true, force: true });
    expect(open).toThrow('--approval human needs reviewers: name the file that lists them with --reviewers');
    expect(existsSync(dir)).toBe(false);
    const file = here.write('reviewers', `${makeReviewerKey('ann').line}\n`, 0o600);
    open(file).dir.close();
    expect(here.logged()).toEqual([]);
  });

  it('says in the log where its trail ends, or that it is not whole', () => {
    const { here, dir, open, trail } = served();
    const state = open();
    expect(here.logged()).toEqual([]);
    state.log.audit(RECORD);
    open();
    const [line = ''] = fs.readFileSync(join(dir, 'audit/audit-000001.jsonl'), 'utf8').split('\n');
    expect(here.logged().at(-1)).toMatchObject({
      level: 'info',
      event: 'audit_trail',
      count: 1,
      sha256: sha256Hex(line),
    });
    expect(trail()).toHaveLength(1);
    writeFileSync(join(dir, 'audit/head.json'), 'nonsense');
    open();
    expect(here.logged().at(-1)).toMatchObject({ level: 'error', event: 'audit_trail_not_whole' });
  });
});

describe('another thread', () => {
  it.skipIf(!isLinux)('opens the same', () => {
    const { here, log, open } = served();
    const file = here.write('reviewers', `${makeReviewerKey('ann').line}\n`, 0o600);
    const state = open(file);
    expect(toHandle(state)).toEqual({
      dir: state.dir.handle,
      reviewersFile: { file, forbidden: [here.root, state.dir.place] },
      roots: state.roots,
    });
    const again = reopenState(toHandle(state), log);
    onTestFinished(() => again.dir.close());
    expect([again.roots, again.reviewersFile, again.reviewers().map(({ name }) => name)]).toEqual([
      ...[state.roots, state.reviewersFile, ['ann']],
    ]);
    const id = again.previews.save(draft())?.id ?? '';
    expect(state.previews.load(id, look).id).toBe(id);
    again.log.audit(RECORD);
    expect(here.logged().at(-1)).toMatchObject({ seq: 1 });
  });
});

describe('while it serves', () => {
  it('a state directory that was removed is told to whoever calls, and to the log', () => {
    const { here, dir, open } = served();
    const state = open();
    requireStateThere(state);
    rmSync(dir, { recursive: true });
    expect(refusalOf(() => requireStateThere(state))).toMatchObject({
      code: 'IO_ERROR',
      message: expect.stringMatching(
        /^Cannot serve this call: the state directory, or a part of it, was removed/u,
      ),
    });
    expect(here.logged()).toMatchObject([{ level: 'error', event: 'state_unusable', code: 'IO_ERROR' }]);
  });

  it('what has expired goes every five minutes, by a timer that keeps nobody alive and survives a broken disk', () => {
    let time = new Date(AT);
    const state = served().open(undefined, () => time);
    const id = state.previews.save(draft({ approval: 'preview' }))?.id ?? '';
    const real = setInterval;
    const timers: { act: () => void; ms: number | undefined; timer: NodeJS.Timeout }[] = [];
    vi.spyOn(globalThis, 'setInterval').mockImplementation((act, ms) => {
      const timer = real(() => undefined, 1e6);
      timers.push({ act, ms, timer });
      return timer;
    });
    startExpiryTimer(state);
    const [kept] = timers;
    onTestFinished(() => clearInterval(kept?.timer));
    expect([timers.length, kept?.ms, kept?.timer.hasRef()]).toEqual([1, 300_000, false]);
    kept?.act();
    expect(state.previews.waiting()).toEqual([id]);
    time = new Date('2026-11-21T12:15:00.000Z');
    failing('opendirSync', 'EIO');
    kept?.act();
    vi.restoreAllMocks();
    expect(state.previews.waiting()).toEqual([id]);
    kept?.act();
    expect(state.previews.waiting()).toEqual([]);
    clearInterval(kept?.timer);
  });
});
