// A repository can bring locks and journals along that look like those of a dead server. Nothing that they
// say makes the server write what its own rules would not; and a batch that this server cannot finish stays.
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitEdits } from '../../../src/security/index.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { sha256 } from '../../harness/sha256.ts';
import { codeOf, fingerprint, isRoot, leftovers, type Place, place, rewritten } from '../fixture.ts';

const BATCH = 'ab'.repeat(12);
const DEAD = { ...thisProcess(), pid: 4_194_304 };
const NEW = `.config-airlock-${BATCH}.0.new`;
const FILE = { name: 'a.yaml', base: sha256('old\n'), result: sha256('new\n') };
const ROOT = { path: [] };

interface Forgery {
  readonly folders?: readonly unknown[];
  readonly owner?: object;
}

/** A committed batch of one file in the root, as a dead server would leave it. */
function forge(
  here: Place,
  { folders = [{ folder: ROOT, files: [FILE] }], owner = DEAD }: Forgery = {},
): void {
  here.write('root/a.yaml', 'old\n');
  here.write(`root/${NEW}`, 'new\n');
  const ino = '1';
  const intent = { folder: ROOT, files: [FILE], batch: BATCH, journal: { folder: ROOT, ino } };
  here.write('root/.config-airlock.lock', JSON.stringify({ ...owner, intent }));
  here.write(`root/.config-airlock-${BATCH}.journal`, JSON.stringify({ ...owner, batch: BATCH, folders }));
}

const textOf = (here: Place, file: string) => readFileSync(join(here.base, file), 'utf8');

it('a true one is finished, so that the forged ones below fail for their own reason [WRT-6]', () => {
  const here = place();
  forge(here);
  here.start();
  expect(textOf(here, 'root/a.yaml')).toBe('new\n');
  expect(leftovers(here.root)).toEqual([]);
  expect(here.logged()).toContainEqual(expect.objectContaining({ event: 'recovered', state: 'finished' }));
  expect(here.logged()).toContainEqual(
    expect.objectContaining({ action: 'recover', outcome: 'applied', file: 'a.yaml' }),
  );
});

