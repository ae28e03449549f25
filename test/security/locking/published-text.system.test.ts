// Locks come into being whole or not at all, and what stands at their names is read with care.
import fs, { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { publishedText, publishText, unlinkIfThere } from '../../../src/security/locking/published-text.ts';
import { leftovers, place } from '../fixture.ts';
import { slowDisk } from '../store/disk.ts';

afterEach(() => vi.restoreAllMocks());

const prepared = () => {
  const here = place();
  const directory = pinRoot('fd-walk', here.root);
  onTestFinished(() => directory.close());
  return { ...here, directory };
};
const failure = (code: string) => Object.assign(new Error(code), { errno: -1, code });

describe('a text of our own', () => {
  it.each([true, false])('is there whole, once, and nothing else is (durable: %s)', (isDurable) => {
    const { root, directory } = prepared();
    const calls: string[] = [];
    for (const name of ['fsyncSync', 'linkSync'] as const) {
      const real = fs[name];
      vi.spyOn(fs, name).mockImplementation((...args: unknown[]) => {
        calls.push(name);
        Reflect.apply(real, fs, args);
      });
    }
    expect(publishText(directory, 'a', 'ä'.repeat(9), isDurable)).toBe(true);
    expect(calls).toEqual(isDurable ? ['fsyncSync', 'linkSync', 'fsyncSync'] : ['linkSync']);
    expect(publishText(directory, 'a', 'other', isDurable)).toBe(false);
    const now = statSync(join(root, 'a'));
    expect(publishedText(directory, 'a')).toEqual({
      text: 'ä'.repeat(9),
      writtenMs: Math.floor(now.ctimeMs),
    });
    expect(now.mode & 0o777).toBe(0o600);
    expect(readdirSync(root)).toEqual(['a']);
    const before = readdirSync('/proc/self/fd').length;
    publishedText(directory, 'a');
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });

  it('is written to its end, though the disk takes only some of it at a time, and so is it read', () => {
    const { directory } = prepared();
    slowDisk(2);
    expect(publishText(directory, 'a', 'abcde', false)).toBe(true);
    expect(publishedText(directory, 'a')?.text).toBe('abcde');
  });

  it('that grew shorter while it was read is what could be read', () => {
    const { directory } = prepared();
    publishText(directory, 'a', 'abcde', false);
    vi.spyOn(fs, 'readSync').mockReturnValue(0);
    expect(publishedText(directory, 'a')?.text).toBe('');
  });

  it('that is longer than any lock is none', () => {
    const { directory, root } = prepared();
    expect(publishText(directory, 'a', 'x'.repeat(16_000), false)).toBe(true);
    expect(publishedText(directory, 'a')?.text).toHaveLength(16_000);
    fs.appendFileSync(join(root, 'a'), 'x');
    expect(publishedText(directory, 'a')?.text).toBe('');
  });

  it('is none where something else stands there, and nothing stays open', () => {
    const { directory, root } = prepared();
    symlinkSync('../outside/s.yaml', join(root, 'link'));
    mkdirSync(join(root, 'folder'));
    const before = readdirSync('/proc/self/fd').length;
    const texts = ['link', 'folder', 'gone'].map((name) => publishedText(directory, name)?.text);
    expect(texts).toEqual(['', '', undefined]);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });

  it.each(['EIO', 'EACCES'])('leaves no draft where the disk says %s', (code) => {
    for (const call of ['writeSync', 'fsyncSync', 'linkSync'] as const) {
      const { directory, root } = prepared();
      vi.spyOn(fs, call).mockImplementation(() => {
        throw failure(code);
      });
      const before = readdirSync('/proc/self/fd').length;
      expect(() => publishText(directory, 'a', 'x', true)).toThrow(code);
      expect(readdirSync('/proc/self/fd')).toHaveLength(before);
      expect(leftovers(root)).toEqual([]);
      vi.restoreAllMocks();
    }
  });

  it('is tried again where a sweep took its draft, and not where the folder is gone', () => {
    const { directory, root } = prepared();
    vi.spyOn(fs, 'linkSync').mockImplementation(() => {
      throw failure('ENOENT');
    });
    expect(publishText(directory, 'a', 'x', false)).toBe(false);
    rmSync(root, { recursive: true });
    expect(() => publishText(directory, 'a', 'x', false)).toThrow('ENOENT');
  });
});

it('what is not there need not be taken away; what cannot be is an error', () => {
  const { directory, root, write } = prepared();
  write('root/a', '');
  unlinkIfThere(directory, 'a');
  unlinkIfThere(directory, 'a');
  expect(existsSync(join(root, 'a'))).toBe(false);
  mkdirSync(join(root, 'd'));
  expect(() => unlinkIfThere(directory, 'd')).toThrow(/EISDIR|EPERM/);
});
