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
import { createKeyFile, hasKeyFile, quoted, readKeyFile, StartError } from '../../../src/security/index.ts';
import { withoutUsers } from '../../harness/without-users.ts';
import { place } from '../fixture.ts';
import { slowDisk } from '../fs/disk.ts';

afterEach(() => vi.restoreAllMocks());

const PEM = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${'ä'.repeat(50)}\n`;

function keys() {
  const { base } = place();
  const file = join(base, 'keys/ann.pem');
  return {
    base,
    file,
    cannot: (action: string, reason: string, of = file) =>
      new StartError(`cannot ${action} the reviewer key ${quoted(of)}: ${reason}`),
  };
}

describe('a new key file', () => {
  it('is for its owner alone, and its folder as well, whatever the umask', () => {
    const { base, file } = keys();
    const umask = process.umask(0o277);
    onTestFinished(() => {
      process.umask(umask);
    });
    createKeyFile(join(base, 'ann.pem'), PEM);
    expect(statSync(join(base, 'ann.pem')).mode & 0o777).toBe(0o600);
    process.umask(0);
    createKeyFile(file, PEM);
    expect([statSync(file).mode & 0o777, statSync(join(base, 'keys')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readFileSync(file, 'utf8')).toBe(PEM);
  });

  it('is on the disk to its last byte, however little that takes at a time, and is let go of', () => {
    const { file } = keys();
    slowDisk(7);
    const [synced, closed] = [vi.spyOn(fs, 'fsyncSync'), vi.spyOn(fs, 'closeSync')];
    createKeyFile(file, PEM);
    const [fd] = synced.mock.calls.at(-1) ?? [];
    expect(closed.mock.calls).toEqual([[fd]]);
    expect(readFileSync(file, 'utf8')).toBe(PEM);
  });

  it.each(['writeSync', 'fchmodSync', 'fsyncSync'] as const)(
    'is not there, and its name is free, where the disk fails: %s',
    (call) => {
      const { base, file, cannot } = keys();
      vi.spyOn(fs, call).mockImplementation(() => {
        throw Object.assign(new Error('ENOSPC'), { errno: -28, code: 'ENOSPC' });
      });
      const closed = vi.spyOn(fs, 'closeSync');
      expect(() => createKeyFile(file, PEM)).toThrow(cannot('write', 'the disk does not take it'));
      expect([readdirSync(join(base, 'keys')), closed.mock.calls.length]).toEqual([[], 1]);
    },
  );

  it('never takes the place of anything', () => {
    const { base, file, cannot } = keys();
    const taken = cannot('write', 'something is there already, and a key is never overwritten');
    expect(hasKeyFile(file)).toBe(false);
    mkdirSync(join(base, 'keys'));
    writeFileSync(file, 'mine');
    expect(hasKeyFile(file)).toBe(true);
    expect(() => createKeyFile(file, PEM)).toThrow(taken);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const [link, there] = [join(base, 'keys/link'), join(base, 'keys/there')];
    symlinkSync(there, link);
    expect([hasKeyFile(link), hasKeyFile(there)]).toEqual([true, false]);
    expect(() => createKeyFile(link, PEM)).toThrow(
      cannot('write', 'something is there already, and a key is never overwritten', link),
    );
    expect(existsSync(there)).toBe(false);
  });

  it('is not made where there can be none', () => {
    const { base, cannot } = keys();
    writeFileSync(join(base, 'file'), '');
    const beneath = join(base, 'file/ann.pem');
    expect(() => createKeyFile(beneath, PEM)).toThrow(cannot('write', 'its folder cannot be made', beneath));
    const long = join(base, 'n'.repeat(300));
    expect(() => createKeyFile(long, PEM)).toThrow(cannot('write', 'it cannot be made', long));
  });
});

describe('a key file', () => {
  const made = () => {
    const all = keys();
    createKeyFile(all.file, PEM);
    return all;
  };

  it('is read by its owner', () => {
    expect(readKeyFile(made().file)).toBe(PEM);
  });

  it('that is missing is to be made', () => {
    const { file, cannot } = keys();
    expect(() => readKeyFile(file)).toThrow(
      cannot('use', 'there is none; make one with "config-airlock keygen NAME"'),
    );
  });

  it('is not used through a link, nor where it is a folder', () => {
    const { base, file, cannot } = made();
    const link = join(base, 'link');
    symlinkSync(file, link);
    for (const of of [link, base])
      expect(() => readKeyFile(of)).toThrow(cannot('use', 'it is no plain file', of));
  });

  it('of another user is not used', () => {
    const { file, cannot } = made();
    vi.spyOn(process, 'geteuid').mockReturnValue(statSync(file).uid + 1);
    expect(() => readKeyFile(file)).toThrow(cannot('use', 'it belongs to another user'));
  });

  it.each([0o640, 0o620, 0o610, 0o604, 0o602, 0o601])('that others may use is not: %d', (mode) => {
    const { file, cannot } = made();
    chmodSync(file, mode);
    expect(() => readKeyFile(file)).toThrow(cannot('use', 'others may read it; it needs mode 0600'));
  });

  it('is used as it is where the system knows neither users nor modes', () => {
    const { file } = made();
    chmodSync(file, 0o644);
    withoutUsers();
    expect(readKeyFile(file)).toBe(PEM);
  });
});
