import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, quoted, type Sandbox } from '../../../src/security/index.ts';
import { compileAllow } from '../../../src/security/paths/operator-pattern.ts';
import { codeOf, type Place, place } from '../fixture.ts';

const ONE = [{ name: undefined }];
const NAMED = [{ name: 'r' }];

function complaintOf(act: () => unknown): string {
  try {
    act();
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

describe('a page of a listing that may look at little', () => {
  const listing = (sandbox: Sandbox, after?: string) => {
    const { files, next, truncated } = sandbox.list({ limit: 100, after });
    return { files: files.map(({ path }) => `${path}`), next, truncated };
  };
  function opened(here: Place, listEntries: number, files: readonly string[]): Sandbox {
    for (const file of files) here.write(`root/${file}`, 'a: 1\n');
    return here.open(undefined, { limits: { ...DEFAULT_LIMITS, listEntries } });
  }

  it('ends where that is used up, says so, and the next goes on there', () => {
    const sandbox = opened(place(), 3, ['a/1.yaml', 'a/2.yaml', 'b.yaml', 'c.yaml']);
    const first = { files: ['a/1.yaml', 'a/2.yaml'], next: 'a/2.yaml', truncated: true };
    expect(listing(sandbox)).toEqual(first);
    expect(listing(sandbox, 'a/2.yaml')).toEqual({ files: ['b.yaml'], next: 'b.yaml', truncated: true });
  });

  it('says so where a folder alone has more, though few of them come behind the cursor', () => {
    const sandbox = opened(place(), 3, ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml', 'e.yaml']);
    expect(listing(sandbox, 'e.yaml').truncated).toBe(true);
  });

  it('spends nothing on a folder into which it must not look', () => {
    const sandbox = opened(place(), 3, ['.git/a.yaml', '.git/b.yaml', '.git/c.yaml', 'z.yaml']);
    expect(listing(sandbox)).toEqual({ files: ['z.yaml'], next: undefined, truncated: false });
  });

  it('has the file that took the place of a folder since the page before', () => {
    const sandbox = opened(place(), 9, ['a.yaml', 'b.yaml']);
    expect(listing(sandbox, 'a.yaml/x.yaml').files).toEqual(['a.yaml', 'b.yaml']);
  });
});

describe('a pattern of the operator', () => {
  it.each([
    { pattern: 'straße.yaml', path: 'straße.yaml', why: 'a letter that folds to two' },
    { pattern: '[ab]*.yaml', path: 'axx.yaml', why: 'a star behind a class is a star' },
    { pattern: "'a'.yaml", path: "'a'.yaml", why: 'a quote at the beginning' },
    { pattern: "a.'b'", path: "a.'b'", why: 'a quote at the end' },
  ])('$pattern lets $path through: $why', ({ pattern, path }) => {
    expect(compileAllow([pattern], ONE)(path.split('/'))).toBe(true);
  });

  it.each([
    { pattern: '*/a\uff0a.yaml', roots: ONE, says: 'a look-alike of a wildcard stands in it' },
    {
      pattern: '{ab,@r}/x.yaml',
      roots: NAMED,
      says: 'patterns are relative to each root and hold in all of them, so that none begins with the name of a root; write "x.yaml"',
    },
  ])('$pattern stops the start', ({ pattern, roots, says }) => {
    const complaint = complaintOf(() => compileAllow([pattern], roots));
    expect(complaint).toBe(`bad --allow pattern ${quoted(pattern)}: ${says}`);
  });

  it('for a schema is called by its flag', () => {
    const here = place();
    const schemas = [{ pattern: '/a.yaml', name: 's', schema: {} }];
    expect(complaintOf(() => here.open(undefined, { schemas }))).toMatch(
      /^bad --schema pattern "\/a\.yaml": /u,
    );
  });
});

describe('a path', () => {
  it.each([
    { file: 'secrets\0', code: 'PATH_INVALID', why: 'it cannot be read, whatever is denied' },
    { file: './', code: 'PATH_INVALID', why: 'it names nothing' },
    { file: 'secrets', code: 'PATH_DENIED', why: 'it is denied' },
  ])('is $code where $why', ({ file, code }) => {
    const sandbox = place().open(undefined, { deny: ['secrets*'] });
    expect(codeOf(() => sandbox.parse(file))).toBe(code);
  });

  it('is asked about each time, after one that was allowed and after one that was refused', () => {
    const sandbox = place().open(undefined, { deny: ['secrets*'] });
    expect(sandbox.parse('a.yaml').toString()).toBe('a.yaml');
    for (const file of ['secrets', 'secrets', 'a.yaml/../b.yaml', 'b.yaml/'])
      expect([file, codeOf(() => sandbox.parse(file))]).not.toEqual([file, 'no error']);
    expect(['b.yaml', 'a.yaml'].map((file) => sandbox.parse(file).toString())).toEqual(['b.yaml', 'a.yaml']);
  });
});
