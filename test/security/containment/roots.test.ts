// Which folders may be roots, and what the operator is told where one may not; and that another thread gets the
// very folders that this one holds.

import fs, { mkdirSync, renameSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os, { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { chooseContainment } from '../../../src/security/containment/choose.ts';
import {
  checkedRootPaths,
  isWithin,
  pinRoots,
  reopenDirectory,
  reopenRoots,
  toDirectoryHandle,
} from '../../../src/security/containment/roots.ts';
import { messageOf } from '../../harness/refusals.ts';
import { CONTAINMENTS, place } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

/** As if the path were a folder that is there, and no link, whatever this machine has. */
function pretendFolders(): void {
  vi.spyOn(fs.realpathSync, 'native').mockImplementation((path) => String(path));
  const folder = fs.lstatSync('/', { bigint: true });
  vi.spyOn(fs, 'lstatSync').mockImplementation((path) => withInode(folder, String(path)));
}

/** The same for each path that is given the same name. */
function withInode(folder: fs.BigIntStats, name: string): fs.BigIntStats {
  const ino = BigInt(`0x${Buffer.from(name).toString('hex')}`);
  return Object.assign(Object.create(Object.getPrototypeOf(folder)), folder, { ino });
}

/** What the start ends with, on these roots below a new place. */
function told(roots: readonly { name?: string; dir: string }[], allowBroadRoot = false): string {
  const { policy } = place();
  const own = policy({ roots: roots.map(({ name, dir }) => ({ name, dir })), allowBroadRoot });
  return messageOf(() => checkedRootPaths(own));
}

describe('a root', () => {
  it.each([
    ...['/', '/bin', '/boot', '/dev', '/etc', '/home', '/lib', '/lib64', '/media', '/mnt', '/opt'],
    ...['/proc', '/root'],
    ...['/run', '/sbin', '/srv', '/sys', '/tmp', '/usr', '/var', '/Users', '/System'],
    ...['/Library', '/Applications'],
    ...['/private', '/private/etc', '/private/tmp', '/private/var', '/ETC', '/users'],
    ...['/proc/1', '/sys/kernel/debug'],
  ])('PATH-039 that is too broad is refused, with what would work: %s [CON-5]', (dir) => {
    pretendFolders();
    const message = `root "${dir}" is too broad; name a folder of configuration files, or pass --allow-broad-root`;
    expect(told([{ dir }])).toBe(message);
    expect(told([{ dir }], true)).toBe('none');
  });

  it.each(['C:\\Windows', 'C:\\Users', 'C:\\Program Files', 'C:\\ProgramData', 'c:\\windows'])(
    'that is too broad on Windows is refused: %s',
    (dir) => {
      pretendFolders();
      vi.spyOn(fs.realpathSync, 'native').mockReturnValue(dir);
      expect(told([{ dir }])).toMatch(/too broad/);
    },
  );

  it.each(['/etc/my-app', '/proc-like', '/srv/app', '/home/ann/config', '/sysroot'])(
    'that is narrow is fine: %s',
    (dir) => {
      pretendFolders();
      expect(told([{ dir }])).toBe('none');
    },
  );

  /** Another home for this test. */
  const live = (folder: string) => {
    const home = process.env['HOME'];
    process.env['HOME'] = folder;
    onTestFinished(() => {
      if (home === undefined) Reflect.deleteProperty(process.env, 'HOME');
      else process.env['HOME'] = home;
    });
  };

  it('that is a home, or holds one, is refused by either account of it; a folder in it is fine', () => {
    pretendFolders();
    live('/people/ann');
    for (const dir of [userInfo().homedir, '/people/ann', '/people'])
      expect(told([{ dir }])).toMatch(/too broad/);
    for (const dir of [`${userInfo().homedir}/config`, '/people/ann/config', '/people/annabel'])
      expect(told([{ dir }])).toBe('none');
  });

  it('is refused by the password file alone, and where it says nothing', () => {
    pretendFolders();
    live('/people/ann');
    const account = vi.spyOn(os, 'userInfo');
    onTestFinished(() => {
      account.mockRestore();
      syncBuiltinESMExports();
    });
    account.mockReturnValue({ ...userInfo(), homedir: '/people/bob' });
    syncBuiltinESMExports();
    expect(told([{ dir: '/people/bob' }])).toMatch(/too broad/);
    account.mockImplementation(() => {
      throw new Error('ENOENT');
    });
    expect(['bob', 'ann'].map((name) => told([{ dir: `/people/${name}` }]) === 'none')).toEqual([
      true,
      false,
    ]);
    live('');
    expect(told([{ dir: '/' }])).toMatch(/too broad/);
  });
});

it('several roots have names of their own, and none holds another', () => {
  const { root, outside } = place();
  const sub = join(root, 'sub');
  mkdirSync(sub);
  const named = (...names: readonly string[]) =>
    told(names.map((name, index) => ({ name, dir: index === 0 ? sub : outside })));
  for (const name of ['', '-a', '_a', 'a/b', '..', 'a b', 'a'.repeat(65), 'ä'])
    expect([name, named(name, 'b')]).toEqual([name, expect.stringContaining('may use letters')]);
  expect([named('a', 'A'), named('A_-9', '0')]).toEqual([expect.stringContaining('given twice'), 'none']);
  expect(
    told([
      { name: 'a', dir: root },
      { name: 'b', dir: sub },
    ]),
  ).toContain('overlap');
});

it.each([
  { path: '/srv/app', folder: '/srv/app', is: true },
  { path: '/srv/app/a', folder: '/srv/app', is: true },
  { path: '/srv/app/..a', folder: '/srv/app', is: true },
  { path: '/srv/app-old', folder: '/srv/app', is: false },
  { path: '/srv', folder: '/srv/app', is: false },
  { path: '/srv/other/app', folder: '/srv/app', is: false },
  { path: '/', folder: '/srv/app', is: false },
])('$path within $folder: $is', ({ path, folder, is }) => {
  expect(isWithin(path, folder)).toBe(is);
});

it('a place is within a folder that has another name on the way to it, as a bind mount gives it one [APR-8]', () => {
  const folder = fs.lstatSync('/', { bigint: true });
  vi.spyOn(fs, 'lstatSync').mockImplementation((path) =>
    withInode(folder, String(path).replace(/^\/mnt\/bound/u, '/srv/app')),
  );
  expect(isWithin('/mnt/bound/state/deep', '/srv/app')).toBe(true);
  expect(isWithin('/mnt/bound', '/srv/app')).toBe(true);
  expect(isWithin('/mnt/other/state', '/srv/app')).toBe(false);
});

describe.each(CONTAINMENTS)('the roots of another thread (%s)', (containment) => {
  const held = () => {
    const here = place();
    const pinned = pinRoots(here.policy(), containment);
    onTestFinished(() => {
      for (const { directory } of pinned) directory.close();
    });
    return { ...here, pinned, handles: pinned.map(toDirectoryHandle) };
  };

  it('are the very same', () => {
    const { policy, pinned, handles, root } = held();
    const adopted = reopenRoots(policy({ roots: [{ name: 'one', dir: '/gone' }] }), containment, handles);
    expect(adopted.map(({ name, realPath }) => [name, realPath])).toEqual([['one', root]]);
    expect(adopted[0]?.directory.facts().ino).toBe(pinned[0]?.directory.facts().ino);
    expect(handles).toMatchObject([{ realPath: root, descriptor: pinned[0]?.directory.descriptor }]);
    adopted[0]?.directory.close();
  });

  it('are refused where another folder stands there, and nothing stays open', () => {
    const { policy, base, root, pinned, handles } = held();
    renameSync(root, join(base, 'moved'));
    mkdirSync(root);
    const [handle] = handles;
    if (handle === undefined) throw new Error('one root, one handle');
    const before = fs.readdirSync('/proc/self/fd').length;
    expect(reopenDirectory(containment, { ...handle, ino: 0n })).toBeUndefined();
    expect(fs.readdirSync('/proc/self/fd')).toHaveLength(before);
    const adopt = () => reopenRoots(policy(), containment, handles).map(({ directory }) => directory.close());
    const message = 'a root is not the folder that it was when the server started';
    if (containment === 'fd-walk') expect(adopt).not.toThrow();
    else expect(adopt).toThrow(message);
    expect(() => reopenRoots(policy(), containment, [])).toThrow(message);
    expect(reopenDirectory(containment, { ...handle, descriptor: undefined })).toBeUndefined();
    expect(pinned).toHaveLength(1);
    rmSync(root, { recursive: true });
  });
});

describe('the choice of the containment', () => {
  /** Gives a property of the process another value for this test. */
  const pretend = (name: string, value: unknown) => {
    const own = Object.getOwnPropertyDescriptor(process, name);
    Object.defineProperty(process, name, { configurable: true, value });
    onTestFinished(() => {
      if (own === undefined) Reflect.deleteProperty(process, name);
      else Object.defineProperty(process, name, own);
    });
  };
  const descriptors = () => fs.readdirSync('/proc/self/fd').length;

  it.each([
    { platform: 'linux', containment: 'fd-walk' },
    { platform: 'darwin', containment: 'cwd-walk' },
    { platform: 'win32', containment: 'checked' },
  ])('on $platform is $containment', ({ platform, containment }) => {
    pretend('platform', platform);
    const [before, cwd] = [descriptors(), process.cwd()];
    expect(chooseContainment()).toBe(containment);
    expect([descriptors(), process.cwd()]).toEqual([before, cwd]);
  });

  it("is none under Node's permission model", () => {
    pretend('permission', {});
    expect(() => chooseContainment()).toThrow(
      /^cannot start under Node's --permission: it forbids .* Use a container instead$/,
    );
  });

  it('is none where the working directory cannot be changed', () => {
    pretend('platform', 'darwin');
    const cause = new TypeError('process.chdir() is not supported in workers');
    vi.spyOn(process, 'chdir').mockImplementation(() => {
      throw cause;
    });
    expect(() => chooseContainment()).toThrow(
      expect.objectContaining({
        message: 'cannot start here: without procfs the server must run in the main thread',
        cause,
      }),
    );
  });

  it.each([
    { why: 'is no procfs', asked: () => vi.spyOn(fs, 'statfsSync').mockReturnValue(fs.statfsSync('/')) },
    {
      why: 'opens another folder than the one that is held',
      asked: () => opening(/^\/proc\/self\/fd\//, '/tmp'),
    },
    { why: 'has no link to the process', asked: () => opening(/^\/proc\/self$/, '/') },
    { why: 'opens nothing', asked: () => opening(/^\/proc\/self$/, '/gone/for/good') },
  ])('is not the walk through open folders where /proc $why', ({ asked }) => {
    asked();
    const before = descriptors();
    expect(chooseContainment()).toBe('cwd-walk');
    expect(descriptors()).toBe(before);
  });

  /** Leads whoever opens a path to another. */
  function opening(path: RegExp, elsewhere: string): void {
    const real = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((asked, ...rest) =>
      real(path.test(String(asked)) ? elsewhere : asked, ...rest),
    );
  }
});
