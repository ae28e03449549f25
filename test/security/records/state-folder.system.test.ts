// One folder of the state directory: what it reads, what it takes for nothing, and what it leaves behind.
import fs, {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { StateFolder } from '../../../src/security/records/state-folder.ts';
import { place, refusalOf } from '../fixture.ts';
import { failing, isLinux, openedFolder as opened } from '../store/disk.ts';

afterEach(() => vi.restoreAllMocks());

const DRAFT = `.config-airlock-${'0'.repeat(24)}.draft`;

describe.skipIf(!isLinux)('a folder of the state directory', () => {
  it('reads what is as long as allowed, from where it is asked to', () => {
    const { folder, write } = opened();
    write('a', 'abcdef');
    expect([folder.read('a', 6), folder.read('a', 7), folder.read('a', 5)]).toEqual([
      'abcdef',
      'abcdef',
      undefined,
    ]);
    expect([folder.read('a', 3, 3), folder.read('a', 2, 3), folder.read('a', 9, 6)]).toEqual([
      'def',
      undefined,
      '',
    ]);
    expect([folder.read('none', 9), folder.facts('none')]).toEqual([undefined, undefined]);
    expect(folder.facts('a')).toMatchObject({ kind: 'file', sizeBytes: 6 });
  });

  it('reads a first line alone, however long it is, and all of a text that ends no line', () => {
    const { folder, write } = opened();
    for (const line of [
      '',
      'a',
      'ä'.repeat(8_192),
      'x'.repeat(16_383),
      'x'.repeat(16_384),
      'ä'.repeat(70_000),
    ]) {
      write('a', `${line}\nrest\n${'y'.repeat(300_000)}`);
      expect(folder.readFirstLine('a')).toBe(line);
      write('a', line);
      expect(folder.readFirstLine('a')).toBe(line);
    }
    expect(folder.readFirstLine('none')).toBeUndefined();
  });

  it('takes what others may have written for nothing', () => {
    const { folder, write, at } = opened();
    write('own', 'x');
    symlinkSync('own', at('link'));
    mkdirSync(at('folder'));
    for (const mode of [0o620, 0o602]) {
      write(`${mode}`, 'x');
      chmodSync(at(`${mode}`), mode);
    }
    for (const name of ['link', 'folder', `${0o620}`, `${0o602}`])
      expect([name, folder.read(name, 9)]).toEqual([name, undefined]);
  });

  it('leaves nothing open', () => {
    const { folder, write, leaks } = opened();
    write('a', 'abc');
    const acts: Record<string, () => unknown> = {
      read: () => folder.read('a', 9),
      'read too much': () => folder.read('a', 1),
      create: () => folder.create('b', 'text'),
      'create again': () => folder.create('b', 'text'),
      createDurable: () => folder.createDurable('e', 'text'),
      overwrite: () => folder.overwrite('b', 'again'),
      put: () => folder.put('c', 'text'),
      append: () => folder.append('d', 'line\n', true),
      sync: () => folder.sync('d'),
      cutTo: () => folder.cutTo('d', 2),
    };
    for (const [what, act] of Object.entries(acts)) expect([what, leaks(act)]).toEqual([what, 0]);
    for (const [call, act] of [
      ['readSync', 'read'],
      ['writeSync', 'overwrite'],
      ['fsyncSync', 'sync'],
      ['fsyncSync', 'cutTo'],
      ['writeSync', 'append'],
      ['writeSync', 'put'],
    ] as const) {
      failing(call, 'EIO');
      expect([call, act, leaks(() => acts[act]?.())]).toEqual([call, act, 0]);
      vi.restoreAllMocks();
    }
  });

  it('lists its names in order, without drafts, and sweeps the old ones of those', () => {
    const { folder, write, at, dir } = opened();
    expect(folder.names()).toEqual([]);
    for (const name of ['a', 'c', 'b', DRAFT]) write(name, '');
    expect(folder.names()).toEqual(['a', 'b', 'c']);
    for (const name of ['a', DRAFT]) utimesSync(at(name), 1_000, 1_000);
    folder.sweep(1_600_000);
    expect(readdirSync(dir)).toHaveLength(4);
    folder.sweep(1_600_001);
    expect(folder.names()).toEqual(['a', 'b', 'c']);
    expect(readdirSync(dir)).toHaveLength(3);
  });

  it('does not list a part of what it holds as if it were all (finding 15.5)', () => {
    const { folder, write, dir } = opened();
    write('a', '');
    const listing = fs.opendirSync(dir);
    const entry = listing.readSync();
    let left = 0;
    vi.spyOn(listing, 'readSync').mockImplementation(() => (left-- > 0 ? entry : null));
    vi.spyOn(listing, 'closeSync').mockReturnValue();
    vi.spyOn(fs, 'opendirSync').mockReturnValue(listing);
    left = 500_000;
    expect(folder.names()).toHaveLength(500_000);
    left = 500_001;
    expect(refusalOf(() => folder.names())).toMatchObject({
      code: 'IO_ERROR',
      message: expect.stringContaining('more than 500,000 files'),
    });
    vi.restoreAllMocks();
    listing.closeSync();
  });

  it('leaves a draft alone as long as it has a second name, which would else look newer', () => {
    const { folder, write, at } = opened();
    write(DRAFT, '');
    utimesSync(at(DRAFT), 1_000, 1_000);
    linkSync(at(DRAFT), at('a'));
    folder.sweep(1_600_001);
    expect(existsSync(at(DRAFT))).toBe(true);
    rmSync(at('a'));
    folder.sweep(1_600_001);
    expect(existsSync(at(DRAFT))).toBe(false);
  });

  it('says that it was removed, and does not pass for an empty one', () => {
    const { folder, dir } = opened();
    rmSync(dir, { recursive: true });
    for (const act of [() => folder.read('a', 9), () => folder.names()])
      expect(refusalOf(act)).toMatchObject({
        code: 'IO_ERROR',
        message: expect.stringMatching(/^Cannot go on: the state directory, or a part of it, was removed/u),
      });
  });

  it('removes what is there, and says whether it was', () => {
    const { folder, write, at } = opened();
    write('a', '');
    mkdirSync(at('folder'));
    expect([folder.remove('a'), folder.remove('a'), existsSync(at('a'))]).toEqual([true, false, false]);
    expect(() => folder.remove('folder')).toThrow(/EISDIR|EPERM/u);
  });

  it('is used no more once it is closed', () => {
    const { folder } = opened();
    folder.close();
    expect(() => folder.names()).toThrow('a held directory was used after it was closed');
  });
});

it('a folder with too many names says so, and who can mend it', () => {
  const directory = pinRoot('fd-walk', place().root);
  const entries = [{ name: 'a.json', kind: 'file' }];
  const folder = new StateFolder(
    Object.assign(Object.create(directory), { entries: () => ({ entries, complete: false }) }),
  );
  const refusal = refusalOf(() => folder.names());
  expect([refusal?.code, refusal?.message, refusal?.where, refusal?.clues]).toEqual([
    'IO_ERROR',
    'Cannot go on: a folder of the state directory holds more than 500,000 files. The operator should look at it.',
    {},
    { advice: ['Tell the operator: no call can mend this'], isRetryable: false },
  ]);
  directory.close();
});
