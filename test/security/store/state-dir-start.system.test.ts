// Which state directory stops the start, and in which words.
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStateDir } from '../../../src/security/index.ts';
import type { Place } from '../fixture.ts';
import { isLinux, messageOf, openDescriptors, dirToOpen as opened, PRIVATE } from './disk.ts';
import { withoutUsers } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

describe('the start is stopped by a state directory', () => {
  const rows: readonly { why: string; at: (here: Place) => string; says: string }[] = [
    { why: 'that has no name', at: () => ' ', says: 'the state directory has no name' },
    {
      why: 'whose name is cut short',
      at: ({ base }) => `${base}/state\0`,
      says: 'the state directory has no name',
    },
    {
      why: 'inside a root',
      at: ({ root }) => join(root, 'x/state'),
      says: 'it and a root overlap; put it somewhere else',
    },
    { why: 'around a root', at: ({ base }) => base, says: 'it and a root overlap; put it somewhere else' },
    {
      why: 'that is a link',
      at: ({ base }) => {
        mkdirSync(join(base, 'real'), PRIVATE);
        symlinkSync('real', join(base, 'link'));
        return join(base, 'link');
      },
      says: 'it is a symbolic link',
    },
    {
      why: 'that is a link to nothing',
      at: ({ base }) => {
        symlinkSync('nothing', join(base, 'link'));
        return join(base, 'link');
      },
      says: 'it is a symbolic link',
    },
    { why: 'below a file', at: ({ write }) => `${write('file', '')}/state`, says: 'it cannot be reached' },
    {
      why: 'that is a file',
      at: ({ write }) => write('file', ''),
      says: 'it is no folder; name another with --state-dir',
    },
    {
      why: 'that everybody can replace',
      at: ({ base }) => {
        mkdirSync(join(base, 'open'));
        chmodSync(join(base, 'open'), 0o777);
        return join(base, 'open/state');
      },
      says: 'others can replace what stands in "FOLDER" on the way to it: take the right to write there from the group and from all (chmod go-w)',
    },
    {
      why: 'that others can look into',
      at: ({ base }) => {
        mkdirSync(join(base, 'open'), PRIVATE);
        chmodSync(join(base, 'open'), 0o710);
        return join(base, 'open');
      },
      says: 'others can look into it; it needs mode 0700',
    },
    {
      why: 'one folder of which others can look into',
      at: ({ base }) => {
        mkdirSync(join(base, 'own/changes'), { recursive: true, ...PRIVATE });
        chmodSync(join(base, 'own'), 0o700);
        chmodSync(join(base, 'own/changes'), 0o701);
        return join(base, 'own');
      },
      says: 'others can look into it; it needs mode 0700',
    },
    {
      why: 'with a file in the place of a folder',
      at: ({ base }) => {
        mkdirSync(join(base, 'own'), PRIVATE);
        writeFileSync(join(base, 'own/audit'), '');
        return join(base, 'own');
      },
      says: 'what stands at "audit" in it is no folder',
    },
    {
      why: 'with a link in the place of a folder',
      at: ({ base }) => {
        mkdirSync(join(base, 'own'), PRIVATE);
        symlinkSync('nowhere', join(base, 'own/previews'));
        return join(base, 'own');
      },
      says: 'what stands at "previews" in it is no folder',
    },
  ];
  it.skipIf(!isLinux).each(rows)('$why, and nothing is left open [APR-8]', ({ at, says }) => {
    const { here, roots } = opened();
    const dir = at(here);
    const before = openDescriptors(here.base);
    const message = messageOf(() => openStateDir(dir, roots));
    expect(message).toBe(
      says.includes('no name')
        ? says
        : `cannot use the state directory "${dir}": ${says.replace('FOLDER', dirname(dir))}`,
    );
    expect(openDescriptors(here.base)).toBe(before);
    expect(readdirSync(here.root)).toEqual([]);
  });

  it.skipIf(!isLinux)('that belongs to another user, but for a system that knows no users', () => {
    const { dir, open } = opened();
    mkdirSync(dir, PRIVATE);
    const own = statSync(dir).uid;
    const asked = vi.spyOn(process, 'geteuid').mockReturnValue(own + 1);
    expect(messageOf(open)).toMatch(/^cannot use the state directory ".+": .*belongs to another user/u);
    asked.mockRestore();
    chmodSync(dir, 0o755);
    withoutUsers();
    expect(messageOf(open)).toBe('none');
  });

  it('but not by one below a folder that everybody may add to; it is made for its owner alone', () => {
    const { here, roots } = opened();
    mkdirSync(join(here.base, 'open'));
    chmodSync(join(here.base, 'open'), 0o1777);
    const dir = join(here.base, 'open/a/b');
    openStateDir(dir, roots).close();
    const folders = ['audit', 'changes', 'previews', 'texts'];
    expect(readdirSync(dir).sort()).toEqual([...folders, 'id', 'masking.key'].sort());
    for (const name of ['id', 'masking.key']) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
    for (const folder of ['', ...folders]) expect(statSync(join(dir, folder)).mode & 0o777).toBe(0o700);
  });
});
