import { describe, expect, it } from 'vitest';
import { Admission } from '../../../src/security/paths/admission.ts';
import { compileAllow, compileDeny } from '../../../src/security/paths/operator-pattern.ts';
import { codeOf, place } from '../fixture.ts';

/** A single root, without a name. */
const ONE = [{ name: undefined }];

describe("the operator's allowlist opens what it says, to the letter [DIS-5]", () => {
  it.each([
    { pattern: '**/*.{yaml,yml,json}', path: 'a.yaml', is: true, why: 'the default, at the top' },
    { pattern: '**/*.{yaml,yml,json}', path: 'a/b/c.json', is: true, why: 'the default, below' },
    { pattern: '**/*.{yaml,yml,json}', path: 'a/.b/c.json', is: false, why: 'a folder with a dot' },
    { pattern: '**/*.{yaml,yml,json}', path: '.c.json', is: false, why: 'a file with a dot' },
    { pattern: '**/.b/*.json', path: 'a/.b/c.json', is: true, why: 'a dot that is named' },
    { pattern: '**/*.{yaml,yml,json}', path: 'a/c.JSON', is: false, why: 'to the letter' },
    { pattern: 'public/*.yaml', path: 'PUBLIC/a.yaml', is: false, why: 'a folder in capitals' },
    { pattern: 'public/*.yaml', path: 'ｐublic/a.yaml', is: false, why: 'a folder in full width' },
    { pattern: '**/*.{yaml,yml,json}', path: 'a.toml', is: false, why: 'another format' },
    { pattern: '**/*.{yaml,yml,json}', path: 'a.yaml.bak', is: false, why: 'the whole name counts' },
    { pattern: '*.yaml', path: 'a/b.yaml', is: false, why: 'a star stays within a folder' },
    {
      pattern: '\u{1f600}.yaml',
      path: '\u{1f600}.yaml',
      is: true,
      why: 'a name of what takes two units of UTF-16',
    },
    { pattern: '\u{1f600}.yaml', path: '\u{1f601}.yaml', is: false, why: 'and that one only' },
    { pattern: 'deploy/**', path: 'deploy/a/b.txt', is: true, why: 'a folder' },
    { pattern: 'deploy', path: 'deploy/a.yaml', is: 'StartError', why: 'naming a folder does not open it' },
    {
      pattern: '@types/*.yaml',
      path: '@types/a.yaml',
      is: true,
      why: 'a folder of this name in a single root',
    },
    { pattern: 'Ä.yaml', path: 'A\u0308.yaml', is: false, why: 'which may be another file' },
    { pattern: '+(a).yaml', path: 'aa.yaml', is: 'StartError', why: 'no extglobs' },
  ])('$pattern on $path: $why', ({ pattern, path, is }) => {
    if (is === 'StartError') expect(codeOf(() => compileAllow([pattern], ONE))).toBe(is);
    else expect(compileAllow([pattern], ONE)(path.split('/'))).toBe(is);
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
    { pattern: '?.yaml', path: '\u{1f600}.yaml', is: true, why: 'a question mark takes any one character' },
    { pattern: '\u{1f600}.yaml', path: 'a/\u{1f600}.yaml', is: true, why: 'and that one by its name' },
    { pattern: 'stra?e/**', path: 'STRAßE/x.yaml', is: true, why: 'case is folded around a question mark' },
    { pattern: '*/**/**', path: 'a', is: true, why: 'a folder by what is in it' },
    { pattern: 'a/**/*/**', path: 'a/x', is: true, why: 'and one below two stars' },
  ])('$pattern on $path: $why', ({ pattern, path, is }) => {
    expect(compileDeny([pattern], ONE)(path.split('/'))).toBe(is);
  });

  it('beats the allowlist', () => {
    const { open, write } = place();
    write('root/prod/x.yaml', 'a: 1\n');
    const sandbox = open('fd-walk', { allow: ['prod/x.yaml'], deny: ['prod/**'] });
    expect(codeOf(() => sandbox.open(sandbox.parse('prod/x.yaml')))).toBe('PATH_DENIED');
    expect(sandbox.list({ limit: 9 }).files).toEqual([]);
  });
});

