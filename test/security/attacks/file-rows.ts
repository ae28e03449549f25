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
  {
    id: 'FILE-007',
    why: 'cut off at the very end',
    bytes: text('a: 1\n# ', [0xf0, 0x9f, 0x98]),
    code: 'NOT_UTF8',
  },
  {
    id: 'FILE-008',
    why: 'UTF-16 with its mark',
    bytes: text([0xff, 0xfe, 0x61, 0, 0x3a, 0]),
    code: 'NOT_UTF8',
  },
  {
    id: 'FILE-008',
    why: 'UTF-16 without a mark',
    bytes: text([0x61, 0, 0x3a, 0, 0x20, 0, 0x31, 0]),
    code: 'SYNTAX_INVALID',
  },
  {
    id: 'FILE-010',
    why: 'an ELF file',
    bytes: text([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0xc0, 0xff]),
    code: 'NOT_UTF8',
  },
  { id: 'FILE-010', why: 'a gzip file', bytes: text([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), code: 'NOT_UTF8' },
  { id: 'FILE-011', why: 'NUL in a value', bytes: 'a: 1\nb: x\0y\n', code: 'SYNTAX_INVALID' },
  { id: 'FILE-011', why: 'NUL at the end', bytes: 'a: 1\n\0', code: 'SYNTAX_INVALID' },
  { id: 'FILE-011', why: 'NUL in a comment', bytes: 'a: 1 # x\0y\n', code: 'SYNTAX_INVALID' },
  { id: 'FILE-011', why: 'ESC in a comment', bytes: 'a: 1 # \u001b[2J\n', code: 'SYNTAX_INVALID' },
];

export interface KeptRow {
  readonly id: string;
  readonly why: string;
  readonly before: string;
  readonly after: string;
  readonly path?: string;
}

/** `a` is set to 2; every other byte stays. */
export const KEPT_BYTES: readonly KeptRow[] = [
  { id: 'FILE-009', why: 'a byte order mark', before: '\ufeffa: 1\n', after: '\ufeffa: 2\n' },
  {
    id: 'FILE-009',
    why: 'a mark, CRLF and no final line end',
    before: '\ufeffa: 1\r\nb: x',
    after: '\ufeffa: 2\r\nb: x',
  },
  { id: 'FILE-012', why: 'CRLF', before: 'b: x\r\na: 1\r\n# c\r\n', after: 'b: x\r\na: 2\r\n# c\r\n' },
  {
    id: 'FILE-013',
    why: 'LF and CRLF mixed',
    before: 'b: x\r\na: 1\nc: y\r\nd: z\n',
    after: 'b: x\r\na: 2\nc: y\r\nd: z\n',
  },
  {
    id: 'FILE-013',
    why: 'NEL, LS and PS, which are no line ends',
    before: 'a: 1\nb: "x\u0085y\u2028z\u2029"\n# \u2028\n',
    after: 'a: 2\nb: "x\u0085y\u2028z\u2029"\n# \u2028\n',
  },
  { id: 'FILE-014', why: 'no final line end', before: 'b: x\na: 1', after: 'b: x\na: 2' },
  {
    id: 'FILE-014',
    why: 'no final line end behind another value',
    before: 'a: 1\nb: x',
    after: 'a: 2\nb: x',
  },
  {
    id: 'FILE-015',
    why: 'white space that nobody sees',
    before: 'a: 1   \nb:  \t x \t\n\n   \n#\tc \t\n',
    after: 'a: 2   \nb:  \t x \t\n\n   \n#\tc \t\n',
  },
  { id: 'FILE-016', why: 'many blank lines at the end', before: 'a: 1\n\n\n\n', after: 'a: 2\n\n\n\n' },
  {
    id: 'YAML-019',
    why: 'numbers in odd spellings',
    before: 'a: 1\nb: [017, 1e400, .5, 12e03, 0x1F, 123456789012345678901234567890, 1_000]\n',
    after: 'a: 2\nb: [017, 1e400, .5, 12e03, 0x1F, 123456789012345678901234567890, 1_000]\n',
  },
  {
    id: 'YAML-016',
    why: 'tags that other programs run',
    before: 'a: 1\nb: !!js/function "x"\nc: !!python/object/apply:os.system ["id"]\nd: !Ref x\n',
    after: 'a: 2\nb: !!js/function "x"\nc: !!python/object/apply:os.system ["id"]\nd: !Ref x\n',
  },
  {
    id: 'YAML-027',
    why: 'block scalars of every kind',
    before: 'a: 1\nb: |2+\n    x\n\n\nc: >-\n  y\n\n  z\nd: |\n\n',
    after: 'a: 2\nb: |2+\n    x\n\n\nc: >-\n  y\n\n  z\nd: |\n\n',
  },
  {
    id: 'YAML-015',
    why: "names of JavaScript's own",
    before: 'a: 1\n__proto__: {x: 1}\nconstructor: {prototype: {y: 1}}\n',
    after: 'a: 2\n__proto__: {x: 1}\nconstructor: {prototype: {y: 1}}\n',
  },
  { id: 'FILE-016', why: 'nothing at all', before: '', after: 'a: 2\n' },
  { id: 'FILE-016', why: 'comments only', before: '# c\n', after: '# c\na: 2\n' },
  { id: 'FILE-016', why: 'a document marker only', before: '---\n', after: '---\na: 2\n' },
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
