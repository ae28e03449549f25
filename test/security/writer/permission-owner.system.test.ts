// Whose files may be replaced: only those that the replacement would belong to in the same way.
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FileFacts } from '../../../src/security/fs/ambient-fs.ts';
import { requireKeepableOwner, requireReplaceable } from '../../../src/security/writer/permission.ts';
import { codeOf, type Place, place, refusalOf } from '../fixture.ts';
import { isLinux, openDescriptors } from '../fs/disk.ts';

afterEach(() => vi.restoreAllMocks());

const FILE: FileFacts = {
  ...{ kind: 'file', dev: 1n, ino: 1n, links: 1, mode: 0o644, uid: 7, gid: 70, sizeBytes: 0 },
  ...{ mtimeNs: 0n, ctimeNs: 0n },
};
const USER = 'Cannot write this file: it belongs to another user, and';
const GROUP = 'Cannot write this file: it belongs to a group that the server is not a member of, so';

/** As a server of that user and those groups, on that platform; a property that is undefined stands for Windows. */
function servedBy(process_: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(process_)) {
    const real = Object.getOwnPropertyDescriptor(process, name);
    if (real === undefined) throw new Error(`there is no ${name}`);
    Object.defineProperty(process, name, { ...real, value });
    onTestFinished(() => {
      Object.defineProperty(process, name, real);
    });
  }
}

describe('a file', () => {
  const by = (uid: number, gid: number, groups: readonly number[] = [], platform = 'linux') => ({
    ...{ geteuid: () => uid, getegid: () => gid, getgroups: () => groups, platform },
  });
  const nobody = { geteuid: undefined, getegid: undefined, getgroups: undefined };
  it.each([
    { why: 'of the server', server: by(7, 70), says: undefined },
    { why: 'of another user, for root', server: by(0, 0), says: undefined },
    { why: 'where there are no users', server: nobody, says: undefined },
    { why: 'of another user', server: by(8, 70), says: USER },
    { why: 'of another group', server: by(7, 71), says: GROUP },
    { why: 'of another group, and its folder', server: by(7, 71), folder: { gid: 70 }, says: GROUP },
    { why: 'of one of its groups', server: by(7, 71, [72, 70]), says: undefined },
    { why: 'of none of its groups', server: by(7, 71, [72]), says: GROUP },
    {
      why: 'of the group that its folder hands on',
      ...{ server: by(7, 71), folder: { gid: 70, mode: 0o2755 }, says: undefined },
    },
    { why: 'in a folder that hands on another', server: by(7, 71), folder: { mode: 0o2755 }, says: GROUP },
    {
      why: 'of the group of its folder, where each hands it on',
      ...{ server: by(7, 71, [], 'darwin'), folder: { gid: 70 }, says: undefined },
    },
    {
      why: 'of another group, where groups are not known',
      ...{ server: { ...by(7, 71), getgroups: undefined }, says: GROUP },
    },
    {
      why: 'of a group, where there is no own one',
      ...{ server: { ...by(7, 71), getegid: undefined }, says: GROUP },
    },
  ])('$why can be replaced or not', ({ server, folder = {}, says }) => {
    servedBy(server);
    const inside: FileFacts = { ...FILE, kind: 'directory', mode: 0o755, gid: 99, ...folder };
    const refusal = refusalOf(() => requireKeepableOwner(FILE, inside, 'a.yaml'));
    expect(refusal?.message.slice(0, says?.length)).toBe(says);
    if (says !== undefined)
      expect([refusal?.code, refusal?.where]).toEqual(['PERMISSION_DENIED', { file: 'a.yaml' }]);
  });
});

describe.skipIf(!isLinux)('a file that is about to be replaced', () => {
  const asked = (here: Place, file: string) => {
    const sandbox = here.open();
    return () => requireReplaceable(sandbox, sandbox.parse(file));
  };

  it.each(['a.yaml', 'd/e/a.yaml'])('is looked at where it stands, and nothing is left open: %s', (file) => {
    const here = place();
    here.write(`root/${file}`, 'a: 1\n');
    const [ask, gone] = [asked(here, file), asked(here, `${file}.yaml`)];
    const before = openDescriptors(here.base);
    ask();
    vi.spyOn(process, 'geteuid').mockReturnValue(4_000_000);
    for (const twice of [1, 2])
      expect([twice, refusalOf(ask)?.message.slice(0, USER.length)]).toEqual([twice, USER]);
    expect(openDescriptors(here.base)).toBe(before);
    expect(codeOf(gone)).toBe('no error');
  });

  it('must be one that the policy lets be named', () => {
    const here = place();
    here.write('root/a.txt', 'a');
    expect(codeOf(asked(here, 'a.txt'))).toBe('PATH_DENIED');
  });

  it('says what could not be done where its folder is none', () => {
    const here = place();
    here.write('root/d', '');
    const refusal = refusalOf(asked(here, 'd/a.yaml'));
    expect([refusal?.code, refusal?.where]).toEqual(['FILE_NOT_FOUND', { file: 'd/a.yaml' }]);
  });
});
