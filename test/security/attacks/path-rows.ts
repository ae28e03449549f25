// File arguments that are no plain path below the root, class by class: text rules only, so each is tried
// with and without something standing at that very name.
import { join } from 'node:path';
import { CONTROLS, FORMATS, IGNORABLES } from './characters.ts';
import type { Ground } from './ground.ts';

export interface PathRow {
  readonly id: string;
  readonly why: string;
  readonly inputs: (ground: Ground) => readonly string[];
  readonly code: 'PATH_INVALID' | 'PATH_OUTSIDE_ROOT' | 'PATH_DENIED';
  /** Nothing is put at that name: without its odd part it is the name of an ordinary file. */
  readonly namesOrdinaryFile?: true;
  /** Many inputs of one kind: each goes one of the ways, in turn. */
  readonly isSweep?: true;
  /** False where the allowlist decides: a cursor may name what it does not let through. */
  readonly isKnownToCursors?: false;
}

const inName = (characters: readonly string[]): readonly string[] =>
  characters.flatMap((character) => [`o${character}k.yaml`]);

/** At the start, at the end, in a folder and alone, for a few characters each. */
const everywhere = (characters: readonly string[]): readonly string[] =>
  characters.flatMap((c) => [
    `${c}ok.yaml`,
    `ok.yaml${c}`,
    `ok${c}/s.yaml`,
    `a/${c}/s.yaml`,
    c,
    `..${c}/s.yaml`,
  ]);

export const PATH_ROWS: readonly PathRow[] = [
  {
    id: 'PATH-001',
    why: 'climbs out of the root',
    inputs: () => [
      '../outside/s.yaml',
      '..',
      '../root/ok.yaml',
      '../root-evil/s.yaml',
      `${'../'.repeat(40)}etc/passwd`,
      '@x/../outside/s.yaml',
    ],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-002',
    why: 'climbs out behind folders that exist',
    inputs: () => ['a/b/../../../outside/s.yaml', 'a/../../outside/s.yaml', 'none/../../outside/s.yaml'],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-003',
    why: "'..' is never followed, not even where it stays inside",
    inputs: () => ['a/../ok.yaml', 'a/b/../deep.yaml', 'ok.yaml/../ok.yaml', 'a/..'],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-004',
    why: 'is absolute, wherever it leads',
    inputs: ({ root, base }) => [
      '/etc/passwd',
      '/proc/self/environ',
      join(root, 'ok.yaml'),
      root,
      `${root}/`,
      join(base, 'outside/s.yaml'),
    ],
    code: 'PATH_OUTSIDE_ROOT',
  },
  {
    id: 'PATH-005',
    why: "is a neighbour that begins like the root's name",
    inputs: ({ root }) => ['-evil', 'x', '.bak', ' root'].map((end) => `${root}${end}/s.yaml`),
    code: 'PATH_OUTSIDE_ROOT',
  },
  {
    id: 'PATH-006',
    why: 'hides its end behind a NUL',
    inputs: () => [
      'ok.yaml\0.png',
      'ok.yaml\0',
      '\0',
      '../outside/s.yaml\0',
      '/etc/passwd\0.yaml',
      'a\0/b.yaml',
    ],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-007',
    why: 'holds a control character: all of Cc',
    inputs: () => [...inName(CONTROLS), ...everywhere(['\n', '\r', '\t', '\u001b', '\u007f', '\u0085'])],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-007',
    why: 'forges a line of a terminal or a log',
    inputs: () => [
      'a\nb.yaml',
      'a\u001b[2Jb.yaml',
      'a\r\n{"level":"info"}.yaml',
      '\u001b]52;c;eA==\u0007.yaml',
      'a\u009b2Jb.yaml',
    ],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-008',
    why: 'holds a bidi or format character',
    inputs: () => everywhere(['\u202e', '\u2066', '\u200b', '\ufeff', '\u00ad']),
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-008',
    why: 'holds any character of Cf',
    inputs: () => inName(FORMATS),
    code: 'PATH_INVALID',
    isSweep: true,
  },
  {
    id: 'PATH-008',
    why: 'holds a line separator, a filler, a variation selector, half a pair or a noncharacter',
    inputs: () =>
      inName(['\u2028', '\u2029', '\ud800', '\udfff', '\ufffe', '\uffff', '\u{1ffff}', ...IGNORABLES]),
    code: 'PATH_INVALID',
    isSweep: true,
  },
  {
    id: 'PATH-009',
    why: "holds a backslash, which is a separator to half of the world's systems",
    inputs: () => ['..\\outside\\s.yaml', 'a\\b.yaml', '\\etc\\passwd', 'ok.yaml\\', '\\', 'a/..\\..\\x'],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-010',
    why: 'names a drive or a stream',
    inputs: () => [
      'C:\\Windows\\win.ini',
      'C:ok.yaml',
      'c:',
      'ok.yaml:x',
      'ok.yaml:$DATA',
      'a:b/c.yaml',
      ':ok.yaml',
    ],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-011',
    why: 'names a share or a device',
    inputs: () => ['\\\\server\\share\\x', '//server/share/x', '//', '\\\\?\\C:\\x', '\\\\.\\PhysicalDrive0'],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-016',
    why: 'is a URL',
    inputs: ({ root }) => [
      'file:///etc/passwd',
      `file://${root}/ok.yaml`,
      'http://localhost/x.yaml',
      'data:text/plain,x',
      'config://ok.yaml',
      'x-1.+://y',
    ],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-017',
    why: 'names nothing',
    inputs: () => ['', '.', './', ' ', '...', '. .', './/ok.yaml', 'a/./b/deep.yaml', 'a//b/deep.yaml', 'a/'],
    code: 'PATH_INVALID',
    namesOrdinaryFile: true,
  },
  { id: 'PATH-017', why: 'is a lone slash', inputs: () => ['/'], code: 'PATH_INVALID' },
  {
    id: 'PATH-018',
    why: 'goes on behind a file',
    inputs: () => ['ok.yaml/', 'ok.yaml/.', 'ok.yaml/..', 'ok.yaml//', 'ok.yaml/./'],
    code: 'PATH_INVALID',
    namesOrdinaryFile: true,
  },
  {
    id: 'PATH-019',
    why: 'ends with a dot or a space, which some systems drop',
    inputs: () => ['ok.yaml.', 'ok.yaml ', 'ok.yaml...', 'ok.yaml. .', 'a./b.yaml', 'a /b.yaml'],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-020',
    why: 'is overlong: a name, the whole, or the number of names',
    inputs: () => [
      'x'.repeat(256),
      `${'x'.repeat(251)}.yaml`,
      `a/${'é'.repeat(126)}.yaml`,
      `${'😀'.repeat(63)}.yaml`,
      `${'a/'.repeat(2046)}x.yaml`,
      `${'a/'.repeat(3000)}x.yaml`,
      'a/'.repeat(50_000),
      '/'.repeat(100_000),
      '../'.repeat(30_000),
      '\u202e'.repeat(20_000),
      '.'.repeat(5_000),
    ],
    code: 'PATH_INVALID',
  },
  {
    id: 'PATH-014',
    why: "is '..' in compatibility characters, which no pattern of the allowlist takes for a folder",
    inputs: () => [
      '\uff0e\uff0e/outside/s.yaml',
      '\u2025/outside/s.yaml',
      '\u2024\u2024/s.yaml',
      '\ufe52\ufe52/s.yaml',
      'a/\u2025/s.yaml',
      '..\uff0foutside\uff0fs.yaml',
    ],
    code: 'PATH_DENIED',
    isKnownToCursors: false,
  },
];

