// What is said where a pattern or a path will not do: the reason, and what would. Whoever reads only that has to
// get on with it.
import { describe, expect, it } from 'vitest';
import { SafePath } from '../../../src/security/index.ts';
import { compileGlob } from '../../../src/security/paths/glob.ts';
import { compileAllow, compileDeny, compileSchema } from '../../../src/security/paths/operator-pattern.ts';
import { listedPath } from '../../../src/security/paths/safe-path.ts';
import { foldComponent, foldText } from '../../../src/security/text/fold.ts';
import { place, refusalOf } from '../fixture.ts';

describe('a pattern of a request', () => {
  const told = (pattern: string) => {
    const refusal = refusalOf(() => compileGlob(pattern));
    return refusal?.message.replace(
      /^Cannot use the pattern "(?:.*)": (.*)\. Use one like \*\*\/\*\.yaml\.$/su,
      '$1',
    );
  };
  const SPECIAL =
    "only '*', '**', '?' and '{a,b}' are special, and ' !' before what is left out; '\\ [ ] ( ) |' are not allowed";
  const COMPONENT = "it contains an empty, '.' or '..' component";
  it.each([
    { pattern: '', says: 'it is empty' },
    { pattern: 'x'.repeat(2_001), says: 'it is longer than 2000 characters' },
    { pattern: 'a\u202e', says: 'it contains a control or invisible character' },
    ...['\\', '[', ']', '(', ')', '!', '|'].map((special) => ({ pattern: `a${special}b`, says: SPECIAL })),
    { pattern: '/a', says: 'it is absolute; patterns are relative to the root' },
    ...['a//b', 'a/', './a', 'a/..', 'a/../b', '{.,x}./a', 'a{/,b}/c'].map((pattern) => ({
      pattern,
      says: COMPONENT,
    })),
    { pattern: '?*a*b*c*d*e*f*g', says: undefined },
    { pattern: '*a*a*a*a*a*a*a*a*', says: undefined },
    ...['{a,{b,c}}', '{a', 'a}', '}a{'].map((pattern) => ({
      pattern,
      says: 'its braces do not pair, or nest',
    })),
    { pattern: '{a,b}'.repeat(9), says: 'its braces make more than 256 combinations' },
  ])('$pattern: $says', ({ pattern, says }) => {
    expect(told(pattern)).toBe(says);
  });

  it('may go to its limits', () => {
    for (const pattern of [
      'x'.repeat(2_000),
      '{a,b}'.repeat(8),
      '**a**b**c**d**e**f**g**',
      'a/.../b',
      'a.',
      '{a}',
    ])
      expect([pattern, refusalOf(() => compileGlob(pattern))]).toEqual([pattern, undefined]);
  });

  it.each([
    { pattern: 'a?', path: 'a', is: false },
    { pattern: 'a', path: 'a/b', is: false },
    { pattern: 'a/b', path: 'a', is: false },
    { pattern: 'a**', path: 'abc', is: true },
    { pattern: 'a**', path: 'a/b', is: false },
    { pattern: '**', path: 'a/b/c', is: true },
    { pattern: '**/**/a', path: 'a', is: true },
    { pattern: 'a/**', path: 'a', is: true },
    { pattern: 'x{a,b}{c,d}y', path: 'xbcy', is: true },
    { pattern: 'x{,a}y', path: 'xy', is: true },
    { pattern: 'x{a}y', path: 'x{a}y', is: false },
  ])('$pattern on $path: $is', ({ pattern, path, is }) => {
    expect(compileGlob(pattern)(path.split('/'))).toBe(is);
  });
});

