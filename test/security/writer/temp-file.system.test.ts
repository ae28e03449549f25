// A temporary file takes the owner, the group and the mode of the file that it replaces, and its name is given up once.
import fs, { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { tempNameOf } from '../../../src/security/paths/denylist.ts';
import { TempFile } from '../../../src/security/writer/temp-file.ts';
import { eventually } from '../../harness/wait.ts';
import { codeOf, leftovers, place, refusalOf } from '../fixture.ts';
import { isLinux, openDescriptors } from '../fs/disk.ts';

afterEach(() => vi.restoreAllMocks());

function prepared() {
  const here = place();
  const directory = pinRoot('fd-walk', here.root);
  onTestFinished(() => directory.close());
  here.write('root/a.yaml', 'old\n', 0o640);
  const like = directory.factsOf('a.yaml');
  if (like === undefined) throw new Error('the file is there');
  let temps = 0;
  const temp = (of: Partial<typeof like> = {}) =>
    new TempFile(directory, tempNameOf('id', temps++, 'new'), { ...like, ...of }, Buffer.from('new\n'));
  return { ...here, like, temp, names: () => leftovers(here.root) };
}

describe.skipIf(!isLinux)('a temporary file', () => {
  it.each([
    { why: 'the same owner', more: [0, 0], calls: 0 },
    { why: 'another user', more: [1, 0], calls: 1 },
    { why: 'another group', more: [0, 1], calls: 1 },
    { why: 'both of another', more: [2, 3], calls: 1 },
  ] as const)('for a file of $why is given away $calls times', ({ more, calls }) => {
    const { root, like, temp, names } = prepared();
    const given = vi.spyOn(fs, 'fchownSync').mockImplementation(() => {});
    const of = { uid: like.uid + more[0], gid: like.gid + more[1] };
    const made = temp(of);
    expect(given.mock.calls.map((args) => args.slice(1))).toEqual(calls === 0 ? [] : [[of.uid, of.gid]]);
    expect(statSync(join(root, names()[0] ?? '')).mode & 0o7777).toBe(0o640);
    made.discard();
  });

  it('that cannot be made leaves neither a name nor a descriptor', () => {
    const { base, temp, names } = prepared();
    const before = openDescriptors(base);
    vi.spyOn(fs, 'fchmodSync').mockImplementation(() => {
      throw new Error('no mode');
    });
    expect(() => temp()).toThrow('no mode');
    expect([names(), openDescriptors(base)]).toEqual([[], before]);
  });

  it('is let go of once, and so is its name', () => {
    const { base, root, temp, names } = prepared();
    const before = openDescriptors(base);
    const [gone, kept] = [temp(), temp()];
    gone.discard();
    kept.renameTo('a.yaml');
    kept.discard();
    expect([names(), openDescriptors(base)]).toEqual([[], before]);
    const [unlinked, closed] = [vi.spyOn(fs, 'unlinkSync'), vi.spyOn(fs, 'closeSync')];
    for (const each of [gone, kept]) each.discard();
    expect([unlinked, closed].map(({ mock }) => mock.calls)).toEqual([[], []]);
    expect(readFileSync(join(root, 'a.yaml'), 'utf8')).toBe('new\n');
  });

  it('has the system begin to flush it', async () => {
    const { temp } = prepared();
    const made = temp();
    const begun = vi.spyOn(fs, 'fsync').mockImplementation((_fd, done) => done(null));
    // Not while too many are under way, of tests before this one.
    const begins = () => {
      made.beginSync();
      expect(begun).toHaveBeenCalledTimes(1);
    };
    await eventually(begins);
    made.discard();
  });

  it.each(['gone', 'another'])('takes no place where what has its name is %s', (what) => {
    const { root, temp, names } = prepared();
    const made = temp();
    const name = join(root, names()[0] ?? '');
    rmSync(name);
    if (what === 'another') writeFileSync(name, 'evil\n');
    const refusal = refusalOf(() => made.renameTo('a.yaml'));
    expect([refusal?.code, refusal?.message]).toEqual([
      'IO_ERROR',
      'Cannot write: the temporary file was replaced by another program. Try again.',
    ]);
    expect(readFileSync(join(root, 'a.yaml'), 'utf8')).toBe('old\n');
    expect(codeOf(() => made.discard())).toBe('no error');
    expect([readdirSync(root), existsSync(name)]).toEqual([['a.yaml'], false]);
  });
});
