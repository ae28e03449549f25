// What is kept of a change before the files are touched, what of it goes and what stays, and how the trail and the
// folder are held against each other.
import fs, { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeIn } from '../../../src/security/store/applied-change.ts';
import { finishedChanges } from '../../../src/security/store/change-store.ts';
import { refusalOf } from '../fixture.ts';
import { changing, DRAFT } from './changing.ts';
import { AT } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

const OTHERS = '1'.repeat(64);
const TRAIL =
  'Cannot go on: the audit trail is not whole, or not the one that it was. The operator should run "config-airlock audit verify".';

function failing(code: string, errno: number) {
  return () => {
    throw Object.assign(new Error(code), { errno, code });
  };
}

describe('a change that is drafted', () => {
  it('has an id of its own, the time and the roots, and is not kept yet', () => {
    const { changes, names } = changing();
    const drafts = Array.from({ length: 600 }, () => changes.draft(DRAFT));
    const [{ id, text } = { id: '', text: '' }] = drafts;
    expect(changeIn(id, text)).toEqual({
      ...{ ...DRAFT, v: 1, at: AT, roots: '0'.repeat(64) },
      nonce: expect.stringMatching(/^[\w-]{22}$/u),
    });
    expect(new Set(drafts.map((each) => each.id)).size).toBe(600);
    // It would be taken for an option on a command line.
    expect(drafts.filter((each) => each.id.startsWith('-'))).toEqual([]);
    expect([names(), changes.hasOpen()]).toEqual([[], false]);
  });
});

describe('a change that is begun', () => {
  it('is kept under its id, for the owner alone, with one flush', () => {
    const { changes, names, at } = changing();
    const change = changes.draft(DRAFT);
    const flushed = vi.spyOn(fs, 'fsyncSync');
    changes.keep(change);
    expect(flushed).toHaveBeenCalledTimes(1);
    expect(names()).toEqual([`${change.id}.open`]);
    expect(statSync(at(`${change.id}.open`)).mode & 0o777).toBe(0o600);
    expect(readFileSync(at(`${change.id}.open`), 'utf8')).toBe(change.text);
    expect(changes.find(change.id)).toMatchObject({ id: change.id, isOpen: true, isRecorded: false });
    expect([changes.hasOpen(), changes.ids()]).toEqual([true, [change.id]]);
  });

  it('is not kept at all where the disk does not take it, or does not hold it', () => {
    const { changes, names, events } = changing();
    const keep = () => refusalOf(() => changes.keep(changes.draft(DRAFT)));
    const write = vi.spyOn(fs, 'writeSync').mockImplementationOnce(failing('ENOSPC', -28));
    expect(keep()).toMatchObject({
      code: 'NO_SPACE',
      message: 'Cannot record the change: the disk is full. Free some space and try again.',
    });
    expect([names(), events()]).toEqual([[], ['state_unusable']]);
    write.mockRestore();
    vi.spyOn(fs, 'fsyncSync').mockImplementation(failing('EIO', -5));
    expect(keep()).toMatchObject({
      code: 'IO_ERROR',
      message:
        'Cannot record the change: the file system reported an error. Try again, or ask the operator to look at the log.',
    });
    expect(names()).toEqual([]);
    vi.spyOn(fs, 'unlinkSync').mockImplementation(failing('EACCES', -13));
    expect(keep()?.code).toBe('IO_ERROR');
  });

  it('is not kept where it could not be read back', () => {
    const { changes, names } = changing();
    vi.spyOn(Buffer, 'byteLength').mockReturnValue(256_000_001);
    expect(refusalOf(() => changes.keep(changes.draft(DRAFT)))).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message:
        'Cannot record the change: all of its files have 256000001 bytes, and 256000000 are allowed. Send fewer of them at a time.',
    });
    expect(names()).toEqual([]);
  });

  it('is begun once', () => {
    const { changes } = changing();
    const change = changes.draft(DRAFT);
    changes.keep(change);
    expect(refusalOf(() => changes.keep(change))?.code).toBe('IO_ERROR');
    expect(changes.find(change.id)?.isOpen).toBe(true);
  });
});

