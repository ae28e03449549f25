import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SafePath } from '../../../src/security/index.ts';
import { codeOf, fingerprint, place, refusalOf } from '../fixture.ts';

const parse = (text: string) => SafePath.parse(text, [undefined]);

const REFUSED: readonly { id: string; input: string; code: string; why: string }[] = [
  { id: 'PATH-001', input: '../outside/s.yaml', code: 'PATH_INVALID', why: 'climbs out' },
  {
    id: 'PATH-002',
    input: 'a/b/../../../outside/s.yaml',
    code: 'PATH_INVALID',
    why: 'climbs out behind a valid prefix',
  },
  {
    id: 'PATH-003',
    input: 'a/../ok.yaml',
    code: 'PATH_INVALID',
    why: "'..' is refused even where it stays inside",
  },
  {
    id: 'PATH-005',
    input: '/srv/root-evil/s.yaml',
    code: 'PATH_OUTSIDE_ROOT',
    why: 'absolute, with the root as a mere prefix',
  },
  {
    id: 'PATH-005',
    input: '/srv/root/ok.yaml',
    code: 'PATH_OUTSIDE_ROOT',
    why: 'absolute, even inside the root',
  },
  { id: 'PATH-006', input: 'ok.yaml\0.png', code: 'PATH_INVALID', why: 'NUL ends the name for the kernel' },
  { id: 'PATH-007', input: 'a\nb.yaml', code: 'PATH_INVALID', why: 'forges a log line' },
  { id: 'PATH-007', input: 'a\u001b[2Jb.yaml', code: 'PATH_INVALID', why: 'clears the terminal' },
  { id: 'PATH-007', input: 'a\u0085b.yaml', code: 'PATH_INVALID', why: 'a C1 line end' },
  { id: 'PATH-007', input: 'a\u202eb.yaml', code: 'PATH_INVALID', why: 'reorders what is displayed' },
  { id: 'PATH-007', input: 'a\u2028b.yaml', code: 'PATH_INVALID', why: 'a line end to JavaScript' },
  { id: 'PATH-007', input: 'a\ufe0fb.yaml', code: 'PATH_INVALID', why: 'a variation selector is invisible' },
  { id: 'PATH-007', input: 'a\ud800b.yaml', code: 'PATH_INVALID', why: 'half a character has no bytes' },
  { id: 'PATH-009', input: '..\\outside\\s.yaml', code: 'PATH_INVALID', why: 'climbs out on Windows' },
  { id: 'PATH-009', input: 'a\\b.yaml', code: 'PATH_INVALID', why: 'one grammar on every platform' },
  { id: 'PATH-010', input: 'C:\\Windows\\win.ini', code: 'PATH_INVALID', why: 'a drive' },
  { id: 'PATH-010', input: 'C:ok.yaml', code: 'PATH_INVALID', why: 'relative to a drive' },
  { id: 'PATH-010', input: 'C:/x', code: 'PATH_INVALID', why: 'a drive with slashes' },
  { id: 'PATH-011', input: '\\\\server\\share\\x', code: 'PATH_INVALID', why: 'UNC' },
  { id: 'PATH-011', input: '//server/share/x', code: 'PATH_INVALID', why: 'UNC with slashes' },
  { id: 'PATH-011', input: '\\\\?\\C:\\x', code: 'PATH_INVALID', why: 'the verbatim namespace' },
  { id: 'PATH-011', input: '\\\\.\\PhysicalDrive0', code: 'PATH_INVALID', why: 'the device namespace' },
  { id: 'PATH-017', input: '', code: 'PATH_INVALID', why: 'nothing' },
  { id: 'PATH-017', input: '.', code: 'PATH_INVALID', why: 'the root itself' },
  { id: 'PATH-017', input: './', code: 'PATH_INVALID', why: 'the root itself' },
  { id: 'PATH-017', input: '/', code: 'PATH_INVALID', why: 'the root of the machine' },
  { id: 'PATH-018', input: 'ok.yaml/', code: 'PATH_INVALID', why: 'a file is no folder' },
  { id: 'PATH-018', input: 'ok.yaml/.', code: 'PATH_INVALID', why: 'a file is no folder' },
  { id: 'PATH-018', input: 'ok.yaml/..', code: 'PATH_INVALID', why: 'climbs' },
  { id: 'PATH-020', input: 'x'.repeat(256), code: 'PATH_INVALID', why: 'a name above 255 bytes' },
  { id: 'PATH-020', input: 'ä'.repeat(128), code: 'PATH_INVALID', why: 'bytes count, not characters' },
  {
    id: 'PATH-020',
    input: 'a/'.repeat(2048).concat('b'),
    code: 'PATH_INVALID',
    why: 'a path above 4096 bytes',
  },
  {
    id: 'PATH-020',
    input: 'a/'.repeat(3000).concat('b'),
    code: 'PATH_INVALID',
    why: 'thousands of components',
  },
  { id: 'PATH-020', input: 'a/'.repeat(64).concat('b'), code: 'PATH_INVALID', why: '65 components' },
  { id: 'text', input: './ok.yaml', code: 'PATH_INVALID', why: 'a second spelling of ok.yaml' },
  { id: 'text', input: 'a//b.yaml', code: 'PATH_INVALID', why: 'a second spelling of a/b.yaml' },
  { id: 'text', input: 'a./b.yaml', code: 'PATH_INVALID', why: 'NTFS drops the trailing dot' },
  { id: 'text', input: 'b.yaml ', code: 'PATH_INVALID', why: 'NTFS drops the trailing space' },
  { id: 'text', input: 'file:///etc/passwd', code: 'PATH_INVALID', why: 'a URL' },
  { id: 'text', input: 'https://example.com/a.yaml', code: 'PATH_INVALID', why: 'a URL' },
];

