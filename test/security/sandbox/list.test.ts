import fs, { linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS, type Sandbox } from '../../../src/security/index.ts';
import { CONTAINMENTS, codeOf, place } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

const FILES = ['B.yaml', 'a-b/x.yaml', 'a.yaml', 'a/b.yaml', 'a/b/c.yaml', 'a/z.json', 'b.yml', 'ü/x.yaml'];

function all(sandbox: Sandbox, limit: number, pattern?: string): string[] {
  const found: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 500; page += 1) {
    const listing = sandbox.list({ limit, after, pattern });
    found.push(...listing.files.map(({ path }) => path.toString()));
    expect(listing.files.length).toBeLessThanOrEqual(limit);
    after = listing.next;
    if (after === undefined) return found;
  }
  throw new Error('the pages do not end');
}

describe.each(CONTAINMENTS)('a listing (%s)', (containment) => {
  const prepared = () => {
    const here = place();
    for (const file of [...FILES].reverse()) here.write(`root/${file}`, 'a: 1\n');
    return here;
  };

  it('is in one order, whatever the order on disk, and the same through pages of any size', () => {
    const sandbox = prepared().open(containment);
    const whole = all(sandbox, 100);
    expect(whole).toEqual([
      'B.yaml',
      'a/b/c.yaml',
      'a/b.yaml',
      'a/z.json',
      'a-b/x.yaml',
      'a.yaml',
      'b.yml',
      'ü/x.yaml',
    ]);
    for (const limit of [1, 2, 3, 7]) expect(all(sandbox, limit)).toEqual(whole);
  });

  it('goes on after a cursor whose file is gone', () => {
    const sandbox = prepared().open(containment);
    expect(sandbox.list({ limit: 9, after: 'a/b9.yaml' }).files.map(({ path }) => `${path}`)).toEqual([
      'a/z.json',
      'a-b/x.yaml',
      'a.yaml',
      'b.yml',
      'ü/x.yaml',
    ]);
  });

  it('DENY-016 neither lists nor counts what is denied, linked or no plain file [DIS-4]', () => {
    const here = prepared();
    here.write('root/.git/c.yaml', 'x');
    here.write('root/.env.yaml', 'x');
    here.write('root/secret/c.yaml', 'x');
    here.write('root/n.txt', 'x');
    here.write('root/bad\nname.yaml', 'x');
    symlinkSync('a.yaml', join(here.root, 'link.yaml'));
    symlinkSync('a', join(here.root, 'linked'));
    symlinkSync('../outside', join(here.root, 'out'));
    linkSync(join(here.outside, 's.yaml'), join(here.root, 'hard.yaml'));
    mkdirSync(join(here.root, 'folder.yaml'));
    const sandbox = here.open(containment, { deny: ['secret'] });
    expect(all(sandbox, 3).sort()).toEqual([...FILES].sort());
    for (const pattern of ['.git/**', '**/.git/*', '*.env*', 'secret/*', 'out/*', 'linked/*', 'hard.yaml']) {
      expect(sandbox.list({ limit: 9, pattern }).files).toEqual([]);
    }
  });

  it('narrows to a pattern', () => {
    const sandbox = prepared().open(containment);
    expect(all(sandbox, 2, 'a/**/*.yaml')).toEqual(['a/b/c.yaml', 'a/b.yaml']);
    expect(codeOf(() => sandbox.list({ limit: 1, pattern: '../**' }))).toBe('ARGUMENT_INVALID');
    expect(codeOf(() => sandbox.list({ limit: 1, after: '../x' }))).toBe('PATH_INVALID');
  });
});

describe('a listing', () => {
  const paths = ({ files }: ReturnType<Sandbox['list']>) => files.map(({ path }) => `${path}`);

  it('ends at its budget of entries to the one, and goes on there', () => {
    const here = place();
    for (const name of ['.git/a', '.git/b', 'a', 'b', 'c']) here.write(`root/${name}.yaml`, '');
    const list = (listEntries: number, after?: string) => {
      const sandbox = here.open('fd-walk', { limits: { ...DEFAULT_LIMITS, listEntries } });
      const listing = sandbox.list({ limit: 9, after });
      return [...paths(listing), listing.truncated];
    };
    // Nothing is spent on a folder into which it must not look.
    expect(list(5)).toEqual(['a.yaml', 'b.yaml', 'c.yaml', false]);
    expect(list(2).at(-1)).toBe(true);
  });

  it('looks 64 folders deep, and says that there is more', () => {
    const here = place();
    const deep = (depth: number) => `${'d/'.repeat(depth)}a.yaml`;
    for (const depth of [63, 64]) here.write(`root/${deep(depth)}`, '');
    const listing = here.open().list({ limit: 9 });
    expect([paths(listing), listing.truncated]).toEqual([[deep(63)], true]);
    rmSync(join(here.root, deep(63), '..', 'd'), { recursive: true });
    expect(here.open().list({ limit: 9 }).truncated).toBe(false);
  });

  it('shows what there is, where the disk does not say of what kind', () => {
    const here = place();
    for (const file of ['d/a.yaml', 'b.yaml', 'c.yaml/x.txt']) here.write(`root/${file}`, '');
    const real = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation((path) => {
      const kinds = ['isFile', 'isDirectory', 'isSymbolicLink'].map((kind) => [kind, () => false]);
      return real(path, { withFileTypes: true }).map((entry) =>
        Object.assign(Object.create(entry), { name: entry.name, ...Object.fromEntries(kinds) }),
      );
    });
    expect(paths(here.open().list({ limit: 9 }))).toEqual(['b.yaml', 'd/a.yaml']);
  });

  it.each(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EIO'])('goes past what it may not see: %s', (code) => {
    const here = place();
    for (const file of ['d/a.yaml', 'e.yaml']) here.write(`root/${file}`, '');
    const sandbox = here.open();
    for (const [call, at, left] of [
      ['readdirSync', 2, 'e.yaml'],
      ['openSync', 1, 'e.yaml'],
      ['lstatSync', 2, 'd/a.yaml'],
    ] as const) {
      const real = fs[call];
      let calls = 0;
      vi.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
        calls += 1;
        if (calls === at) throw Object.assign(new Error(code), { errno: -1, code });
        return Reflect.apply(real, fs, args);
      });
      if (code === 'EIO') expect(codeOf(() => sandbox.list({ limit: 9 }))).toBe('IO_ERROR');
      else expect([call, ...paths(sandbox.list({ limit: 9 }))]).toEqual([call, left]);
      vi.restoreAllMocks();
    }
  });
});
