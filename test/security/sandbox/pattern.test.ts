import { describe, expect, it } from 'vitest';
import { compileAllow, compileDeny } from '../../../src/security/sandbox/pattern.ts';
import { codeOf, place } from '../fixture.ts';

describe("the operator's allowlist", () => {
  it.each([
    { pattern: '**/*.{yaml,yml,json}', path: 'a.yaml', is: true, why: 'the default, at the top' },
    {
      pattern: '**/*.{yaml,yml,json}',
      path: 'a/.b/c.JSON',
      is: true,
      why: 'the default, below, in any case',
    },
    { pattern: '**/*.{yaml,yml,json}', path: 'a.toml', is: false, why: 'another format' },
    { pattern: '**/*.{yaml,yml,json}', path: 'a.yaml.bak', is: false, why: 'the whole name counts' },
    { pattern: '*.yaml', path: 'a/b.yaml', is: false, why: 'a star stays within a folder' },
    { pattern: 'deploy/**', path: 'deploy/a/b.txt', is: true, why: 'a folder' },
    { pattern: 'deploy', path: 'deploy/a.yaml', is: false, why: 'naming a folder does not open it' },
    { pattern: 'Ä.yaml', path: 'a\u0308.yaml', is: true, why: 'normalisation and case are folded' },
    { pattern: '+(a).yaml', path: 'aa.yaml', is: 'StartError', why: 'no extglobs' },
  ])('$pattern on $path: $why', ({ pattern, path, is }) => {
    if (is === 'StartError') expect(codeOf(() => compileAllow([pattern]))).toBe(is);
    else expect(compileAllow([pattern])(path.split('/'))).toBe(is);
  });
});

describe("the operator's denylist", () => {
  it.each([
    { pattern: 'prod/**', path: 'prod/x.yaml', is: true, why: 'what stands below' },
    { pattern: 'prod/**', path: 'PROD/x.yaml', is: true, why: 'DENY-014 case is folded' },
    { pattern: 'PROD/**', path: 'prod/x.yaml', is: true, why: 'in the pattern as well' },
    { pattern: 'prod', path: 'prod/a/x.yaml', is: true, why: 'naming a folder closes all of it' },
    { pattern: 'prod/', path: 'prod/a/x.yaml', is: true, why: 'also with a slash' },
    { pattern: 'prod', path: 'a/prod/x.yaml', is: true, why: 'a bare name is denied at any depth' },
    { pattern: 'a/prod', path: 'a/prod/x.yaml', is: true, why: 'a path to a folder closes all of it' },
    {
      pattern: '*.secret.yaml',
      path: 'a/b.secret.yaml',
      is: true,
      why: 'a bare name is denied at any depth',
    },
    { pattern: '**/secrets/**', path: 'a/secrets/b/c.yaml', is: true, why: 'in the middle' },
    { pattern: 'prod/**', path: 'production/x.yaml', is: false, why: 'components are compared whole' },
    { pattern: 'prod', path: 'a/b/c.yaml', is: false, why: 'nothing of the kind, at any index' },
  ])('$pattern on $path: $why', ({ pattern, path, is }) => {
    expect(compileDeny([pattern])(path.split('/'))).toBe(is);
  });

  it.each([
    'PROD/x.yaml',
    'prod/./x.yaml',
    'prod//x.yaml',
    './prod/x.yaml',
    'prod/',
    '\uff50rod/x.yaml',
    'prod',
  ])('DENY-014 hears the attempt in %s', (file) => {
    const sandbox = place().open('fd-walk', { deny: ['prod/**'] });
    expect(codeOf(() => sandbox.open(sandbox.parse(file)))).toBe('PATH_DENIED');
  });

  it('holds behind the name of a root', () => {
    const here = place();
    const sandbox = here.open('fd-walk', { deny: ['prod/**'], roots: [{ name: 'web', dir: here.root }] });
    expect(codeOf(() => sandbox.parse('@web/prod//x.yaml'))).toBe('PATH_DENIED');
  });

  it('beats the allowlist', () => {
    const { open, write } = place();
    write('root/prod/x.yaml', 'a: 1\n');
    const sandbox = open('fd-walk', { allow: ['prod/x.yaml'], deny: ['prod/**'] });
    expect(codeOf(() => sandbox.open(sandbox.parse('prod/x.yaml')))).toBe('PATH_DENIED');
    expect(sandbox.list({ limit: 9 }).files).toEqual([]);
  });
});

describe('DENY-015 a pattern that could be misread stops the start', () => {
  it.each([
    { pattern: '', why: 'empty' },
    { pattern: '  ', why: 'blank' },
    { pattern: '!*.yaml', why: 'negation' },
    { pattern: '/etc/**', why: 'absolute' },
    { pattern: 'C:/x', why: 'a drive' },
    { pattern: '../**', why: 'climbs' },
    { pattern: 'a/../b', why: 'climbs' },
    { pattern: './a', why: 'a component that no path has' },
    { pattern: 'a//b', why: 'a component that no path has' },
    { pattern: 'a\\*', why: 'a backslash' },
    { pattern: '@(a|b)', why: 'an extglob' },
    { pattern: 'a\n', why: 'a control character' },
    { pattern: '\uff0a.yaml', why: 'a full-width star would fold to a star' },
    { pattern: 'x'.repeat(257), why: 'too long' },
    { pattern: '[a-', why: 'an open class' },
  ])('$pattern: $why', ({ pattern }) => {
    const here = place();
    expect(codeOf(() => here.open('fd-walk', { allow: [pattern] }))).toBe('StartError');
    expect(codeOf(() => here.open('fd-walk', { deny: [pattern] }))).toBe('StartError');
  });
});