const LITERAL: readonly { id: string; input: string; why: string; code?: string }[] = [
  { id: 'PATH-013', input: '%2e%2e/outside/s.yaml', why: 'nothing is ever decoded' },
  { id: 'PATH-013', input: '..%2fs.yaml', why: 'nothing is ever decoded' },
  { id: 'PATH-013', input: '%252e%252e%252fs.yaml', why: 'nothing is ever decoded twice' },
  {
    id: 'PATH-014',
    input: '\uff0e\uff0e/s.yaml',
    code: 'PATH_DENIED',
    why: 'full-width dots are not dots, but the allowlist admits no name that looks like them',
  },
  { id: 'PATH-014', input: '..\u2215s.yaml', why: 'a division slash is no separator' },
  { id: 'PATH-014', input: '..\u2044s.yaml', why: 'a fraction slash is no separator' },
  { id: 'PATH-015', input: '~/x.yaml', why: 'no home is expanded' },
  { id: 'PATH-015', input: '~root/x.yaml', why: 'no home is expanded' },
  { id: 'PATH-015', input: '$HOME/x.yaml', why: 'no variable is expanded' },
  { id: 'PATH-015', input: '$' + '{HOME}.yaml', why: 'no variable is expanded' },
  { id: 'PATH-012', input: 'PROGRA~1/x.yaml', why: 'a name like any other where there are no short names' },
  { id: 'text', input: '@types/x.yaml', why: 'without named roots, @ is a letter' },
  { id: 'text', input: 'a/64/deep and spaced/ü.yaml', why: 'ordinary names' },
];

describe('a file argument', () => {
  it.each(REFUSED)('$id is $code: $why ($input) [CON-1]', ({ input, code }) => {
    expect(codeOf(() => parse(input))).toBe(code);
  });

  it.each(LITERAL)('$id is a literal name: $why ($input)', ({ input, code = 'FILE_NOT_FOUND' }) => {
    expect(parse(input).toString()).toBe(input);
    const { open, outside } = place();
    const before = fingerprint(outside);
    const sandbox = open();
    expect(codeOf(() => sandbox.open(sandbox.parse(input)))).toBe(code);
    expect(fingerprint(outside)).toBe(before);
  });

  it('is refused for every control character, and the message shows none [CON-1]', () => {
    for (let code = 0; code < 0xa0; code += 1) {
      if (code >= 0x20 && code < 0x7f) continue;
      const refusal = refusalOf(() => parse(`a${String.fromCharCode(code)}b.yaml`));
      expect(refusal?.code).toBe('PATH_INVALID');
      expect(refusal?.message).not.toMatch(/\p{Cc}/u);
    }
  });

  it('is answered with a message of bounded length that says what would work', () => {
    const refusal = refusalOf(() => parse(`${'x'.repeat(5000)}`));
    expect(refusal?.message.length).toBeLessThan(300);
    expect(refusalOf(() => parse('./a.yaml'))?.message).toContain('Use "a.yaml"');
  });

  it('comes back out as it went in, and holds no component that could climb', () => {
    const names = fc.string({ unit: 'binary', maxLength: 8 });
    const texts = fc.array(fc.oneof(names, fc.constantFrom('..', '.', '', 'a', '.git', '~')), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('/');
        if (codeOf(() => parse(text)) !== 'no error') return;
        const path = parse(text);
        expect(path.relative).toBe(text);
        for (const name of path.components) {
          expect(['', '.', '..']).not.toContain(name);
          expect(name).not.toMatch(/[/\\:\0]/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('with named roots', () => {
  const named = (text: string) => SafePath.parse(text, ['web', 'db']);

  it('a path names its root', () => {
    const path = named('@web/a/b.YAML');
    expect([path.root, path.relative, path.extension, path.toString()]).toEqual([
      'web',
      'a/b.YAML',
      'yaml',
      '@web/a/b.YAML',
    ]);
  });

  it.each([
    { input: '@nope/a.yaml', code: 'PATH_OUTSIDE_ROOT', why: 'an unknown root' },
    { input: '@WEB/a.yaml', code: 'PATH_OUTSIDE_ROOT', why: 'names of roots are exact' },
    { input: 'a.yaml', code: 'PATH_INVALID', why: 'no root' },
    { input: '@web', code: 'PATH_INVALID', why: 'no file' },
    { input: '@web/', code: 'PATH_INVALID', why: 'no file' },
    { input: '@web//etc/passwd', code: 'PATH_INVALID', why: 'absolute behind the name' },
    { input: '@web/../db/a.yaml', code: 'PATH_INVALID', why: 'climbs from root to root' },
    { input: '@web/.git/config', code: 'PATH_DENIED', why: 'the denylist sees behind the name' },
  ])('$input is $code: $why', ({ input, code }) => {
    const refusal = refusalOf(() => named(input));
    expect(refusal?.code).toBe(code);
    if (code !== 'PATH_DENIED' && !input.includes('//') && !input.includes('..') && input !== '@web/') {
      expect(refusal?.message).toContain('@web, @db');
    }
  });
});
