// Hostile YAML: each text is small, and costs a careless reader seconds, gigabytes or its stack. Sizes are
// large enough to cross the limits, and small enough for a test.

export interface HostileText {
  readonly id: string;
  readonly why: string;
  readonly make: () => string;
}

const times = (text: string, count: number): string => text.repeat(count);
const each = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');
const nested = (count: number, line: (indent: string, i: number) => string): string =>
  each(count, (i) => line(' '.repeat(i), i));

const row = (id: string, why: string, make: () => string): HostileText => ({ id, why, make });

export const DEEP: readonly HostileText[] = [
  row('YAML-002', 'open brackets, 20,000 deep', () => times('[', 20_000)),
  row('YAML-002', 'open brackets, as much as may be parsed', () => times('[', 1_999_999)),
  row('YAML-002', 'closed brackets, 5,000 deep', () => times('[', 5_000) + times(']', 5_000)),
  row('YAML-003', 'open flow mappings', () => times('{a: ', 20_000)),
  row('YAML-003', 'flow mappings without keys', () => times('{', 20_000)),
  row('YAML-003', 'compact block sequences', () => `${times('- ', 20_000)}x`),
  row('YAML-003', 'compact block sequences, 400,000 deep', () => `${times('- ', 400_000)}x`),
  row(
    'YAML-003',
    'block mappings by indentation, 1,000 deep',
    () => `${nested(1_000, (indent) => `${indent}a:\n`)} x\n`,
  ),
  row('YAML-003', 'block sequences by indentation', () => nested(1_000, (indent) => `${indent}-\n`)),
  row('YAML-004', 'explicit keys, 600 deep', () => `${times('? ', 600)}x`),
  row('YAML-004', 'explicit keys, 100 deep: as deep as may be', () => `${times('? ', 99)}x`),
  row('YAML-004', 'explicit keys, 20,000 deep', () => `${times('? ', 20_000)}x`),
  row('YAML-004', 'explicit keys by indentation', () => nested(1_000, (indent) => `${indent}?\n`)),
  row('YAML-004', 'explicit keys in flow', () => times('{? ', 20_000)),
  row('YAML-004', 'explicit keys in flow sequences', () => times('[? ', 20_000)),
  row('YAML-003', 'pairs in flow sequences', () => times('[a: ', 20_000)),
  row('YAML-003', 'every style in turn', () => times('- ? [{? ', 10_000)),
  row('YAML-003', 'every style, below the limit', () => `${times('- ? ', 40)}x`),
  row('YAML-003', 'flow collections as keys', () => `${times('{[', 30)}${times(']: x}', 30)}\n`),
  row('YAML-003', 'anchors before every level', () => times('&a [', 20_000)),
  row('YAML-003', 'tags before every level', () => times('!!seq [', 10_000)),
  row('YAML-003', 'comments between the levels', () => times('[ #\n', 5_000)),
  row('YAML-003', 'brackets in a key', () => `${times('[', 10_000)}: x`),
  row('YAML-003', 'levels in the second document', () => `a: 1\n---\n${times('[', 100_000)}`),
  row('YAML-003', 'JSON', () => times('{"a":', 20_000)),
];

