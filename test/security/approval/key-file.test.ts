// A reviewer's key on the disk: for its owner alone from the first moment, whole or not there, never overwritten, and
// not used where anybody else could have read it.
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createKeyFile, hasKeyFile, readKeyFile } from '../../../src/security/index.ts';
import { withoutUsers } from '../../harness/without-users.ts';
import { place } from '../fixture.ts';
import { slowDisk } from '../fs/disk.ts';

afterEach(() => vi.restoreAllMocks());

const PEM = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${'ä'.repeat(50)}\n`;

function keys() {
  const { base } = place();
  return { base, file: join(base, 'keys/ann.pem') };
}

describe('a new key file', () => {
  it('is for its owner alone, and its folder as well, whatever the umask and the disk', () => {
    const { base, file } = keys();
    const umask = process.umask(0o277);
    onTestFinished(() => {
      process.umask(umask);
    });
    slowDisk(7);
    createKeyFile(join(base, 'ann.pem'), PEM);
    expect(statSync(join(base, 'ann.pem')).mode & 0o777).toBe(0o600);
    process.umask(0);
    createKeyFile(file, PEM);
    expect([statSync(file).mode & 0o777, statSync(join(base, 'keys')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readFileSync(file, 'utf8')).toBe(PEM);
  });

  it.each(['writeSync', 'fchmodSync', 'fsyncSync'] as const)(
    'is not there, and its name is free, where the disk fails: %s',
    (call) => {
      const { base, file } = keys();
      vi.spyOn(fs, call).mockImplementation(() => {
        throw Object.assign(new Error('ENOSPC'), { errno: -28, code: 'ENOSPC' });
      });
      expect(() => createKeyFile(file, PEM)).toThrow('the disk does not take it');
      expect(readdirSync(join(base, 'keys'))).toEqual([]);
    },
  );

  it('never takes the place of anything', () => {
    const { base, file } = keys();
    mkdirSync(join(base, 'keys'));
    writeFileSync(file, 'mine');
    const [link, there] = [join(base, 'keys/link'), join(base, 'keys/there')];
    symlinkSync(there, link);
    expect([file, link, there].map(hasKeyFile)).toEqual([true, true, false]);
    for (const taken of [file, link])
      expect(() => createKeyFile(taken, PEM)).toThrow('a key is never overwritten');
    expect([readFileSync(file, 'utf8'), existsSync(there)]).toEqual(['mine', false]);
  });
});

describe('a key file', () => {
  const made = () => {
    const all = keys();
    createKeyFile(all.file, PEM);
    return all;
  };

  it('is read by its owner, and is neither a link, nor a folder, nor missing', () => {
    const { base, file } = made();
    const link = join(base, 'link');
    symlinkSync(file, link);
    expect(readKeyFile(file)).toBe(PEM);
    for (const of of [link, base]) expect(() => readKeyFile(of)).toThrow('it is no plain file');
    expect(() => readKeyFile(`${file}.none`)).toThrow('there is none');
  });

  it('of another user is not used, nor one that others may use', () => {
    const { file } = made();
    const asked = vi.spyOn(process, 'geteuid').mockReturnValue(statSync(file).uid + 1);
    expect(() => readKeyFile(file)).toThrow('it belongs to another user');
    asked.mockRestore();
    for (const mode of [0o640, 0o620, 0o610, 0o604, 0o602, 0o601]) {
      chmodSync(file, mode);
      expect(() => readKeyFile(file)).toThrow('others may read it; it needs mode 0600');
    }
    withoutUsers();
    expect(readKeyFile(file)).toBe(PEM);
  });
});