describe("a pattern of the operator's", () => {
  const ONE = [{ name: undefined }];
  const NAMED = [{ name: 'infra' }];
  const told = (
    pattern: string,
    list: 'allow' | 'deny' | 'schema' = 'allow',
    roots: readonly { name: string | undefined }[] = ONE,
  ) => {
    try {
      if (list === 'deny') compileDeny([pattern], roots);
      else if (list === 'schema') compileSchema(pattern, roots);
      else compileAllow([pattern], roots);
      return 'fine';
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const start = `bad --${list} pattern "`;
      return error.message.startsWith(start)
        ? error.message.slice(error.message.indexOf('": ') + 3)
        : error.message;
    }
  };
  const NO_NAME = "no path here has a ':', or a name that ends with a dot or a space";
  const SPECIAL = "only '*', '**', '?', '[…]' and '{…}' are special here";
  const QUOTES = 'the quotes are part of it; leave them out';

  it.each([
    { pattern: '', says: 'it is empty' },
    { pattern: ' ', says: 'it is empty' },
    { pattern: `${'x'.repeat(252)}.yaml`, says: 'it is longer than 256 characters' },
    { pattern: `${'x'.repeat(251)}.yaml`, says: 'fine' },
    { pattern: '!a.yaml', says: "negation ('!') is not supported; use --allow and --deny" },
    { pattern: '/a.yaml', says: 'it is absolute; patterns are relative to the root, as in "a.yaml"' },
    { pattern: 'c:/a.yaml', says: 'it is absolute; patterns are relative to the root, as in "a.yaml"' },
    { pattern: 'a/../b.yaml', says: "it contains '..'" },
    ...['\\', '(', ')', '|', '!', '\n', '\u200b', '\u202e'].map((special) => ({
      pattern: `a${special}.yaml`,
      says: SPECIAL,
    })),
    { pattern: 'a/', says: 'for all that is in a folder write "a/**"' },
    { pattern: 'a//', says: 'for all that is in a folder write "a/**"' },
    { pattern: 'a/./b//c.yaml', says: 'it contains an empty or \'.\' component; write "a/b/c.yaml"' },
    { pattern: ' a.yaml', says: 'it begins or ends with a space; write "a.yaml"' },
    { pattern: 'a.yaml ', says: 'it begins or ends with a space; write "a.yaml"' },
    ...['ab:c.yaml', 'a./b.yaml', 'a /b.yaml', 'a.yaml.'].map((pattern) => ({ pattern, says: NO_NAME })),
    ...["'a.yaml'", '"a.yaml"', 'a".yaml'].map((pattern) => ({ pattern, says: QUOTES })),
    { pattern: "'a.yaml", says: 'fine' },
    { pattern: "a.yaml'", says: 'fine' },
    {
      pattern: 'a.yaml,b.yaml',
      says: 'a comma stands outside of braces; give --allow once for each pattern',
    },
    {
      pattern: '{a,b}.yaml,c.yaml',
      says: 'a comma stands outside of braces; give --allow once for each pattern',
    },
    { pattern: '{a,b}[c,d].yaml', says: 'fine' },
    { pattern: 'deploy', says: either('deploy/**', '[d]eploy') },
    { pattern: 'a*/deploy', says: either('a*/deploy/**', 'a*/[d]eploy') },
    { pattern: '{d*,e}', says: either('e/**', '[e]') },
    ...['deplo?', 'de*', '[d]', '{d*,e*}', 'deploy/*'].map((pattern) => ({ pattern, says: 'fine' })),
    { pattern: '\uff0a.yaml', says: 'a look-alike of a wildcard stands in it' },
    { pattern: '[a', says: 'its brackets or braces do not pair' },
    { pattern: 'a}', says: 'its brackets or braces do not pair' },
    { pattern: 'a/**.yaml', says: "'**' has to stand alone between slashes, as in deploy/**/*.yaml" },
    { pattern: '{1..3}', says: 'a range in braces is not supported; name each choice, as in {1,2,3}' },
    { pattern: '{d}', says: 'braces around a single choice are part of the name; leave them out' },
    {
      pattern: '[^d]',
      says: 'brackets hold what may stand there, and never a slash; neither [^…] nor a range across it is supported',
    },
    {
      pattern: '~/a.yaml',
      says: 'no shell puts a folder in for its beginning; patterns are relative to the root, as in deploy/**',
    },
  ])('$pattern: $says', ({ pattern, says }) => {
    expect(told(pattern)).toBe(says);
  });

  it('is told under the flag that it was given with', () => {
    expect(told('a,b', 'deny')).toBe('a comma stands outside of braces; give --deny once for each pattern');
    expect(told('a', 'deny')).toBe('fine');
    expect(told('a', 'schema')).toBe(either('a/**', '[a]'));
    expect(() => compileAllow(['!a'], ONE)).toThrow(/^bad --allow pattern "!a": negation/);
    expect(() => compileSchema('!a', ONE)).toThrow(/^bad --schema pattern "!a": negation/);
    expect(told('[a', 'deny')).toBe('its brackets or braces do not pair');
  });

  const RULE =
    'patterns are relative to each root and hold in all of them, so that none begins with the name of a root; ';
  it.each([
    { pattern: '@infra/a.yaml', says: `${RULE}write "a.yaml"` },
    { pattern: '@infra/x/a.yaml', says: `${RULE}write "x/a.yaml"` },
    { pattern: '@infra/**', says: `${RULE}to leave out a root, leave out its --root` },
    { pattern: '@infra', says: `${RULE}to leave out a root, leave out its --root` },
    { pattern: '{@infra,b}/a.yaml', says: `${RULE}write "a.yaml"` },
    { pattern: '[@]infra/a.yaml', says: `${RULE}write "a.yaml"` },
    { pattern: '{b,@infra}/a.yaml', says: `${RULE}write "a.yaml"` },
    { pattern: 'a@b.yaml', says: 'fine' },
    { pattern: 'x{b,@infra}/a.yaml', says: 'fine' },
    { pattern: '{b,e}/{c,@d}.yaml', says: 'fine' },
  ])('$pattern with named roots: $says', ({ pattern, says }) => {
    expect(told(pattern, 'allow', NAMED)).toBe(says);
    if (pattern !== '@infra') expect(told(pattern)).toBe('fine');
  });

  it('is matched whole and to the letter, and none of a list need be the first', () => {
    const allows = compileAllow(['x.json', 'A/**/B.yaml'], ONE);
    const answers = ['A/B.yaml', 'A/C/B.yaml', 'x.json', 'a/b.yaml', 'A/B.yaml/c', 'xA/B.yaml'].map((path) =>
      allows(path.split('/')),
    );
    expect(answers).toEqual([true, true, true, false, false, false]);
    const denies = compileDeny(['x', 'a/b//', '.c*'], ONE);
    const denied = ['x', 'q/x/y', 'a/b', 'a/b/c', 'q/a/b', 'q/.cd', 'a/bc', 'y'].map((path) =>
      denies(path.split('/')),
    );
    expect(denied).toEqual([true, true, true, true, false, true, false, false]);
    // Classes and extended globs mean nothing else than they say.
    expect(compileAllow(['[ab].yaml'], ONE)(['b.yaml'])).toBe(true);
    expect(compileAllow(['+a.yaml'], ONE)(['aa.yaml'])).toBe(false);
  });
});

