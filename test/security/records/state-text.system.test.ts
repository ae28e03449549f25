// A text in a folder of the state directory: there in full or not at all, for its owner alone, and durable when it is
// said to be.
import { lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { effectsOf, failing, isLinux, openedFolder as opened } from '../store/disk.ts';

afterEach(() => vi.restoreAllMocks());

describe.skipIf(!isLinux)('a text of it', () => {
  it('is its owner’s alone, whatever the umask says', () => {
    const { folder, at, text } = opened();
    const before = process.umask(0o777);
    try {
      folder.create('a', 'ä: 1\n');
      folder.put('b', 'b');
      folder.createDurable('c', 'c');
    } finally {
      process.umask(before);
    }
    for (const name of ['a', 'b', 'c']) expect(statSync(at(name)).mode & 0o777).toBe(0o600);
    expect(text('a')).toBe('ä: 1\n');
    folder.append('d', 'd', false);
    expect(statSync(at('d')).mode & 0o777).toBe(0o600);
  });

  it('is created by one alone, whatever stands there, and is durable then: the text and the name', () => {
    const { folder, at, text, dir } = opened();
    const wrote = effectsOf(() => expect(folder.create('a', 'one')).toBe(true));
    expect(wrote).toEqual(['write draft', 'link draft a', 'unlink draft', 'sync draft', 'sync folder']);
    mkdirSync(at('b'));
    symlinkSync('nowhere', at('c'));
    for (const name of ['a', 'b', 'c']) expect(folder.create(name, 'two')).toBe(false);
    expect([text('a'), readdirSync(dir).sort()]).toEqual(['one', ['a', 'b', 'c']]);
  });

  it('is durable with one flush where nobody else takes its name', () => {
    const { folder, text, at } = opened();
    expect(effectsOf(() => folder.createDurable('a', 'one'))).toEqual(['write a', 'sync a']);
    expect([text('a'), lstatSync(at('a')).mode & 0o777]).toEqual(['one', 0o600]);
    expect(() => folder.createDurable('a', 'two')).toThrow('EEXIST');
    expect(effectsOf(() => folder.rename('a', 'b'))).toEqual(['rename a b']);
    expect(text('b')).toBe('one');
  });

  it('is written over in its place, or created', () => {
    const { folder, text, at } = opened();
    expect(effectsOf(() => folder.overwrite('a', 'one'))).toContain('sync folder');
    const { ino } = lstatSync(at('a'));
    expect(effectsOf(() => folder.overwrite('a', 'two'))).toEqual(['write a']);
    expect([text('a'), lstatSync(at('a')).ino]).toEqual(['two', ino]);
    mkdirSync(at('b'));
    expect(() => folder.overwrite('b', 'one')).toThrow();
  });

  it('is put there without waiting for the disk', () => {
    const { folder, text, write } = opened();
    write('a', 'old');
    expect(effectsOf(() => folder.put('a', 'other'))).toEqual(['write draft', 'rename draft a']);
    expect(text('a')).toBe('other');
  });

  it('is appended to; durable where that is asked for, and its name where it is new', () => {
    const { folder, text, write } = opened();
    expect(effectsOf(() => folder.append('a', 'one\n', false))).toEqual(['write a', 'sync folder']);
    expect(effectsOf(() => folder.append('a', 'two\n', false))).toEqual(['write a']);
    expect(effectsOf(() => folder.append('a', 'three\n', true))).toEqual(['write a', 'sync a']);
    expect(effectsOf(() => folder.append('b', 'one\n', true))).toEqual(['write b', 'sync b', 'sync folder']);
    expect(effectsOf(() => folder.sync('a'))).toEqual(['sync a']);
    expect(effectsOf(() => folder.cutTo('a', 6))).toEqual(['ftruncate a', 'sync a']);
    expect(text('a')).toBe('one\ntw');
    write('c', 'line\n');
    for (const call of ['writeSync', 'fsyncSync'] as const) {
      failing(call, 'ENOSPC');
      expect(() => folder.append('c', 'more\n', true)).toThrow('ENOSPC');
      vi.restoreAllMocks();
      expect(text('c')).toBe('line\n');
    }
  });

  it.each([
    { what: 'create', call: 'writeSync' },
    { what: 'create', call: 'linkSync' },
    { what: 'create', call: 'fsyncSync' },
    { what: 'createDurable', call: 'fchmodSync' },
    { what: 'createDurable', call: 'writeSync' },
    { what: 'createDurable', call: 'fsyncSync' },
    { what: 'put', call: 'fchmodSync' },
    { what: 'put', call: 'renameSync' },
  ] as const)('leaves nothing behind where $what fails at $call', ({ what, call }) => {
    const { folder, dir, leaks } = opened();
    failing(call, 'EIO');
    expect(() => folder[what]('a', 'text')).toThrow('EIO');
    vi.restoreAllMocks();
    expect(readdirSync(dir)).toEqual([]);
    failing(call, 'EIO');
    expect(leaks(() => folder[what]('a', 'text'))).toBe(0);
  });

  it('goes again where its name could not be made durable', () => {
    const { folder, dir } = opened();
    failing('fsyncSync', 'EIO', 2);
    expect(() => folder.create('a', 'text')).toThrow('EIO');
    expect(readdirSync(dir)).toEqual([]);
  });
});