describe('DENY-015 a pattern that could be misread stops the start [DIS-5]', () => {
  it.each([
    { pattern: '/etc/**', why: 'absolute' },
    { pattern: '../**', why: 'climbs' },
    { pattern: './a', why: 'a component that no path has' },
    { pattern: 'a//b', why: 'a component that no path has' },
    { pattern: '@(a|b)', why: 'an extglob' },
    { pattern: 'db{a,1..3}.yaml', why: 'a range among choices' },
    { pattern: 'x{}.yaml', why: 'braces around nothing' },
    { pattern: '{a,{b}}.yaml', why: 'one choice within another' },
    { pattern: 'deploy[^0-9]*.yaml', why: 'a class that takes in the slash, and so a folder' },
    { pattern: 'a[+-9]b.yaml', why: 'a range across the slash' },
    { pattern: 'a[/]b.yaml', why: 'a slash in brackets' },
    { pattern: 'a[bc]x[+-9].yaml', why: 'the second of two classes' },
    { pattern: '{a,b.yaml', why: 'a brace that is not closed' },
    { pattern: '[z-a].yaml', why: 'a range from behind to front, which would match nothing' },
    { pattern: '[\u{1f600}].yaml', why: 'a class of what takes two units of UTF-16' },
    { pattern: 'secret**', why: 'two stars that would go no deeper than one' },
    { pattern: 'a/***/b.yaml', why: 'three stars' },
    { pattern: '~bob/secrets/**', why: 'a home that no shell puts in' },
    { pattern: '$HOME/secrets/**', why: 'a variable that no shell puts in' },
  ])('$pattern: $why', ({ pattern }) => {
    const here = place();
    expect(codeOf(() => here.open('fd-walk', { allow: [pattern] }))).toBe('StartError');
    expect(codeOf(() => here.open('fd-walk', { deny: [pattern] }))).toBe('StartError');
  });
});

describe('a pattern that no path can match stops the start, and says how it is written [DIS-5]', () => {
  it.each([
    { pattern: '@infra/secrets/**', says: 'write "secrets/**"', why: 'the name of a root' },
    { pattern: '@INFRA/secrets/**', says: 'write "secrets/**"', why: 'in any spelling' },
    { pattern: '@infr/secrets/**', says: 'write "secrets/**"', why: 'of a root that is not there, too' },
    { pattern: '{@infra,@app}/x/**', says: 'write "x/**"', why: 'of either root' },
    { pattern: './secrets/**', says: 'write "secrets/**"', why: 'a component that no path has' },
    { pattern: 'ab:c.yaml', says: "':'", why: 'a name that no path has' },
  ])('$pattern: $why', ({ pattern, says }) => {
    const here = place();
    const roots = [
      { name: 'infra', dir: here.root },
      { name: 'app', dir: here.write('app/a.yaml', 'a: 1\n').replace(/\/a\.yaml$/u, '') },
    ];
    const lists = [
      { allow: [pattern] },
      { deny: [pattern] },
      { schemas: [{ pattern, name: 's.json', schema: true }] },
    ];
    for (const list of lists)
      expect(() => here.open('fd-walk', { roots, ...list })).toThrow(
        expect.objectContaining({ name: 'StartError', message: expect.stringContaining(says) }),
      );
  });

  it.each([
    { pattern: 'deploy', says: 'write "deploy/**"', why: 'a folder' },
    { pattern: 'deploy/', says: 'write "deploy/**"', why: 'a folder with a slash' },
    { pattern: '**/config', says: 'for a file without an extension', why: 'a file or a folder' },
  ])('$pattern allows nothing: $why', ({ pattern, says }) => {
    expect(() => place().open('fd-walk', { allow: [pattern] })).toThrow(says);
  });

  it.each([
    '{a,b}/**',
    '{a,{b,c/**}}/x.yaml',
    '{**/,}x.yaml',
    '[a,b].yaml',
    '[[].yaml',
    '[a}].yaml',
    'a/~x/b.yaml',
    'a/$x/b.yaml',
    'a..b.yaml',
    '~x.yaml',
    '**/@types/x.yaml',
    "it's.yaml",
  ])('%s stays what it was', (pattern) => {
    const here = place();
    const roots = [{ name: 'infra', dir: here.root }];
    expect(() => here.open('fd-walk', { roots, allow: [pattern], deny: [pattern] }).close()).not.toThrow();
  });
});

it('a name that some file system could take for dots or for two names is not admitted', () => {
  const admission = new Admission(place().policy({ allow: ['**/*.yaml'] }));
  const isAdmitted = (path: string) => admission.isAdmitted(path.split('/'));
  const disguised = ['．/a.yaml', '．．/a.yaml', '‥/a.yaml', 'a／b.yaml', 'x/a＼b.yaml'];
  expect(disguised.filter(isAdmitted)).toEqual([]);
  expect(['a…/b.yaml', '‥a/b.yaml', 'ü/b.yaml'].map(isAdmitted)).toEqual([true, true, true]);
});