describe('a path', () => {
  const told = (text: string, roots: readonly (string | undefined)[] = [undefined]) => {
    const refusal = refusalOf(() => SafePath.parse(text, roots));
    return [refusal?.code, refusal?.message, refusal?.where.file];
  };
  const WORKS = 'Give a path relative to the root, such as deploy/web.yaml';

  it('that is absolute leaves the root', () => {
    const message = `Cannot use "/etc/a.yaml" as a file: it is an absolute path. ${WORKS}.`;
    expect(told('/etc/a.yaml')).toEqual(['PATH_OUTSIDE_ROOT', message, '/etc/a.yaml']);
    expect(told('//etc/a.yaml')[0]).toBe('PATH_INVALID');
    expect(told('/')[0]).toBe('PATH_INVALID');
  });

  it('that begins with a dot is told how it is written', () => {
    const refusal = refusalOf(() => SafePath.parse('.//./a.yaml', [undefined]));
    expect(refusal?.clues.advice).toEqual(['Use "a.yaml", without the leading \'./\'']);
    expect(refusal?.message).toBe(
      'Cannot use ".//./a.yaml" as a file: it contains a \'.\' component. Use "a.yaml", without the leading \'./\'.',
    );
    expect(refusalOf(() => SafePath.parse('./a.yaml', [undefined]))?.message).toContain(
      "it contains a '.' component",
    );
    expect(refusalOf(() => SafePath.parse('./', [undefined]))?.clues.advice).toEqual([WORKS]);
    expect(refusalOf(() => SafePath.parse('a//b', [undefined]))?.clues.advice).toEqual([WORKS]);
    expect(refusalOf(() => SafePath.parse('a/./b', [undefined]))?.clues.advice).toEqual([WORKS]);
  });

  it('says which roots there are', () => {
    const roots = ['web', 'db'];
    const known = 'The roots are @web, @db';
    expect(told('a.yaml', roots).slice(0, 2)).toEqual([
      'PATH_INVALID',
      `Cannot use "a.yaml" as a file: it does not start with the name of a root. ${known}. ${WORKS}.`,
    ]);
    expect(told('x@web/a.yaml', roots)[0]).toBe('PATH_INVALID');
    expect(told('@web', roots)[0]).toBe('PATH_INVALID');
    expect(told('@etc/a.yaml', roots).slice(0, 2)).toEqual([
      'PATH_OUTSIDE_ROOT',
      `Cannot use "@etc/a.yaml" as a file: there is no such root. ${known}. ${WORKS}.`,
    ]);
    expect(`${SafePath.parse('@db/a/b.yaml', roots)}`).toBe('@db/a/b.yaml');
    expect(SafePath.parse('@db/a/b.yaml', roots).components).toEqual(['a', 'b.yaml']);
  });

  it('that is denied is named, as far as it is not too long', () => {
    const long = `.git/${'x'.repeat(250)}`;
    const [code, message, file] = told(long);
    expect([code, file]).toEqual(['PATH_DENIED', long.slice(0, 200)]);
    expect(message).toMatch(
      /^Cannot use ".*": it is on a denylist, and no --allow opens it\. config_list shows/,
    );
    for (const [text, code] of [
      [`/${long}`, 'PATH_OUTSIDE_ROOT'],
      [`${long}\\`, 'PATH_INVALID'],
    ] as const)
      expect([told(text)[0], told(text)[2]]).toEqual([code, text.slice(0, 200)]);
  });

  it.each([
    ['a.yaml', 'yaml'],
    ['a/b.tar.YML', 'yml'],
    ['a.d/b', ''],
    ['.yaml', ''],
    ['a..yaml', 'yaml'],
    ['..yaml', 'yaml'],
    ['a', ''],
  ] as const)('%s has the extension "%s"', (text, extension) => {
    expect(SafePath.parse(text, [undefined]).extension).toBe(extension);
  });

  it('that a listing met is held to the same rules', () => {
    expect(`${listedPath('web', ['a', 'b.yaml'])}`).toBe('@web/a/b.yaml');
    for (const names of [['a\\b.yaml'], ['a', ''], ['a:b.yaml'], ['..'], ['a\n']])
      expect(listedPath(undefined, names)).toBeUndefined();
  });

  it('cannot be changed', () => {
    const path = SafePath.parse('a/b.yaml', [undefined]);
    expect([Object.isFrozen(path), Object.isFrozen(path.components)]).toEqual([true, true]);
  });
});

