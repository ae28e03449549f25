// Where a folder of another server's lies below our roots, by how two of its folders lie to each other.
import { describe, expect, it } from 'vitest';
import { translateFolder } from '../../../src/security/writer/recovery.ts';

describe('a folder that another server named', () => {
  const name = (path: string, root?: string) => ({ root, path: path === '' ? [] : path.split('/') });
  it.each([
    {
      why: 'is its own name in another root',
      here: name('a'),
      theirs: name('a', 'x'),
      wanted: name('b', 'y'),
      is: name('b', 'y'),
    },
    { why: 'lies beside ours', here: name('a'), theirs: name('a'), wanted: name('b/c'), is: name('b/c') },
    {
      why: 'lies below a root above theirs',
      here: name('srv/a', 'x'),
      theirs: name('a'),
      wanted: name('b'),
      is: name('srv/b', 'x'),
    },
    {
      why: 'is found two folders up',
      here: name('srv/a/b', 'x'),
      theirs: name('a/b'),
      wanted: name('c'),
      is: name('srv/c', 'x'),
    },
    {
      why: 'lies below a root below theirs',
      here: name('a', 'x'),
      theirs: name('srv/a'),
      wanted: name('srv/b'),
      is: name('b', 'x'),
    },
    {
      why: 'is that root itself',
      here: name('', 'x'),
      theirs: name('srv'),
      wanted: name('srv'),
      is: name('', 'x'),
    },
    {
      why: 'lies beside a root below theirs',
      here: name('a'),
      theirs: name('srv/a'),
      wanted: name('etc/b'),
      is: undefined,
    },
    { why: 'lies above it', here: name('a'), theirs: name('srv/x/a'), wanted: name('srv'), is: undefined },
    { why: 'has nothing in common', here: name('a'), theirs: name('b'), wanted: name('c'), is: undefined },
    { why: 'only ends alike', here: name('x/a'), theirs: name('y/a'), wanted: name('c'), is: undefined },
  ])('$why', ({ here, theirs, wanted, is }) => {
    expect(translateFolder(here, theirs, wanted)).toEqual(is);
  });
});
