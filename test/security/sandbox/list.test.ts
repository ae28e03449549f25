import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/security/index.ts';
import { CONTAINMENTS, codeOf, place } from '../fixture.ts';

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