describe('a forged or damaged journal changes nothing', () => {
  const naming =
    (name: string, path: readonly string[] = []) =>
    (here: Place) =>
      forge(here, { folders: [{ folder: { path }, files: [{ ...FILE, name }] }] });
  const instead = (put: (path: string) => void) => (here: Place) => {
    forge(here);
    put(join(here.root, 'a.yaml'));
  };
  it.each([
    { why: 'a name that is a path', act: naming('../outside/s.yaml') },
    { why: 'a name that goes up', act: naming('..') },
    { why: 'a folder that goes up', act: naming('s.yaml', ['..', 'outside']) },
    { why: 'an absolute folder', act: naming('s.yaml', ['/etc']) },
    { why: 'a denied name', act: naming('.env') },
    { why: 'a denied folder', act: naming('config.yaml', ['.git']) },
    { why: 'a name off the allowlist', act: naming('a.sh') },
    { why: 'the lock itself', act: naming('.config-airlock.lock') },
    { why: 'no files', act: (here: Place) => forge(here, { folders: [] }) },
    { why: 'a folder that is not there', act: naming('a.yaml', ['gone']) },
    {
      why: 'other new contents than announced',
      act: (here: Place) => {
        forge(here);
        here.write(`root/${NEW}`, 'evil\n');
      },
    },
    {
      why: 'an owner that may live',
      act: (here: Place) => forge(here, { owner: { ...DEAD, host: 'elsewhere' } }),
    },
    {
      why: 'text that is no JSON',
      act: (here: Place) => {
        forge(here);
        here.write(`root/.config-airlock-${BATCH}.journal`, '{"batch":');
      },
    },
    { why: 'an edit that somebody made since', act: instead((path) => writeFileSync(path, 'mine\n')) },
  ])('$why', ({ act }) => {
    const here = place();
    act(here);
    for (const [file, text] of [
      ['root/.env', 'old\n'],
      ['root/a.sh', 'old\n'],
      ['root/.git/config.yaml', 'old\n'],
    ] as const)
      here.write(file, text);
    const files = ['root/a.yaml', 'root/.env', 'root/a.sh', 'root/.git/config.yaml', 'outside/s.yaml'];
    const before = files.map((file) => textOf(here, file));
    const outside = fingerprint(here.outside);
    here.start();
    expect(files.map((file) => textOf(here, file))).toEqual(before);
    expect(fingerprint(here.outside)).toBe(outside);
  });

  it.each([
    {
      why: 'a link as the journal',
      act: (here: Place) => {
        const journal = join(here.root, `.config-airlock-${BATCH}.journal`);
        here.write('outside/j', readFileSync(journal));
        rmSync(journal);
        symlinkSync('../outside/j', journal);
      },
    },
    {
      why: 'a link as the new contents',
      act: (here: Place) => {
        rmSync(join(here.root, NEW));
        here.write('outside/n', 'new\n');
        symlinkSync('../outside/n', join(here.root, NEW));
      },
    },
    {
      why: 'a second name of a file outside as the new contents',
      act: (here: Place) => {
        rmSync(join(here.root, NEW));
        linkSync(here.write('outside/n', 'new\n'), join(here.root, NEW));
      },
    },
    {
      why: 'a second name of the file itself',
      act: (here: Place) => linkSync(join(here.root, 'a.yaml'), join(here.outside, 'b.yaml')),
    },
    {
      why: 'a link to its like as the file itself',
      act: (here: Place) => {
        renameSync(join(here.root, 'a.yaml'), join(here.root, 'aside'));
        symlinkSync('aside', join(here.root, 'a.yaml'));
      },
    },
    {
      why: 'a folder as the new contents',
      act: (here: Place) => {
        rmSync(join(here.root, NEW));
        mkdirSync(join(here.root, NEW));
      },
    },
  ])('$why', ({ act }) => {
    const here = place();
    forge(here);
    act(here);
    const outside = fingerprint(here.outside);
    here.start();
    expect(textOf(here, 'root/a.yaml')).toBe('old\n');
    expect(fingerprint(here.outside)).toBe(outside);
  });

  it.skipIf(!isRoot)('new contents of another owner (needs root to make some)', () => {
    const here = place();
    forge(here);
    chownSync(join(here.root, NEW), 1234, 1234);
    here.start();
    expect(textOf(here, 'root/a.yaml')).toBe('old\n');
  });
});

it('new contents never bring a mode along [WRT-6]', () => {
  const here = place();
  forge(here);
  rmSync(join(here.root, NEW));
  here.write(`root/${NEW}`, 'new\n', 0o777);
  here.start();
  expect(textOf(here, 'root/a.yaml')).toBe('new\n');
  expect(statSync(join(here.root, 'a.yaml')).mode & 0o7777).toBe(0o644);
});

it('a batch that also concerns a folder out of reach stays, is BUSY, and the log says so', () => {
  const here = place();
  const folders = [
    { folder: ROOT, files: [FILE] },
    { folder: { root: 'other', path: [] }, files: [FILE] },
  ];
  forge(here, { folders });
  const sandbox = here.start();
  expect(here.logged()).toContainEqual(
    expect.objectContaining({ event: 'recovery_waiting', reason: 'out_of_reach' }),
  );
  expect(codeOf(() => commitEdits(sandbox, [rewritten(sandbox, 'a.yaml', 'x: 1\n')]))).toBe('BUSY');
  expect(textOf(here, 'root/a.yaml')).toBe('old\n');
  expect(existsSync(join(here.root, NEW))).toBe(true);
});

it('a server that may only read touches nothing, and says that something waits', () => {
  const here = place();
  forge(here);
  const before = fingerprint(here.root);
  here.start(undefined, { readOnly: true });
  expect(fingerprint(here.root)).toBe(before);
  expect(here.logged()).toContainEqual(
    expect.objectContaining({ event: 'recovery_waiting', reason: 'read_only', count: 1 }),
  );
});
