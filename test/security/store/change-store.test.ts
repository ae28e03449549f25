// What is kept of a change before the files are touched, what of it goes and what stays, and how the trail and the
// folder are held against each other.
import fs, { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeIn } from '../../../src/security/store/applied-change.ts';
import { finishedChanges, finishedIds } from '../../../src/security/store/change-store.ts';
import { refusalOf } from '../fixture.ts';
import { changing, DRAFT } from './changing.ts';
import { AT } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

const OTHERS = '1'.repeat(64);
const TRAIL =
  'Cannot write: the audit trail is not whole, or not the one that it was. The operator should run "config-airlock audit verify".';

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
  it('is kept under its id with a mark of whose it is, for the owner alone', () => {
    const { changes, names, at } = changing();
    const change = changes.draft(DRAFT);
    const flushed = vi.spyOn(fs, 'fsyncSync');
    const { sync, close } = changes.begin(change);
    expect(names()).toEqual([`${change.id}.json`, `${change.id}.open`]);
    for (const name of names()) expect(statSync(at(name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(at(`${change.id}.json`), 'utf8')).toBe(change.text);
    expect(JSON.parse(readFileSync(at(`${change.id}.open`), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(flushed).not.toHaveBeenCalled();
    sync();
    // The text and the folder.
    expect(flushed).toHaveBeenCalledTimes(2);
    const closed = vi.spyOn(fs, 'closeSync');
    close();
    expect(closed.mock.calls).toEqual([flushed.mock.calls[0]]);
    expect(changes.find(change.id)).toMatchObject({ id: change.id, isOpen: true, isRecorded: false });
    expect(changes.hasOpen()).toBe(true);
  });

  it('is not kept at all where the disk does not take it, or does not hold it', () => {
    const { changes, names, events } = changing();
    const change = changes.draft(DRAFT);
    const spy = vi.spyOn(fs, 'linkSync').mockImplementation(failing('ENOSPC', -28));
    expect(refusalOf(() => changes.begin(change))).toMatchObject({
      code: 'NO_SPACE',
      message: 'Cannot record the change: the disk is full. Free some space and try again.',
    });
    expect([names(), events()]).toEqual([[], ['state_unusable']]);
    spy.mockRestore();
    const begun = changes.begin(change);
    vi.spyOn(fs, 'fsyncSync').mockImplementation(failing('EIO', -5));
    expect(refusalOf(() => begun.sync())).toMatchObject({
      code: 'IO_ERROR',
      message:
        'Cannot record the change: the file system reported an error. Try again, or ask the operator to look at the log.',
    });
    begun.close();
    expect(names()).toEqual([]);
  });

  it('says why it is not kept, though what is left of it cannot be taken away', () => {
    const { changes } = changing();
    vi.spyOn(fs, 'linkSync').mockImplementation(failing('ENOSPC', -28));
    vi.spyOn(fs, 'unlinkSync').mockImplementation((path) =>
      String(path).endsWith('.open') ? failing('EIO', -5)() : undefined,
    );
    expect(refusalOf(() => changes.begin(changes.draft(DRAFT)))?.code).toBe('NO_SPACE');
  });

  it('is begun once', () => {
    const { changes } = changing();
    const change = changes.draft(DRAFT);
    changes.begin(change).close();
    expect(() => changes.begin(change)).toThrow(new Error('there is a change of this id'));
  });
});

describe('what the trail does not know of', () => {
  it('stops every change, if it was finished and is whole', () => {
    const { store, put, names } = changing();
    const id = put();
    for (let again = 0; again < 2; again += 1) {
      const changes = store();
      expect(refusalOf(() => changes.begin(changes.draft(DRAFT)))).toMatchObject({
        code: 'IO_ERROR',
        message: TRAIL,
      });
      expect(refusalOf(() => changes.begin(changes.draft(DRAFT)))?.message).toBe(TRAIL);
    }
    expect(names()).toEqual([`${id}.json`]);
  });

  it('stops none where it is torn, open or no change; nor does what the trail does know of', () => {
    const { store, put, record, write, begun } = changing();
    put('{}');
    write('x.json', '');
    write(`${put()}.open`, '');
    record(put());
    expect(() => begun(store())).not.toThrow();
  });

  it('stops nobody who has accounted for all before: from then on the audit index misses what is lost', () => {
    const { changes, put, begun, dir } = changing();
    begun();
    put();
    expect(() => begun()).not.toThrow();
    writeFileSync(join(dir, 'audit/head.json'), 'x');
    expect(refusalOf(() => begun())?.code).toBe('IO_ERROR');
    expect(changes.hasOpen()).toBe(true);
  });
});

describe('a change that was made', () => {
  it('stays, without its mark', () => {
    const { changes, begun, names, record } = changing();
    const id = begun();
    record(id);
    changes.finish(id);
    expect([names(), changes.hasOpen()]).toEqual([[`${id}.json`], false]);
    expect(changes.find(id)).toMatchObject({ ...DRAFT, id, isOpen: false, isRecorded: true });
    changes.abandon(id);
    expect([names(), changes.find(id)]).toEqual([[], undefined]);
  });

  it('is finished whatever becomes of its mark or of the trail', () => {
    const { changes, begun, dir } = changing();
    const id = begun();
    vi.spyOn(fs, 'unlinkSync').mockImplementation(failing('EIO', -5));
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
    write(`${'A'.repeat(43)}.open`, '');
    expect(changes.ids()).toEqual([ids[1], ids[0], ids[2]]);
  });

  it('tells what is finished and what is whole', () => {
    const { state, put, write, at } = changing();
    const [done, open, torn] = [put(), put(), put('{}')];
    write(`${open}.open`, '');
    write('x.json', '');
    expect([...finishedIds(state.changes)].sort()).toEqual([done, torn].sort());
    const whole = [done, open, torn, 'A'.repeat(43)].map((id) =>
      finishedChanges(state.changes, state.previews).isWhole(id),
    );
    expect(whole).toEqual([true, true, false, false]);
    rmSync(at(`${done}.json`));
    expect(finishedChanges(state.changes, state.previews).isWhole(done)).toBe(false);
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

  it('keeps 256 MB, and the oldest go', () => {
    const { changes, write, aged, at, names } = changing();
    const ids = Array.from({ length: 8 }, (_, n) => String(n).repeat(43));
    for (const [n, id] of ids.entries()) {
      write(`${id}.json`, '');
      truncateSync(at(`${id}.json`), 32e6);
      aged(`${id}.json`, 100 + n);
    }
    changes.tidy();
    expect(names()).toHaveLength(8);
    write(`${'9'.repeat(43)}.json`, 'x');
    changes.tidy();
    expect(names()).toEqual([...ids.slice(1), '9'.repeat(43)].map((id) => `${id}.json`));
  });
});
