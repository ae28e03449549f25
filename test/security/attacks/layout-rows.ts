// What may stand at a path that is no plain file of the root's, and what plain file access makes of it.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot } from '../fixture.ts';
import type { Ground } from './ground.ts';

export interface LayoutRow {
  readonly id: string;
  readonly why: string;
  /** Runs before the server starts; all layouts stand side by side. */
  readonly make: (ground: Ground) => void;
  readonly files: readonly string[];
  readonly code: string;
  /** What `readFileSync` does at the first of the files: the proof that there is something to refuse. */
  readonly naive: 'reads a canary' | 'reads' | 'fails' | 'hangs';
  readonly needsRoot?: true;
}

export const isPossible = ({ needsRoot }: LayoutRow): boolean => isRoot || needsRoot !== true;

const link = (target: string, name: string) => (ground: Ground) =>
  symlinkSync(target, join(ground.root, name));

export const LAYOUTS: readonly LayoutRow[] = [
  {
    id: 'PATH-022',
    why: 'a relative link out of the root',
    make: link('../outside/s.yaml', 'rel.yaml'),
    files: ['rel.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads a canary',
  },
  {
    id: 'PATH-022',
    why: 'an absolute link out of the root',
    make: (ground) => link(join(ground.base, 'outside/s.yaml'), 'abs.yaml')(ground),
    files: ['abs.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads a canary',
  },
  {
    id: 'PATH-005',
    why: 'a link to the neighbour whose name begins like the root',
    make: link('../root-evil', 'evil'),
    files: ['evil/s.yaml', 'evil/none.yaml', 'evil/a/b.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads a canary',
  },
  {
    id: 'PATH-023',
    why: 'a folder that is a link out of the root',
    make: link('../outside', 'dlink'),
    files: ['dlink/s.yaml', 'dlink/ok.yaml', 'dlink/none.yaml', 'dlink/root/s.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads a canary',
  },
  {
    id: 'PATH-023',
    why: 'a link deep in a tree',
    make: link('../../../outside', 'a/b/dlink'),
    files: ['a/b/dlink/s.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads a canary',
  },
  {
    id: 'PATH-024',
    why: 'a chain of links',
    make: (ground) => {
      link('../outside', 'chain0')(ground);
      link('chain0', 'chain1')(ground);
      link('chain1', 'chain2')(ground);
      link('chain2/s.yaml', 'chain3.yaml')(ground);
    },
    files: ['chain2/s.yaml', 'chain3.yaml', 'chain1/s.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads a canary',
  },
  {
    id: 'PATH-025',
    why: 'a loop of links',
    make: (ground) => {
      link('loop.yaml', 'loop.yaml')(ground);
      link('pong', 'ping')(ground);
      link('ping', 'pong')(ground);
    },
    files: ['loop.yaml', 'ping/x.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'fails',
  },
  {
    id: 'PATH-026',
    why: 'a dangling link, which a careless write would create',
    make: link('../outside/new.yaml', 'dangling.yaml'),
    files: ['dangling.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'fails',
  },
  {
    id: 'PATH-028',
    why: 'a link out and in again',
    make: link('../root/ok.yaml', 'reenter.yaml'),
    files: ['reenter.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads',
  },
  {
    id: 'PATH-029',
    why: 'a link that stays inside',
    make: (ground) => {
      link('ok.yaml', 'same.yaml')(ground);
      link('a', 'samefolder')(ground);
      link('.', 'self')(ground);
    },
    files: ['same.yaml', 'samefolder/b/deep.yaml', 'self/ok.yaml', 'self/self/self/ok.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads',
  },
  {
    id: 'PATH-033',
    why: 'a hard link to a file outside',
    make: ({ base, root, write }) => {
      write('outside/linked.yaml', 'a: c4n4ry\n');
      linkSync(join(base, 'outside/linked.yaml'), join(root, 'hard.yaml'));
    },
    files: ['hard.yaml'],
    code: 'HARD_LINK_REFUSED',
    naive: 'reads a canary',
  },
  {
    id: 'PATH-033',
    why: 'a hard link within the root',
    make: ({ root, write }) => {
      write('root/one.yaml', 'a: 1\n');
      linkSync(join(root, 'one.yaml'), join(root, 'two.yaml'));
    },
    files: ['one.yaml', 'two.yaml'],
    code: 'HARD_LINK_REFUSED',
    naive: 'reads',
  },
  {
    id: 'PATH-034',
    why: 'a FIFO, which blocks its reader for good',
    make: ({ root }) => execFileSync('mkfifo', [join(root, 'fifo.yaml')]),
    files: ['fifo.yaml'],
    code: 'NOT_REGULAR_FILE',
    naive: 'hangs',
  },
  {
    id: 'PATH-037',
    why: 'a folder',
    make: ({ root }) => mkdirSync(join(root, 'folder.yaml')),
    files: ['folder.yaml'],
    code: 'NOT_REGULAR_FILE',
    naive: 'fails',
  },
  {
    id: 'PATH-036',
    why: 'a character device',
    make: ({ root }) => execFileSync('mknod', [join(root, 'zero.yaml'), 'c', '1', '5']),
    files: ['zero.yaml'],
    code: 'NOT_REGULAR_FILE',
    naive: 'hangs',
    needsRoot: true,
  },
  {
    id: 'PATH-036',
    why: 'a block device',
    make: ({ root }) => execFileSync('mknod', [join(root, 'loop7.json'), 'b', '7', '7']),
    files: ['loop7.json'],
    code: 'NOT_REGULAR_FILE',
    naive: 'hangs',
    needsRoot: true,
  },
  {
    id: 'PATH-038',
    why: "links into the kernel's own trees",
    make: (ground) => {
      link('/proc/self/environ', 'environ.yaml')(ground);
      link('/proc/self/root', 'procroot')(ground);
      link('/proc/self/cwd', 'proccwd')(ground);
      link('/dev/stdin', 'stdin.yaml')(ground);
      link('/dev/fd/0', 'fd0.yaml')(ground);
      link('/proc/self/fd', 'fds')(ground);
    },
    files: [
      'environ.yaml',
      'procroot/etc/passwd.yaml',
      'proccwd/package.json',
      'stdin.yaml',
      'fd0.yaml',
      'fds/3.yaml',
    ],
    code: 'SYMLINK_REFUSED',
    naive: 'reads',
  },
  {
    id: 'PATH-018',
    why: 'a path through a file',
    make: () => undefined,
    files: ['ok.yaml/x.yaml', 'ok.yaml/ok.yaml', 'a/b/deep.yaml/c/d.yaml'],
    code: 'FILE_NOT_FOUND',
    naive: 'fails',
  },
  {
    id: 'FILE-001',
    why: 'a sparse file of 10 GB',
    make: ({ write }) => truncateSync(write('root/sparse.yaml', 'a: 1\n'), 10_000_000_000),
    files: ['sparse.yaml'],
    code: 'FILE_TOO_LARGE',
    naive: 'hangs',
  },
  {
    id: 'DENY-008',
    why: 'a link to a denied folder',
    make: (ground) => {
      ground.write('root/.git/c.yaml', 'a: 1\n');
      link('.git', 'gitlink')(ground);
    },
    files: ['gitlink/c.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads',
  },
  {
    id: 'DENY-009',
    why: 'a link to a denied file',
    make: (ground) => {
      ground.write('root/.env', 'TOKEN=1\n');
      link('.env', 'envlink.yaml')(ground);
    },
    files: ['envlink.yaml'],
    code: 'SYMLINK_REFUSED',
    naive: 'reads',
  },
  {
    id: 'DENY-010',
    why: 'a hard link to a denied file',
    make: ({ root, write }) => linkSync(write('root/.env.local', 'TOKEN=1\n'), join(root, 'envhard.yaml')),
    files: ['envhard.yaml'],
    code: 'HARD_LINK_REFUSED',
    naive: 'reads',
  },
  {
    id: 'PATH-020',
    why: 'the longest path that is still a path',
    make: () => undefined,
    files: [`${'a/'.repeat(63)}x.yaml`, `${'y'.repeat(250)}.yaml`],
    code: 'FILE_NOT_FOUND',
    naive: 'fails',
  },
];
