import { describe, expect, it } from 'vitest';
import { Admission } from '../../../src/security/paths/admission.ts';
import { codeOf, place } from '../fixture.ts';

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