export const EXPANDING: readonly HostileText[] = [
  row(
    'YAML-001',
    'a billion laughs',
    () => `a0: &a0 x\n${each(20, (i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]\n`)}`,
  ),
  row(
    'YAML-001',
    'laughs as keys',
    () => `a0: &a0 x\n${each(30, (i) => `a${i + 1}: &a${i + 1} {? [*a${i}, *a${i}] : 1}\n`)}`,
  ),
  row('YAML-001', 'an anchor that holds itself', () => 'a: &a [*a, *a]\n'),
  row('YAML-001', 'two that hold each other', () => 'a: &a [*b]\nb: &b [*a]\n'),
  row(
    'YAML-001',
    'a long chain of aliases',
    () => `a0: &a0 [x]\n${each(800, (i) => `a${i + 1}: &a${i + 1} [*a${i}]\n`)}`,
  ),
  row(
    'YAML-012',
    '1,000 anchors and 1,000 aliases',
    () => each(1_000, (i) => `a${i}: &x${i} 1\n`) + each(1_000, (i) => `b${i}: *x${i}\n`),
  ),
  row(
    'YAML-012',
    'one anchor defined again and again',
    () => each(1_000, (i) => `a${i}: &x 1\n`) + each(1_000, (i) => `b${i}: *x\n`),
  ),
  row('YAML-001', 'more aliases than the limit', () => `a: &x 1\nb: [${times('*x, ', 10_001)}]\n`),
  row('YAML-024', 'aliases of nothing', () => `[${times('*x, ', 5_000)}]`),
  row('YAML-024', 'an alias before its anchor', () => 'a: *x\nb: &x 1\n'),
  row(
    'YAML-013',
    'a merge of one mapping, 3,000 times',
    () => `a: &a {k: 1}\nb:\n  <<: [${times('*a, ', 3_000)}*a]\n`,
  ),
  row(
    'YAML-013',
    'a chain of 500 merges',
    () => `m0: &m0 {k: 1}\n${each(500, (i) => `m${i + 1}: &m${i + 1}\n  <<: *m${i}\n  k${i}: 1\n`)}`,
  ),
  row(
    'YAML-013',
    'merges that double',
    () => `m0: &m0 {k: 1}\n${each(25, (i) => `m${i + 1}: &m${i + 1}\n  <<: [*m${i}, *m${i}]\n`)}`,
  ),
  row(
    'YAML-013',
    'a wide mapping merged into many',
    () => `m0: &m0 {${each(200, (i) => `k${i}: 1, `)}}\n${each(200, (i) => `n${i}:\n  <<: *m0\n`)}`,
  ),
  row('YAML-013', 'a mapping merged into itself', () => 'a: &a\n  <<: *a\n  b: 1\n'),
  row('YAML-013', 'a merge of what is no mapping', () => 'a:\n  <<: [1, x, [y], {<<: 2}]\n'),
  row('YAML-013', '2,000 empty mappings merged', () => `a:\n  <<: [${times('{},', 2_000)}{}]\n`),
];

export const WIDE: readonly HostileText[] = [
  row('YAML-005', '1,000 keys', () => each(1_000, (i) => `key${i}: ${i}\n`)),
  row('YAML-005', 'one key, 1,000 times', () => times('key: 1\n', 1_000)),
  row('YAML-005', '1,000 keys in flow', () => `{${each(1_000, (i) => `k${i}: ${i}, `)}}`),
  row('YAML-005', '500 keys that are collections', () => each(500, (i) => `? [${i}]\n: x\n`)),
  row('YAML-010', 'a plain scalar of 300 KB', () => `a: ${times('x', 300_000)}`),
  row('YAML-010', 'a quoted scalar of 300 KB', () => `a: "${times('x', 300_000)}"`),
  row('YAML-010', 'a literal block of 300 KB', () => `a: |\n  ${times('x', 300_000)}\n`),
  row('YAML-010', 'a folded block of 300 KB', () => `a: >\n${times('  x y\n', 20_000)}`),
  row('YAML-010', 'a key of 300 KB', () => `${times('k', 300_000)}: 1\n`),
  row('YAML-010', 'an explicit key of 300 KB', () => `? ${times('k', 300_000)}\n: 1\n`),
  row('YAML-010', 'more than may be parsed', () => `a: ${times('x', 2_000_001)}`),
  row('YAML-011', '10,000 comments', () => times('#\n', 10_000)),
  row('YAML-011', 'a comment of 300 KB', () => `#${times('x', 300_000)}`),
  row('YAML-011', '20,000 blank lines', () => times('\n', 20_000)),
  row('YAML-011', '20,000 CR', () => times('\r', 20_000)),
  row('YAML-011', '500 KB of spaces', () => times(' ', 500_000)),
  row('YAML-011', 'comments under a key', () => `a:\n${times(' #\n', 10_000)} b: 1\n`),
  row(
    'YAML-017',
    '1,000 %TAG directives',
    () => `${each(1_000, (i) => `%TAG !a${i}! t:${i}\n`)}---\na: !a5!x 1\n`,
  ),
  row('YAML-017', '1,000 %YAML directives', () => `${times('%YAML 1.2\n', 1_000)}---\na: 1\n`),
  row('YAML-017', '1,000 unknown directives', () => `${times('%FOO bar\n', 1_000)}---\na: 1\n`),
  row('YAML-018', '2,000 documents', () => times('--- 1\n', 2_000)),
  row('YAML-018', '20,000 markers', () => times('---\n', 20_000)),
  row('YAML-018', '1,500 ends of documents', () => times('...\n', 1_500)),
  row('YAML-018', '1,500 documents without a marker', () => times('a\n...\n', 1_500)),
  row('YAML-021', 'a sexagesimal of 300 KB', () => `a: 1${times(':59', 100_000)}`),
  row('YAML-021', '300 KB of digits', () => `a: ${times('9', 300_000)}`),
  row('YAML-021', '300 KB of hexadecimal digits', () => `a: 0x${times('f', 300_000)}`),
  row('YAML-021', 'a float of 300 KB', () => `a: 0.${times('9', 300_000)}`),
  row('YAML-021', 'an exponent of 300 KB', () => `a: 1e${times('9', 300_000)}`),
  row('YAML-021', 'underscores', () => `a: 1${times('_', 300_000)}`),
  row('YAML-010', 'a fragment of 130,000 lines', () => `a: b\n${times('  c\n', 130_000)}`),
];