/** Names that another program decodes, expands or normalises into something else. Here they are names. */
export const LITERAL_NAMES: readonly {
  readonly id: string;
  readonly why: string;
  readonly inputs: readonly string[];
}[] = [
  {
    id: 'PATH-013',
    why: 'is never percent-decoded',
    inputs: [
      '%2e%2e/outside/s.yaml',
      '..%2foutside%2fs.yaml',
      '%2e%2e%2foutside%2fs.yaml',
      '%c0%ae%c0%ae/s.yaml',
      '%00.yaml',
      'ok%2eyaml.yaml',
      '&#46;&#46;/s.yaml',
    ],
  },
  {
    id: 'PATH-014',
    why: 'looks like a slash or a dot and is none',
    inputs: [
      '..\u2215outside\u2215s.yaml',
      '..\u2044outside\u2044s.yaml',
      '..\u29f8outside.yaml',
      '\u3002\u3002/s.yaml',
      '\u2025\u2215s.yaml',
      '\u2026/s.yaml',
      'o\uff4b.yaml',
      'ok\uff0eyaml.yaml',
    ],
  },
  {
    id: 'PATH-015',
    why: 'is never expanded by a shell that is not there',
    inputs: [
      '~/x.yaml',
      '~+/ok.yaml',
      '$HOME/x.yaml',
      '$' + '{HOME}/x.yaml',
      '$(id).yaml',
      '`id`.yaml',
      '%USERPROFILE%/x.yaml',
      '*.yaml',
      '{ok,a}.yaml',
      '[o]k.yaml',
      '-ok.yaml',
      '--help.yaml',
      '|id.yaml',
      '!!.yaml',
      '@root/ok.yaml',
      '@/ok.yaml',
    ],
  },
  {
    id: 'PATH-042',
    why: 'is the other normalisation of a name',
    inputs: ['cafe\u0301.yaml', 'A\u030angstrom.yaml'],
  },
  {
    id: 'PATH-043',
    why: 'is another case of a name',
    inputs: ['OK.yaml', 'Ok.yaml', 'ok.yml', 'ok.yaml.yaml', 'A/b/deep.yaml'],
  },
  {
    id: 'PATH-012',
    why: 'is the short name of a file that may be read',
    inputs: ['OK~1.yaml', 'DEEP~1.YAM.yaml', 'a~1/b/deep.yaml'],
  },
];
