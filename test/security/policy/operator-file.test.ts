// A file that the operator names is read whole, as what it is, and refused where it is anything else.
import { execFileSync } from 'node:child_process';
import fs, { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { readOperatorFile, StartError } from '../../../src/security/index.ts';
import { place } from '../fixture.ts';
import { slowDisk } from '../fs/disk.ts';

afterEach(() => vi.restoreAllMocks());

function said(file: string): string {
  try {
    return `read: ${readOperatorFile(file).length}`;
  } catch (error) {
    return error instanceof StartError ? error.message.replace(JSON.stringify(file), 'FILE') : String(error);
  }
}

it('is read up to a million bytes of UTF-8, and through a link', () => {
  const { base } = place();
  const file = join(base, 'policy');
  writeFileSync(file, '\ufeffcaf\u00e9\n');
  symlinkSync(file, join(base, 'link'));
  expect([readOperatorFile(file), readOperatorFile(join(base, 'link'))]).toEqual([
    'caf\u00e9\n',
    'caf\u00e9\n',
  ]);
  writeFileSync(file, 'x'.repeat(1_000_000));
  expect(said(file)).toBe('read: 1000000');
  writeFileSync(file, 'x'.repeat(1_000_001));
  expect(said(file)).toBe('cannot read FILE: it is larger than 1000000 bytes');
});

it('is read whole, however little the disk gives at a time', () => {
  const file = place().write('slow', 'abcde');
  slowDisk(2);
  expect(readOperatorFile(file)).toBe('abcde');
  vi.restoreAllMocks();
  vi.spyOn(fs, 'readSync').mockReturnValue(0);
  expect(readOperatorFile(file)).toBe('');
});

it('is refused where it is not there, is no file, is not UTF-8, or others can change it', () => {
  const { base } = place();
  const at = (name: string) => join(base, name);
  const before = readdirSync('/proc/self/fd').length;
  expect(said(at('nothing'))).toBe('cannot read FILE: it does not exist, or may not be read');
  mkdirSync(at('folder'));
  expect(said(at('folder'))).toBe('cannot read FILE: it is no plain file');
  execFileSync('mkfifo', ['-m', '600', at('fifo')]);
  expect(said(at('fifo'))).toBe('cannot read FILE: it is no plain file');
  writeFileSync(at('latin1'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  expect(said(at('latin1'))).toBe('cannot read FILE: it is not UTF-8');
  writeFileSync(at('open'), 'a');
  chmodSync(at('open'), 0o666);
  expect(said(at('open'))).toMatch(/^cannot read FILE: ./u);
  expect(said(at('open'))).not.toMatch(/exist|plain|UTF-8|larger/u);
  expect(readdirSync('/proc/self/fd')).toHaveLength(before);
});
