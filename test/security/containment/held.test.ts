// What a held directory does with one name, each containment alone: what its file descriptors can do, what it tells
// of itself, and what it refuses once it was let go.
import fs, {
  closeSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { fileNotFound, type HeldDirectory, isGone, walk } from '../../../src/security/containment/held.ts';
import { CONTAINMENTS, codeOf, type Place, place, refusalOf } from '../fixture.ts';

describe.each(CONTAINMENTS)('a directory held by %s', (containment) => {
  const prepared = (): Place & { held: HeldDirectory } => {
    const here = place();
    here.write('root/a.yaml', 'a: 1\n');
    mkdirSync(join(here.root, 'd'));
    symlinkSync('a.yaml', join(here.root, 'link'));
    const held = pinRoot(containment, here.root);
    onTestFinished(() => held.close());
    return { ...here, held };
  };

  /** Uses a descriptor once, and closes it. */
  const using = <T>(fd: number, act: (fd: number) => T): T => {
    try {
      return act(fd);
    } finally {
      closeSync(fd);
    }
  };

  it('tells what stands at a name, whatever that is, and undefined where nothing does', () => {
    const { held } = prepared();
    const kinds = ['a.yaml', 'd', 'link', 'gone'].map((name) => {
      const entry = held.hold(name);
      entry?.close();
      return entry?.facts.kind;
    });
    expect(kinds).toEqual(['file', 'directory', 'symlink', undefined]);
  });

  it('tells what stands in the place of a directory', () => {
    const { held } = prepared();
    expect(['a.yaml', 'link', 'gone'].map((name) => held.enter(name))).toEqual([
      'no directory',
      'symlink',
      'missing',
    ]);
  });

  it('makes a file of its own only: one that is there, or a link, is an error', () => {
    const { held, root } = prepared();
    const mode = using(held.createExclusive('new', 0o640), (fd) => {
      writeSync(fd, 'x');
      return fstatSync(fd).mode & 0o777;
    });
    expect(mode & ~0o640).toBe(0);
    expect(readFileSync(join(root, 'new'), 'utf8')).toBe('x');
    symlinkSync('gone', join(root, 'dangling'));
    for (const name of ['new', 'd', 'link', 'dangling'])
      expect(() => held.createExclusive(name, 0o600)).toThrow(/EEXIST/);
    expect(readdirSync(root).sort()).toEqual(['a.yaml', 'd', 'dangling', 'link', 'new']);
  });

  it('holds a file for one reading, which stays what it was', () => {
    const { held, root } = prepared();
    const entry = held.hold('a.yaml');
    renameSync(join(root, 'a.yaml'), join(root, 'b.yaml'));
    writeFileSync(join(root, 'a.yaml'), 'other');
    const buffer = Buffer.alloc(9);
    const read = using(entry?.openForReading() ?? -1, (fd) => {
      expect(() => writeSync(fd, 'x')).toThrow(/EBADF/);
      return readSync(fd, buffer);
    });
    expect(buffer.toString('utf8', 0, read)).toBe('a: 1\n');
    entry?.close();
    entry?.close();
    expect(() => entry?.openForReading()).toThrow('a held entry was used after it was closed');
  });

  it('stands below the root that it was reached from, and below no other', () => {
    const { held, base, outside, write } = prepared();
    write('root-evil/x.yaml', 'a: 1\n');
    const inside = held.enter('d');
    if (typeof inside === 'string') throw new Error(inside);
    expect([held.isStillBelow(held), inside.isStillBelow(held)]).toEqual([true, true]);
    const other = pinRoot(containment === 'fd-walk' ? 'checked' : 'fd-walk', outside);
    expect(inside.isStillBelow(other)).toBe(false);
    if (containment === 'fd-walk') {
      const sibling = pinRoot('fd-walk', join(base, 'root-evil'));
      const top = pinRoot('fd-walk', '/');
      expect([sibling.isStillBelow(held), inside.isStillBelow(top)]).toEqual([false, true]);
      sibling.close();
      top.close();
      rmSync(join(base, 'root/d'), { recursive: true });
      expect(inside.isStillBelow(held)).toBe(false);
    }
    inside.close();
    other.close();
  });

  it('walks down folder by folder, and closes all but the root and the last', () => {
    const { held, root } = prepared();
    mkdirSync(join(root, 'd/e/f'), { recursive: true });
    const open = readdirSync('/proc/self/fd').length;
    const last = walk(held, ['d', 'e', 'f'], 'd/e/f/a.yaml');
    expect(last.facts().ino).toBe(statSync(join(root, 'd/e/f'), { bigint: true }).ino);
    last.close();
    expect(readdirSync('/proc/self/fd')).toHaveLength(open);
    expect(walk(held, [], 'a.yaml')).toBe(held);
  });

  it('says why it cannot walk there, and names the file', () => {
    const { held } = prepared();
    const told = (...components: string[]) => {
      const refusal = refusalOf(() => walk(held, components, 'x.yaml'));
      return [refusal?.code, refusal?.message, refusal?.where];
    };
    const link =
      'Cannot use this file: a symbolic link stands in its path, and links are never followed. Use the path of the file itself.';
    const none = 'Cannot use this file: there is none at this path. config_list shows the files.';
    expect(told('link')).toEqual(['SYMLINK_REFUSED', link, { file: 'x.yaml' }]);
    for (const name of ['gone', 'a.yaml'])
      expect(told(name)).toEqual(['FILE_NOT_FOUND', none, { file: 'x.yaml' }]);
  });
});

it.each([
  {
    containment: 'fd-walk' as const,
    message: /^Cannot reach the root: it was deleted\. The operator should restart/,
  },
  {
    containment: 'cwd-walk' as const,
    message: /^Cannot reach the root: it was moved or deleted\. The operator/,
  },
])('a root that is gone is told of, by $containment', ({ containment, message }) => {
  const here = place();
  const held = pinRoot(containment, here.root);
  expect(isGone(held)).toBe(false);
  expect(fileNotFound(held, 'a.yaml').code).toBe('FILE_NOT_FOUND');
  rmSync(here.root, { recursive: true });
  const told = refusalOf(() => {
    throw fileNotFound(held, 'a.yaml');
  });
  expect([told?.code, told?.where]).toEqual(['IO_ERROR', {}]);
  expect(told?.message).toMatch(message);
  held.close();
});

it.each(['cwd-walk', 'checked'] as const)(
  '%s refuses a file that took the place of the one it looked at',
  (containment) => {
    const here = place();
    here.write('root/a.yaml', 'a: 1\n');
    here.write('root/b.yaml', 'b: 1\n');
    const held = pinRoot(containment, here.root);
    const real = fs.openSync;
    const open = vi
      .spyOn(fs, 'openSync')
      .mockImplementation((path, ...rest) => real(String(path).replace('a.yaml', 'b.yaml'), ...rest));
    const before = readdirSync('/proc/self/fd').length;
    try {
      const refusal = refusalOf(() => held.hold('a.yaml'));
      expect([refusal?.code, refusal?.message]).toEqual([
        'FILE_CHANGED',
        'Cannot reach the file: a folder on the way was moved or replaced. Read it again.',
      ]);
    } finally {
      open.mockRestore();
    }
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
    held.close();
  },
);

it.each(['con', 'PRN.yaml', 'aux.', 'nul.yaml', 'com1.yaml', 'COM\u00b9', 'lpt9.x', 'lpt\u00b3'])(
  'a checked directory takes no device of Windows for a file: %s',
  (name) => {
    const here = place();
    here.write(`root/${name}`, 'a: 1\n');
    const held = pinRoot('checked', here.root);
    expect([held.hold(name), held.enter(name)]).toEqual([undefined, 'missing']);
    held.close();
    const elsewhere = pinRoot('cwd-walk', here.root);
    expect(elsewhere.enter(name)).toBe('no directory');
    elsewhere.close();
  },
);

it.each(['console', 'xcon', 'com.yaml', 'com12.yaml', 'nul-1.yaml', 'lpt'])(
  'a checked directory lets a name through that only looks like a device: %s',
  (name) => {
    const here = place();
    here.write(`root/${name}`, 'a: 1\n');
    const held = pinRoot('checked', here.root);
    const entry = held.hold(name);
    expect(entry?.facts.kind).toBe('file');
    entry?.close();
    held.close();
  },
);

/** What stands there, though the same inode, is by now something else. */
function turnedInto(call: 'lstatSync' | 'fstatSync', kind: 'isDirectory' | 'isFile'): void {
  const real = fs[call];
  vi.spyOn(fs, call).mockImplementation((...args: Parameters<typeof real>) => {
    const stat = Reflect.apply(real, fs, args);
    return Object.assign(Object.create(stat), { [kind]: () => false });
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
}

it('an inode number that was given to something else is not taken for the file or folder', () => {
  const here = place();
  here.write('root/d/a.yaml', 'a: 1\n');
  const held = pinRoot('checked', here.root);
  const inside = held.enter('d');
  if (typeof inside === 'string') throw new Error(inside);
  turnedInto('fstatSync', 'isFile');
  expect(codeOf(() => inside.hold('a.yaml'))).toBe('FILE_CHANGED');
  vi.restoreAllMocks();
  turnedInto('lstatSync', 'isDirectory');
  expect(codeOf(() => inside.entries(1))).toBe('FILE_CHANGED');
});

describe('the walk by working directory', () => {
  const prepared = () => {
    const here = place();
    here.write('root/d/a.yaml', 'a: 1\n');
    const held = pinRoot('cwd-walk', here.root);
    const inside = held.enter('d');
    if (typeof inside === 'string') throw new Error(inside);
    const cwd = process.cwd();
    onTestFinished(() => {
      vi.restoreAllMocks();
      process.chdir(cwd);
      held.close();
    });
    return { ...here, held, inside, cwd };
  };
  const told = (act: () => unknown) => {
    const refusal = refusalOf(act);
    return [refusal?.code, refusal?.message.split('.')[0]];
  };
  const MOVED = ['FILE_CHANGED', 'Cannot reach the file: a folder on the way was moved or replaced'];
  const GONE = ['IO_ERROR', 'Cannot reach the root: it was moved or deleted'];

  it('does not go into a folder that is another by now', () => {
    const { root, inside } = prepared();
    renameSync(join(root, 'd'), join(root, 'e'));
    expect(told(() => inside.entries(1))).toEqual(MOVED);
    mkdirSync(join(root, 'd'));
    const chdir = vi.spyOn(process, 'chdir');
    expect(told(() => inside.entries(1))).toEqual(MOVED);
    expect(chdir).not.toHaveBeenCalledWith('./d');
  });

  it('looks where it arrived', () => {
    const { root, outside, inside, held } = prepared();
    const real = process.chdir;
    const leading = (from: string) =>
      vi.spyOn(process, 'chdir').mockImplementation((to) => real(to === from ? outside : to));
    const strayed = leading('./d');
    expect(told(() => inside.entries(1))).toEqual(MOVED);
    strayed.mockRestore();
    leading(root);
    expect(told(() => held.entries(1))).toEqual(GONE);
  });

  it('does not go on in a working directory that it could not leave', () => {
    const { inside, cwd } = prepared();
    const real = process.chdir;
    vi.spyOn(process, 'chdir').mockImplementation((to) => {
      if (to !== cwd) real(to);
    });
    expect(() => inside.entries(1)).toThrow('the working directory could not be restored');
  });
});