describe('what the trail does not know of', () => {
  it('stops every change, if it was the change of a preview, has ended and is whole [APR-5]', () => {
    const { store, put, names } = changing();
    const id = put();
    for (let again = 0; again < 2; again += 1) {
      const changes = store();
      expect(refusalOf(() => changes.keep(changes.draft(DRAFT)))).toMatchObject({
        code: 'IO_ERROR',
        message: TRAIL,
      });
      expect(refusalOf(() => changes.keep(changes.draft(DRAFT)))?.message).toBe(TRAIL);
    }
    expect(names()).toEqual([`${id}.json`]);
  });

  it('stops none where it is torn, open, direct or no change; nor does what the trail does know of', () => {
    const { store, put, record, write, begun } = changing();
    put('{}');
    write('x.json', '');
    begun();
    const direct = put(undefined, undefined, {});
    expect(refusalOf(() => begun(store()))?.message, 'of a trail that is empty').toBe(TRAIL);
    record(put());
    expect(() => begun(store())).not.toThrow();
    expect(store().unfinished()).toContain(direct);
  });

  it('stops nobody who has accounted for all before: from then on the trail itself misses what is lost', () => {
    const { changes, put, begun, dir } = changing();
    begun();
    put();
    expect(() => begun()).not.toThrow();
    writeFileSync(join(dir, 'audit/head.json'), 'x');
    expect(refusalOf(() => begun())?.code).toBe('IO_ERROR');
    expect(changes.hasOpen()).toBe(true);
  });
});

