// Files whose bytes or whose mode are unusual: what is refused, and what of them must survive an edit.

export interface BytesRow {
  readonly id: string;
  readonly why: string;
  readonly bytes: Uint8Array | string;
  /** Of `config_get` and of every way to write. */
  readonly code: string;
}

const text = (...parts: (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const ill = (name: string, bytes: readonly number[]): BytesRow => ({
  id: 'FILE-007',
  why: `ill-formed UTF-8: ${name}`,
  bytes: text('a: 1\nb: "', bytes, '"\n'),
  code: 'NOT_UTF8',
});

const bytes = (id: string, why: string, contents: BytesRow['bytes'], code = 'NOT_UTF8'): BytesRow => ({
  ...{ id, why, bytes: contents, code },
});

export const REFUSED_BYTES: readonly BytesRow[] = [
  ill('a byte that never occurs', [0xff]),
  ill('another one', [0xfe, 0xfe]),
  ill('a continuation alone', [0x80]),
  ill('an overlong NUL', [0xc0, 0x80]),
  ill('an overlong slash', [0xc0, 0xaf]),
  ill('an overlong slash of three bytes', [0xe0, 0x80, 0xaf]),
  ill('an overlong slash of four', [0xf0, 0x80, 0x80, 0xaf]),
  ill('half a surrogate pair', [0xed, 0xa0, 0x80]),
  ill('a pair in CESU-8', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]),
  ill('above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]),
  ill('five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]),
  ill('a sequence that is cut off', [0xe2, 0x82]),
  ill('Latin-1', [0xe9]),
  bytes('FILE-007', 'cut off at the very end', text('a: 1\n# ', [0xf0, 0x9f, 0x98])),
  bytes('FILE-008', 'UTF-16 with its mark', text([0xff, 0xfe, 0x61, 0, 0x3a, 0])),
  bytes('FILE-008', 'UTF-16 without a mark', text([0x61, 0, 0x3a, 0, 0x20, 0, 0x31, 0]), 'SYNTAX_INVALID'),
  bytes('FILE-010', 'an ELF file', text([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0xc0, 0xff])),
  bytes('FILE-010', 'a gzip file', text([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])),
  bytes('FILE-011', 'NUL in a value', 'a: 1\nb: x\0y\n', 'SYNTAX_INVALID'),
  bytes('FILE-011', 'NUL at the end', 'a: 1\n\0', 'SYNTAX_INVALID'),
  bytes('FILE-011', 'NUL in a comment', 'a: 1 # x\0y\n', 'SYNTAX_INVALID'),
  bytes('FILE-011', 'ESC in a comment', 'a: 1 # \u001b[2J\n', 'SYNTAX_INVALID'),
];

export interface KeptRow {
  readonly id: string;
  readonly why: string;
  readonly before: string;
  readonly after: string;
  readonly path?: string;
}

const kept = (id: string, why: string, before: string, after: string): KeptRow => ({
  ...{ id, why, before, after },
});

/** `a` is set to 2; every other byte stays. */
export const KEPT_BYTES: readonly KeptRow[] = [
  kept('FILE-009', 'a byte order mark', '\ufeffa: 1\n', '\ufeffa: 2\n'),
  kept('FILE-009', 'a mark, CRLF and no final line end', '\ufeffa: 1\r\nb: x', '\ufeffa: 2\r\nb: x'),
  kept('FILE-012', 'CRLF', 'b: x\r\na: 1\r\n# c\r\n', 'b: x\r\na: 2\r\n# c\r\n'),
  kept('FILE-013', 'LF and CRLF mixed', 'b: x\r\na: 1\nc: y\r\nd: z\n', 'b: x\r\na: 2\nc: y\r\nd: z\n'),
  kept(
    'FILE-013',
    'NEL, LS and PS, which are no line ends',
    'a: 1\nb: "x\u0085y\u2028z\u2029"\n# \u2028\n',
    'a: 2\nb: "x\u0085y\u2028z\u2029"\n# \u2028\n',
  ),
  kept('FILE-014', 'no final line end', 'b: x\na: 1', 'b: x\na: 2'),
  kept('FILE-014', 'no final line end behind another value', 'a: 1\nb: x', 'a: 2\nb: x'),
  kept(
    'FILE-015',
    'white space that nobody sees',
    'a: 1   \nb:    x \t\n\n   \n#\tc \t\n',
    'a: 2   \nb:    x \t\n\n   \n#\tc \t\n',
  ),
  kept('FILE-016', 'many blank lines at the end', 'a: 1\n\n\n\n', 'a: 2\n\n\n\n'),
  kept(
    'YAML-019',
    'numbers in odd spellings',
    'a: 1\nb: [017, 1e400, .5, 12e03, 0x1F, 123456789012345678901234567890, 1_000]\n',
    'a: 2\nb: [017, 1e400, .5, 12e03, 0x1F, 123456789012345678901234567890, 1_000]\n',
  ),
  kept(
    'YAML-016',
    'tags that other programs run',
    'a: 1\nb: !!js/function "x"\nc: !!python/object/apply:os.system ["id"]\nd: !Ref x\n',
    'a: 2\nb: !!js/function "x"\nc: !!python/object/apply:os.system ["id"]\nd: !Ref x\n',
  ),
  kept(
    'YAML-027',
    'block scalars of every kind',
    'a: 1\nb: |2+\n    x\n\n\nc: >-\n  y\n\n  z\nd: |\n\n',
    'a: 2\nb: |2+\n    x\n\n\nc: >-\n  y\n\n  z\nd: |\n\n',
  ),
  kept(
    'YAML-015',
    "names of JavaScript's own",
    'a: 1\n__proto__: {x: 1}\nconstructor: {prototype: {y: 1}}\n',
    'a: 2\n__proto__: {x: 1}\nconstructor: {prototype: {y: 1}}\n',
  ),
  kept('FILE-016', 'nothing at all', '', 'a: 2\n'),
  kept('FILE-016', 'comments only', '# c\n', '# c\na: 2\n'),
  kept('FILE-016', 'a document marker only', '---\n', '---\na: 2\n'),
];

export const MODES: readonly { readonly mode: number; readonly result: number | 'READ_ONLY' }[] = [
  { mode: 0o640, result: 0o640 },
  { mode: 0o600, result: 0o600 },
  { mode: 0o644, result: 0o644 },
  { mode: 0o664, result: 0o664 },
  { mode: 0o666, result: 0o666 },
  { mode: 0o700, result: 0o700 },
  { mode: 0o6755, result: 0o755 },
  { mode: 0o1644, result: 0o644 },
  { mode: 0o444, result: 'READ_ONLY' },
  { mode: 0o400, result: 'READ_ONLY' },
];
