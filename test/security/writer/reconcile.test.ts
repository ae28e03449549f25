// How a change ended that was begun and not finished: by what stands in the files, and by what the trail says of it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type AuditOutcome,
  approvedByPreview,
  type ConfirmedBy,
  reconcileOrphans,
} from '../../../src/security/index.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { codeOf } from '../fixture.ts';
import { failing } from '../store/disk.ts';
import { AT, BASE, draft, look } from '../store/ground.ts';
import { served } from '../store/served.ts';

afterEach(() => vi.restoreAllMocks());

const RESULT = 'a: 2\n';
// Above the largest pid that Linux gives out.
const DEAD = JSON.stringify({ ...thisProcess(), pid: 4_194_304 });

/** A change of two files whose process died; `now`: what stands in them, if anything does. */
function begun({
  now,
  said = ['intent'],
  isPreviewed = true,
}: {
  now: readonly (string | undefined)[];
  said?: AuditOutcome[];
  isPreviewed?: boolean;
}) {
  const { here, dir, open, trail } = served({ approval: 'preview' });
  const names = ['a.yaml', 'b.yaml'].slice(0, now.length);
  for (const [index, text] of now.entries()) if (text !== undefined) here.write(`root/${names[index]}`, text);
  const state = open(undefined, () => new Date(AT));
  const sandbox = here.open();
  const files = names.flatMap((file) =>
    draft().files.map((kept) => ({ ...kept, file, ...look(file, BASE, RESULT, []) })),
  );
  const { caller, policy, origin } = draft();
  const saved = isPreviewed ? state.previews.save(draft({ approval: 'preview', files }))?.id : undefined;
  const confirmed_by: ConfirmedBy = isPreviewed ? 'preview' : 'direct';
  const change = state.changes.draft({
    ...{ caller, policy, origin, files, confirmed_by },
    ...(saved === undefined ? {} : { preview: saved }),
  });
  const claim = (id: string) =>
    saved !== undefined &&
    state.previews.claim(approvedByPreview(state.previews.load(saved, look), 'preview'), id);
  claim(change.id);
  const say = (outcome: AuditOutcome, id = change.id) =>
    state.log.audit({ action: 'commit', outcome, file: 'a.yaml', preview: saved, change_id: id });
  const mark = join(dir, 'changes', `${change.id}.open`);
  const begin = () => {
    state.changes.begin(change).close();
    writeFileSync(mark, DEAD, { mode: 0o600 });
    for (const outcome of said) say(outcome);
  };
  return {
    ...{ here, dir, state, sandbox, change, say, mark, begin, files, preview: saved ?? '' },
    recover: () => reconcileOrphans({ state, sandbox }),
    /** What was recorded since it began. */
    recorded: () => trail().filter(({ action }) => action === 'recover'),
    isOpen: () => existsSync(mark),
    isKept: () => state.changes.find(change.id) !== undefined,
    mayBeTried: () => codeOf(() => state.previews.load(saved ?? '', look)),
  };
}

const HOUR_MS = 3_600_000;
const later = (ms: number) => {
  const real = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => real + ms);
};

describe('a change whose process died', () => {
  it.each([
    { why: 'all of its files are the new ones', now: [RESULT, RESULT], ended: 'applied' },
    { why: 'all of them are the old ones', now: [BASE, BASE], ended: 'rolled_back' },
    { why: 'one is the new one and one the old one', now: [RESULT, BASE], ended: 'unknown' },
    { why: 'one is neither', now: [RESULT, 'a: 3\n'], ended: 'unknown' },
    { why: 'one is gone', now: [BASE, undefined], ended: 'unknown' },
  ] as const)('ended as its files say, and the trail is told of each: $why', ({ now, ended }) => {
    const at = begun({ now });
    at.begin();
    later(HOUR_MS);
    at.recover();
    expect(at.recorded()).toMatchObject(
      at.files.map(({ file, base_sha256, result_sha256 }) => ({
        ...{ action: 'recover', outcome: ended, file, base_sha256, result_sha256 },
        ...{ preview: at.preview, change_id: at.change.id, confirmed_by: 'preview' },
      })),
    );
    const isUndone = ended === 'rolled_back';
    expect([at.isOpen(), at.isKept(), at.mayBeTried()]).toEqual([
      ...[false, !isUndone, isUndone ? 'no error' : 'PREVIEW_USED'],
    ]);
    at.recover();
    expect(at.recorded()).toHaveLength(2);
  });

  it('is judged the same without a preview', () => {
    for (const [text, ended] of [
      [RESULT, 'applied'],
      [BASE, 'rolled_back'],
    ] as const) {
      const at = begun({ now: [text], isPreviewed: false });
      at.begin();
      at.recover();
      expect(at.recorded()).toMatchObject([{ outcome: ended, confirmed_by: 'direct' }]);
      expect(at.isKept()).toBe(ended === 'applied');
    }
  });

  it('may still be put right by somebody else for a minute, where it was cut in half', () => {
    const at = begun({ now: [RESULT, BASE] });
    at.begin();
    const opened = at.state.changes.openedAtMs(at.change.id);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(opened + 59_999);
    at.recover();
    expect([at.recorded(), at.isOpen(), at.isKept()]).toEqual([[], true, true]);
    clock.mockReturnValue(opened + 60_000);
    at.recover();
    expect([at.recorded().length, at.isOpen(), at.isKept()]).toEqual([2, false, true]);
  });

  it('is forgotten where the trail has no intent of it, whatever the files say', () => {
    const at = begun({ now: [RESULT], said: [] });
    at.begin();
    at.say('kept', 'B'.repeat(43));
    at.recover();
    expect([at.recorded(), at.isOpen(), at.isKept()]).toEqual([[], false, false]);
  });

  it('has ended as the trail says, whatever the files say', () => {
    const at = begun({ now: [BASE], said: ['intent', 'applied'] });
    at.begin();
    at.recover();
    expect([at.recorded(), at.isOpen(), at.isKept()]).toEqual([[], false, true]);
  });

  it('was never carried through where another one used its preview', () => {
    const at = begun({ now: [RESULT], said: [] });
    at.say('applied', 'B'.repeat(43));
    at.begin();
    at.say('intent');
    at.recover();
    expect(at.recorded()).toMatchObject([{ outcome: 'rolled_back', change_id: at.change.id }]);
    expect([at.isOpen(), at.isKept(), at.mayBeTried()]).toEqual([false, false, 'PREVIEW_USED']);
  });

  it('is no change any more where somebody has written to it', () => {
    const at = begun({ now: [BASE] });
    at.begin();
    writeFileSync(join(at.dir, 'changes', `${at.change.id}.json`), at.change.text.replace('test', 'eve'));
    at.recover();
    expect([at.recorded(), at.isOpen()]).toEqual([[], false]);
  });

  it('stays open where the disk fails, which is no reason not to start', () => {
    const at = begun({ now: [RESULT] });
    at.begin();
    for (const call of ['opendirSync', 'writeSync'] as const) {
      failing(call, 'EIO');
      at.recover();
      vi.restoreAllMocks();
      expect([call, at.isOpen()]).toEqual([call, true]);
    }
    at.recover();
    expect(at.isOpen()).toBe(false);
  });
});