it.each([
  { name: '.GIT', folded: '.git' },
  { name: '.git:stream:x', folded: '.git' },
  { name: '  .git. . ', folded: '.git' },
  { name: 'a. b', folded: 'a. b' },
  { name: '.g\u200di\u0000t', folded: '.git' },
  { name: '', folded: '' },
])('"$name" is one name with "$folded"', ({ name, folded }) => {
  expect(foldComponent(name)).toBe(folded);
});

it('keeps what means something in a pattern or a path', () => {
  expect(foldText(' A:B. ')).toBe(' a:b. ');
});

it('hears an attempt at what is denied through any spelling, and no other', () => {
  const here = place();
  const roots = [{ name: 'web', dir: here.root }];
  const codes = (texts: readonly string[], named: boolean) => {
    const sandbox = here.open('fd-walk', { deny: ['prod/**'], ...(named ? { roots } : {}) });
    return texts.map((text) => refusalOf(() => sandbox.parse(text))?.code);
  };
  expect(codes(['prod//x', 'a//prod/x', '/prod/x', 'prod\\x', './/prod/./x'], false)).toEqual([
    'PATH_DENIED',
    'PATH_INVALID',
    'PATH_OUTSIDE_ROOT',
    'PATH_INVALID',
    'PATH_DENIED',
  ]);
  expect(codes(['@web//prod/x', 'web//prod/x', 'prod/x'], true)).toEqual([
    'PATH_DENIED',
    'PATH_INVALID',
    'PATH_DENIED',
  ]);
});

function either(folder: string, file: string): string {
  return `it could be a file or a folder; write "${folder}" for a folder, "${file}" for a file without an extension`;
}