describe('a change that has not ended', () => {
  it('is one that is open, or of which the trail knows no end', () => {
    const { changes, store, put, begun, record, write } = changing();
    const [open, untold, told, lost] = [begun(), put(), put(), put(undefined, undefined, {})];
    const others = put(undefined, OTHERS);
    for (const id of [untold, told, others]) record(id, 'intent');
    record(told);
    write(`${'A'.repeat(43)}.open`, '{}');
    expect([...changes.unfinished()].sort()).toEqual([open, untold, lost].sort());
    expect(store(OTHERS).unfinished()).toEqual([others]);
    expect([open, untold, told].map((id) => changes.recordedState(id))).toEqual([
      'unknown',
      'begun',
      'ended',
    ]);
    expect([changes.isForeign(others), changes.isForeign(open), changes.isForeign('x')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('goes where its record was never whole, and is older than any that is being written', () => {
    const { changes, put, write, aged, names } = changing();
    const [young, old] = ['A', 'B'].map((letter) => `${letter.repeat(43)}.open`);
    for (const name of [young, old]) write(name ?? '', '{}');
    aged(old ?? '', Date.now() / 1_000 - 601);
    aged(young ?? '', Date.now() / 1_000 - 590);
    expect([changes.unfinished(), names()]).toEqual([[], [young]]);
    const ended = put();
    write(`${ended}.open`, '{}');
    expect([changes.unfinished(), changes.find(ended)?.isOpen]).toEqual([[], false]);
  });
});

describe('a change that was made', () => {
  it('stays, under another name, until it is forgotten', () => {
    const { changes, begun, names, record } = changing();
    const id = begun();
    record(id);
    changes.finish(id);
    expect([names(), changes.hasOpen()]).toEqual([[`${id}.json`], false]);
    expect(changes.find(id)).toMatchObject({ ...DRAFT, id, isOpen: false, isRecorded: true });
    changes.forget(id);
    expect([names(), changes.find(id)]).toEqual([[], undefined]);
    const open = begun();
    record(open, 'intent');
    changes.forget(open);
    expect(names()).toEqual([`${open}.open`]);
    record(open, 'rolled_back');
    changes.forget(open);
    expect(names()).toEqual([]);
  });

  it('is finished whatever becomes of its name or of the trail', () => {
    const { changes, begun, dir } = changing();
    const id = begun();
    vi.spyOn(fs, 'renameSync').mockImplementation(failing('EIO', -5));
    writeFileSync(join(dir, 'audit/head.json'), 'x');
    expect(() => changes.finish(id)).not.toThrow();
    expect(changes.find(id)).toMatchObject({ isOpen: true, isRecorded: false });
  });

  it('is missed once the trail has lost the record of it', () => {
    const { changes, begun, record, dir, here } = changing();
    record('earlier');
    const id = begun();
    cpSync(join(dir, 'audit'), join(here.base, 'before'), { recursive: true });
    record(id);
    changes.finish(id);
    for (const name of fs.readdirSync(join(here.base, 'before')))
      writeFileSync(join(dir, 'audit', name), readFileSync(join(here.base, 'before', name)));
    expect(refusalOf(() => begun())?.message).toBe(TRAIL);
  });

  it('is found under its own id and by a server of its roots', () => {
    const { changes, store, put, write } = changing();
    const [id, others, torn] = [put(), put(undefined, OTHERS), put('{}')];
    expect(changes.find(id)?.id).toBe(id);
    expect(store(OTHERS).find(others)?.id).toBe(others);
    write('x.json', '');
    for (const other of [others, torn, 'A'.repeat(43), 'x', '', '../changes', 'a/b', '\0', `${id}x`])
      expect(changes.find(other), other).toBeUndefined();
  });
});

describe('the folder of changes', () => {
  it('lists the newest first, and nothing that is none', () => {
    const { changes, put, write, aged } = changing();
    const ids = [put(), put(), put()];
    for (const [index, seconds] of [2, 3, 1].entries()) aged(`${ids[index]}.json`, seconds);
    write('x.json', '');
    write(`${'A'.repeat(42)}.open`, '');
    expect(changes.ids()).toEqual([ids[1], ids[0], ids[2]]);
  });

  it('tells what has ended, and of what the trail must know', () => {
    const { state, put, begun, write, at } = changing();
    const open = begun();
    const [done, direct, torn] = [put(), put(undefined, undefined, {}), put('{}')];
    write('x.json', '');
    const { ids, isWhole, isOfPreview } = finishedChanges(state.changes, state.previews);
    expect([...ids].sort()).toEqual([done, direct, torn].sort());
    const all = [done, direct, torn, open, 'A'.repeat(43)];
    expect([all.filter(isWhole), all.filter(isOfPreview)]).toEqual([[done, direct, open], [done]]);
    rmSync(at(`${done}.json`));
    expect(isWhole(done)).toBe(false);
  });

  it('keeps two thousand, and the oldest goes with its mark', () => {
    const { changes, write, aged, names } = changing();
    const ids = Array.from({ length: 2001 }, (_, n) => String(n).padStart(43, '0'));
    for (const id of ids.slice(1)) write(`${id}.json`, '');
    const [oldest = ''] = ids;
    changes.tidy();
    expect(names()).toHaveLength(2000);
    for (const name of [`${oldest}.json`, `${oldest}.open`]) {
      write(name, '');
      aged(name, 1);
    }
    changes.tidy();
    expect(names()).toEqual(ids.slice(1).map((id) => `${id}.json`));
  });

  it('keeps 224 MB, and the oldest go', () => {
    const { changes, write, aged, at, names } = changing();
    const ids = Array.from({ length: 7 }, (_, n) => String(n).repeat(43));
    for (const [n, id] of ids.entries()) {
      write(`${id}.json`, '');
      truncateSync(at(`${id}.json`), 32e6);
      aged(`${id}.json`, 100 + n);
    }
    changes.tidy();
    expect(names()).toHaveLength(7);
    write(`${'9'.repeat(43)}.json`, 'x');
    changes.tidy();
    expect(names()).toEqual([...ids.slice(1), '9'.repeat(43)].map((id) => `${id}.json`));
  });

  it('is looked through after 200 changes of one process, and after 32 MB', () => {
    const { changes, begun, put, record, aged, at } = changing();
    const old = put();
    record(old);
    const isOldKept = () => existsSync(at(`${old}.json`));
    begun();
    truncateSync(at(`${old}.json`), 250e6);
    aged(`${old}.json`, 1);
    for (let n = 2; n <= 200; n += 1) begun();
    expect(isOldKept()).toBe(true);
    begun();
    expect(isOldKept()).toBe(false);
    const looked = vi.spyOn(changes, 'tidy');
    vi.spyOn(Buffer, 'byteLength').mockReturnValue(15e6);
    const isLookedThrough = [1, 2, 3, 4, 5].map(() => {
      begun();
      return looked.mock.calls.length;
    });
    expect(isLookedThrough).toEqual([0, 0, 1, 1, 2]);
  });
});
