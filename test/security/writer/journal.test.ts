// The journal of a batch, and the temporary files that it is about.
import fs, {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { journalNameOf } from '../../../src/security/paths/denylist.ts';
import { isAbandoned, Journal } from '../../../src/security/writer/journal.ts';
import { TempFile } from '../../../src/security/writer/temp-file.ts';
import { isRoot, leftovers, place, refusalOf } from '../fixture.ts';
import { slowDisk } from '../store/disk.ts';

afterEach(() => vi.restoreAllMocks());

const BATCH = '0123456789ab'.repeat(2);
const FOLDERS = [
  {
    folder: { root: undefined, path: ['d'] },
    files: [{ name: 'a.yaml', base: 'a'.repeat(64), result: 'b'.repeat(64) }],
  },
];

const prepared = () => {
  const here = place();
  const directory = pinRoot('fd-walk', here.root);
  onTestFinished(() => directory.close());
  return {
    ...here,
    directory,
    journal: new Journal(directory, BATCH),
    file: join(here.root, journalNameOf(BATCH)),
  };
};

describe('a journal', () => {
  it('says what it was told, durably, once, and is gone for good', () => {
    const { journal, file, root } = prepared();
    expect(journal.read()).toBeUndefined();
    const sync = vi.spyOn(fs, 'fsyncSync');
    journal.write(FOLDERS);
    expect(sync).toHaveBeenCalledTimes(2);
    const read = journal.read();
    if (read === undefined || read === 'damaged') throw new Error(read);
    expect(read).toMatchObject({ batch: BATCH, folders: FOLDERS, owner: { pid: process.pid } });
    expect(read.writtenMs).toBe(Math.floor(statSync(file).ctimeMs));
    expect(isAbandoned(read)).toBe(false);
    expect(isAbandoned({ ...read, owner: { ...read.owner, started: '1' } })).toBe(true);
    expect(() => journal.write(FOLDERS)).toThrow('the journal of a fresh batch exists already');
    sync.mockClear();
    journal.remove();
    journal.remove();
    expect(sync).toHaveBeenCalledTimes(2);
    expect(leftovers(root)).toEqual([]);
  });

  const sound = { ...thisProcess(), batch: BATCH, folders: FOLDERS };
  it.each([
    { why: 'another batch', text: { ...sound, batch: 'f'.repeat(24) } },
    { why: 'no batch', text: { ...sound, batch: undefined } },
    { why: 'no owner', text: { ...sound, pid: undefined } },
    { why: 'no folders', text: { ...sound, folders: undefined } },
    { why: 'an empty list of folders', text: { ...sound, folders: [] } },
    { why: 'a folder that is none', text: { ...sound, folders: [...FOLDERS, {}] } },
    { why: 'nothing', text: '' },
  ])('that says $why is damaged', ({ text }) => {
    const { journal, file } = prepared();
    writeFileSync(file, JSON.stringify(sound));
    expect(journal.read()).toMatchObject({ batch: BATCH });
    writeFileSync(file, JSON.stringify(text));
    expect(journal.read()).toBe('damaged');
  });

  it('of a batch that is none is damaged, whatever it says', () => {
    const { directory, root } = prepared();
    writeFileSync(join(root, journalNameOf('x')), JSON.stringify({ ...sound, batch: 'x' }));
    expect(new Journal(directory, 'x').read()).toBe('damaged');
  });
});

describe('a temporary file', () => {
  const made = (mode = 0o640) => {
    const here = prepared();
    const path = here.write('root/a.yaml', 'a: 1\n');
    chmodSync(path, mode);
    if (isRoot) chownSync(path, 1234, 5678);
    const base = here.directory.hold('a.yaml');
    if (base === undefined) throw new Error('the file is there');
    base.close();
    const temp = (bytes = Buffer.from('a: 2\n'), like = base.facts) =>
      new TempFile(here.directory, '.new', like, bytes);
    return { ...here, temp, facts: base.facts, path: join(here.root, '.new') };
  };

  it('is whole, though the disk takes only some of it at a time, with owner and mode of the file', async () => {
    const { temp, path } = made(0o6751);
    slowDisk(1);
    const fresh = temp();
    expect(readFileSync(path, 'utf8')).toBe('a: 2\n');
    const stat = statSync(path);
    expect(stat.mode & 0o7777).toBe(0o751);
    if (isRoot) expect([stat.uid, stat.gid]).toEqual([1234, 5678]);
    expect(fresh.identity.ino).toBe(statSync(path, { bigint: true }).ino);
    const [sync, begin] = [vi.spyOn(fs, 'fsyncSync'), vi.spyOn(fs, 'fsync')];
    // Only so many are under way at a time: those of other tests are through once the event loop has turned.
    for (let tries = 0; tries < 100 && begin.mock.calls.length === 0; tries += 1) {
      await setImmediate();
      fresh.beginSync();
    }
    expect([begin.mock.calls.length, sync.mock.calls.length]).toEqual([1, 0]);
    fresh.sync();
    expect(sync).toHaveBeenCalledOnce();
    fresh.discard();
  });

  it('is only given away where it has another owner or group', () => {
    const { temp, facts } = made();
    const own = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
    const given: unknown[] = [];
    vi.spyOn(fs, 'fchownSync').mockImplementation((_fd, uid, gid) => {
      given.push([uid, gid]);
    });
    for (const owner of [own, { ...own, uid: 7 }, { ...own, gid: 8 }])
      temp(undefined, { ...facts, ...owner }).discard();
    expect(given).toEqual([
      [7, own.gid],
      [own.uid, 8],
    ]);
  });

  it('leaves nothing where it cannot be made', () => {
    const { temp, root } = made();
    const before = readdirSync('/proc/self/fd').length;
    vi.spyOn(fs, 'fchmodSync').mockImplementation(() => {
      throw new Error('EPERM');
    });
    expect(() => temp()).toThrow('EPERM');
    expect(readdirSync(root)).toEqual(['a.yaml']);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });

  it('becomes the file, and has nothing to take away then', () => {
    const { temp, root, path } = made();
    const fresh = temp();
    fresh.renameTo('a.yaml');
    expect(readFileSync(join(root, 'a.yaml'), 'utf8')).toBe('a: 2\n');
    writeFileSync(path, 'of somebody else');
    const close = vi.spyOn(fs, 'closeSync');
    expect([fresh.discard(), fresh.discard()]).toEqual([true, true]);
    expect(close).toHaveBeenCalledOnce();
    expect(readFileSync(path, 'utf8')).toBe('of somebody else');
  });

  it('that is gone or another is not the file', () => {
    const { temp, path } = made();
    const fresh = temp();
    unlinkSync(path);
    const message = 'Cannot write: the temporary file was replaced by another program. Try again.';
    for (const act of [() => {}, () => writeFileSync(path, 'other')]) {
      act();
      const refusal = refusalOf(() => fresh.renameTo('a.yaml'));
      expect([refusal?.code, refusal?.message]).toEqual(['IO_ERROR', message]);
    }
    expect(fresh.discard()).toBe(true);
  });

  it('that stays is said to', () => {
    const { temp, path } = made();
    const fresh = temp();
    unlinkSync(path);
    mkdirSync(path);
    expect(fresh.discard()).toBe(false);
    expect(fresh.discard()).toBe(false);
  });
});
