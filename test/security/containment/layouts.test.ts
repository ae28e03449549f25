import {
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeGround } from '../attacks/ground.ts';
import { isPossible, LAYOUTS } from '../attacks/layout-rows.ts';
import { CONTAINMENTS, codeOf, place } from '../fixture.ts';

describe.each(CONTAINMENTS)('%s', (containment) => {
  // Without root no device can be made.
  it.each(LAYOUTS.filter(isPossible))('$id answers $code for $why [CON-2]', (row) => {
    const ground = makeGround();
    onTestFinished(() => ground.remove());
    row.make(ground);
    const before = [ground.sentinels(), ground.inside()];
    const sandbox = place().open(containment, { roots: [{ name: undefined, dir: ground.root }] });
    for (const file of row.files)
      expect(
        codeOf(() => sandbox.open(sandbox.parse(file)).read()),
        file,
      ).toBe(row.code);
    const listed = sandbox.list({ limit: 100 }).files.map(({ path }) => path.toString());
    // A file is listed by its kind and links, whatever its size.
    expect(row.files.filter((file) => listed.includes(file))).toEqual(
      row.code === 'FILE_TOO_LARGE' ? row.files : [],
    );
    expect([ground.sentinels(), ground.inside()]).toEqual(before);
  });

  it('PATH-031 never takes another folder for a root that was renamed [CON-4]', () => {
    const here = place();
    here.write('root/ok.yaml', 'from: root\n');
    const sandbox = here.open(containment);
    renameSync(here.root, join(here.base, 'moved'));
    here.write('root/ok.yaml', 'from: impostor\n');
    const read = () => sandbox.open(sandbox.parse('ok.yaml')).read().text;
    // The pinned inode is followed where it can be held, and otherwise the root counts as gone.
    if (containment === 'fd-walk') expect(read()).toBe('from: root\n');
    else expect(['IO_ERROR', 'FILE_CHANGED']).toContain(codeOf(read));
  });

  it('PATH-032 answers IO_ERROR for a root that was deleted, and does not bring it back', () => {
    const here = place();
    here.write('root/ok.yaml', 'a: 1\n');
    const sandbox = here.open(containment);
    rmSync(here.root, { recursive: true });
    expect(codeOf(() => sandbox.open(sandbox.parse('ok.yaml')))).toBe('IO_ERROR');
    expect(codeOf(() => sandbox.list({ limit: 1 }))).toBe('IO_ERROR');
    expect(reads(join(here.root, 'ok.yaml'))).toBe(false);
  });

  it('leaks no file descriptor and stays in its working directory, whatever the answer (ENVI-007)', () => {
    const here = place();
    here.write('root/a/b/ok.yaml', 'a: 1\n');
    here.write('root/a/bad.yaml', Uint8Array.of(0xff));
    symlinkSync('a', join(here.root, 'link'));
    const sandbox = here.open(containment);
    const [before, cwd] = [descriptorsBelow(here.base), process.cwd()];
    for (const file of ['a/b/ok.yaml', 'a/bad.yaml', 'link/b/ok.yaml', 'a/gone/x.yaml', 'a/b/gone.yaml']) {
      for (let i = 0; i < 20; i += 1) codeOf(() => sandbox.open(sandbox.parse(file)).read());
    }
    sandbox.list({ limit: 10 });
    expect([descriptorsBelow(here.base), process.cwd()]).toEqual([before, cwd]);
  });
});

/** Where the descriptors of this process lead, as far as that is below the folder. */
function descriptorsBelow(folder: string): string[] {
  const places = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // The one that the listing itself had open.
    }
  });
  return places.filter((place) => place.startsWith(folder)).sort();
}

it('keeps several roots apart [CON-7]', () => {
  const here = place();
  here.write('root/ok.yaml', 'from: one\n');
  writeFileSync(join(here.outside, 'ok.yaml'), 'from: two\n');
  const roots = [
    { name: 'one', dir: here.root },
    { name: 'two', dir: here.outside },
  ];
  const sandbox = here.open('fd-walk', { roots });
  expect(sandbox.rootNames).toEqual(['one', 'two']);
  expect(sandbox.open(sandbox.parse('@two/ok.yaml')).read().text).toBe('from: two\n');
  expect(sandbox.list({ limit: 9 }).files.map(({ path }) => `${path}`)).toEqual([
    '@one/ok.yaml',
    '@two/ok.yaml',
    '@two/s.yaml',
  ]);
});

function reads(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