export const BROKEN: readonly HostileText[] = [
  row('YAML-023', 'a tab for indentation', () => 'a:\n\tb: 1\n'),
  row('YAML-023', 'byte order marks between documents', () => times('\ufeff---\na: 1\n', 500)),
  row('YAML-023', 'a byte order mark in the middle', () => 'a: 1\n\ufeffb: 2\n'),
  row('YAML-022', 'half a surrogate pair in an escape', () => 'a: "\\ud800"\nb: "\\udfff\\ud800"\n'),
  row('YAML-022', 'escapes of control characters', () => 'a: "\\0\\a\\e\\x1b[2J\\u2028"\n'),
  row('YAML-032', 'a template', () => '{{- if .Values.x }}\na: {{ .Values.x }}\n{{- end }}\n'),
  row('YAML-032', 'a template that is nearly YAML', () => 'a: {{ x }}\nb: {% if y %}z{% endif %}\n'),
  row(
    'YAML-015',
    '__proto__ everywhere',
    () =>
      '__proto__: &a {x: 1}\nconstructor: {prototype: {y: 1}}\nb: {<<: *a, __proto__: {z: 1}}\n"toString": {hasOwnProperty: 1}\n',
  ),
  row(
    'YAML-016',
    'tags that other programs run',
    () =>
      'a: !!js/function "function(){}"\nb: !!python/object/apply:os.system ["id"]\nc: !!js/regexp /(a+)+$/\n',
  ),
  row('YAML-016', 'a tag of 100 KB', () => `a: !<${times('x', 100_000)}> 1\n`),
  row('YAML-023', 'only open quotes', () => times('"', 2_001)),
  row('YAML-023', 'only single quotes', () => times("'", 100_001)),
  row('YAML-023', '1,000 closing brackets', () => times(']', 1_000)),
  row('YAML-023', '1,000 closing braces', () => times('}: ', 1_000)),
  row('YAML-023', '1,000 anchors on one node', () => times('&a ', 1_000)),
  row('YAML-023', '1,000 tags on one node', () => times('!a ', 1_000)),
  row('YAML-023', '2,000 colons', () => times(': ', 2_000)),
  row('YAML-023', '2,000 commas', () => `[${times(', ', 2_000)}`),
  row('YAML-023', '2,000 lines that are no YAML', () => times('@\n', 2_000)),
  row('YAML-023', '1,000 mappings within a line', () => times('a: b: c\n', 1_000)),
  row('YAML-023', 'indentation that goes to and fro', () =>
    each(1_000, (i) => `${i % 2 === 0 ? '' : '  '}a${i}: 1\n`),
  ),
  row('YAML-023', 'block scalars that indent too much', () => `a: |9\n${times(' ', 100_000)}x\n`),
  row('YAML-023', 'only percent signs', () => times('%', 20_000)),
  row('YAML-023', 'only question marks', () => times('?\n', 2_000)),
  row('YAML-023', 'only dashes', () => times('-\n', 2_000)),
  row('YAML-023', 'only stars', () => times('*', 20_000)),
  row('YAML-023', 'only ampersands', () => times('& ', 1_000)),
  row('YAML-023', 'only exclamation marks', () => times('! ', 1_000)),
];
