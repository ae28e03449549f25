// Texts with every habit of real configuration. The scan reads them itself, and the same as `yaml`.

export interface NamedCase {
  readonly why: string;
  readonly text: string;
}

export const NATIVE: readonly NamedCase[] = [
  { why: 'nothing', text: '' },
  { why: 'a byte order mark', text: '\uFEFFa: 1\n' },
  { why: 'a byte order mark alone', text: '\uFEFF' },
  { why: 'comments alone', text: '# a\n\n  # b\n' },
  { why: 'no final newline', text: 'a: 1\nb: [2, 3]' },
  { why: 'CRLF', text: '# c\r\na: 1\r\nb:\r\n  - x\r\n  - "y\r\n    z"\r\nc: |\r\n  l\r\n\r\n  m\r\n' },
  { why: 'mixed line breaks', text: 'a: 1\r\nb: 2\nc: |\r\n  x\n  y\r\n' },
  { why: 'NEL and the Unicode separators are text', text: 'a: b\u0085c\nd: "e\u2028f"\ng: \u00a0h\n' },
  { why: 'astral characters', text: 'a: \ud83d\ude00 b # \ud83d\ude00\n\ud83d\ude00: "\ud83d\ude00"\n' },
  { why: 'DEL and C1 controls', text: 'a: \u007f\u0080\n' },
  { why: 'a list at the column of its key', text: 'a:\n- b\n- c: d\n  e: f\ng:\n- - h\n  - i\n' },
  {
    why: 'a list at column 0 of a document with comments between',
    text: 'a:\n# x\n- b # y\n\n# z\n- c\n# w\nd:\n',
  },
  { why: 'empty values', text: 'a:\nb: \nc: # d\ne:\n\n  # f\ng:\n  h:\ni:\n' },
  {
    why: 'comments behind an empty last value, before another document',
    text: 'c: \n\n# e\n# g\n---\nh: \r\n\r\n  # j\r\n---\n- \n\n# k\n---\nl: m\n',
  },
  { why: 'empty items', text: '- \n-\n- # a\n-\n\n- b\n-' },
  {
    why: 'compact nesting',
    text: '- - - a\n    - b\n  - c: d\n    e:\n    - f\n- g: - h\n'.replace(': - h', ': h'),
  },
  { why: 'deep indentation', text: 'a:\n        b:\n         c:\n                    - d\n' },
  { why: 'plain text over lines', text: 'a: b\n  c\n\n\n   d # e\nf: g\n h: i'.replace(' h: i', '  h') },
  {
    why: 'plain text with what looks like indicators',
    text: 'a: b-c ?d !e &f *g |h >i %j @k `l "m\' n[o]{p},q\n',
  },
  {
    why: 'colons and hashes within plain text',
    text: 'a:b: c:d\ne#f: g#h\ni: j :k\nurl: http://x:80/#y\nt: 12:30\n::a: ::b\n',
  },
  {
    why: 'plain text that begins with an indicator',
    text: 'a: -b\nc: ?d\ne: :f\n-g: h\n?i: j\n:k: l\n--: -- -\n',
  },
  { why: 'a colon behind spaces', text: 'a : b\n"c"  : d\n' },
  { why: 'spaces behind everything', text: 'a:   b   \n"c":   [ d ]   \ne:  |  \n  f  \n' },
  {
    why: 'comments behind everything',
    text: 'a: b # 1\nc: # 2\n  - d # 3\n  # 4\n  - "e" # 5\nf: [ # 6\n  g, # 7\n  # 8\n] # 9\n',
  },
  {
    why: 'comments at odd columns',
    text: 'a:\n    # x\n  b: 1\n # y\n  c: 2\n# z\n  d:\n   # w\n    - e\n       # v\n',
  },
  { why: 'quoted text over lines', text: "a: \"b\n  c\n\n  d\\\n  e \\n f\"\ng: 'h\n  i''j\n\n  k'\n" },
  {
    why: 'every escape',
    text: 'a: "\\0\\a\\b\\e\\f\\n\\r\\t\\v\\N\\_\\L\\P\\ \\"\\/\\\\\\\t\\x41\\u00e9\\U0001F600"\n',
  },
  { why: 'quoted keys', text: '"a: b": c\n\'d # e\': f\n"": g\n"h\\"": i\n' },
  {
    why: 'flow in block, block styles',
    text: 'a: [b, {c: d}, [e]]\nf: {g: [h, i], j: {k: l}}\n- m'.replace('\n- m', '\n'),
  },
  { why: 'flow over lines', text: 'a: [\n    b,\n    c,\n  ]\nd: {\n  e: f,\n  g: [h,\n    i]\n}\n' },
  {
    why: 'a closing bracket at the column of its key',
    text: 'a:\n  b: {\n    c: d\n  }\n  e: [\n    f\n  ]\n',
  },
  { why: 'commas at the end and before keys', text: 'a: [b , c ,]\nd: {e: f ,g: h ,}\n' },
  { why: 'pairs in a list', text: 'a: [b: c, "d": e, f: , g]\n' },
  { why: 'colons without space behind quotes', text: 'a: {"b":c, "d": e}\nf: ["g":h]\n' },
  { why: 'keys without values', text: 'a: {b, c: , d}\n' },
  { why: 'JSON', text: '{"a": [1, -2.5e3, true, null, {"b": "c\\u0041"}], "d": {}}\n' },
  { why: 'JSON on many lines', text: '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "c"\n}\n' },
  {
    why: 'plain text in brackets',
    text: 'a: [b c, d#e, f:g, http://h, -i, ?j, *k]\nl: &k m\n'.replace('*k', 'k'),
  },
  {
    why: 'anchors, aliases and merges',
    text: 'a: &x\n  b: 1\nc: *x\nd:\n  <<: *x\n  <<: [*x, *x]\ne: &y [1]\nf: &z "g"\n',
  },
  { why: 'an anchor on a key', text: '&a b: c\n? d\n'.replace('? d\n', '&e "f": g\n') },
  { why: 'anchors on items', text: '- &a b\n- &c\n  d: e\n- &f\n  - g\n- &h {}\n- *a\n' },
  { why: 'anchors and tags of one node, both ways', text: 'a: &b !c d\ne: !f &g h\ni: !!str &j\n  k\n' },
  { why: 'tags of a language', text: 'a: !!python/name:b.c\nd: !!python/object/apply:e.f [g]\n' },
  { why: 'symbols in brackets', text: 'a: [ :b, :c ]\nd: {e: :f, :g: h, "i": :j}\n' },
  {
    why: 'tags',
    text: 'a: !b c\nd: !!str 1\ne: !!int "2"\nf: !g/h.i-j [k]\nl: !m\n  n: o\np: !q\n- r\ns: !Ref t\n',
  },
  { why: 'properties of nothing', text: 'a: &b\nc: !d\ne: !!null\n' },
  {
    why: 'block scalars',
    text: 'a: |\n  b\n   c\n\n  d\ne: >\n  f\n\n   g\nh: |-\n  i\nj: |+\n  k\n\nl: >2-\n   m\n',
  },
  { why: 'block scalars in lists', text: '- |\n a\n- >-\n   b\n-  |\n  c\n- d: |\n    e\n  f: |\n   g\n' },
  { why: 'a block scalar with comments and tabs in it', text: 'a: | # x\n  # b\n  \tc\n  d\t\n# y\ne: 1\n' },
  { why: 'blank lines behind a block scalar', text: 'a: |\n  b\n\n\nc: |+\n  d\n\n\ne: |-\n  f\n\n\n' },
  { why: 'a block scalar that the end cuts off', text: 'a: |\n  b' },
  { why: 'a version', text: '# a\n%YAML 1.2\n# b\n---\nc: d\n' },
  {
    why: 'the old version',
    text: '%YAML 1.1  # a\n--- # b\nc: yes\nd: 012\ne: 12:30:45\nf: 2001-12-14\n<<: {g: 1}\n',
  },
  { why: 'tabs on blank lines', text: 'a: b\n\t\nc:\n \t \n  - d\n  \t\n  - e\n\t\nf: "g"\n\t\n' },
  { why: 'a blank line of tabs in plain text', text: 'a: b\n  \t\n  c\nd: e\n' },
  { why: 'documents', text: '---\na: 1\n---\nb: 2\n...\n---\n# c\n- d\n---\n---\ne\n' },
  { why: 'a document without a marker, one with', text: 'a: 1\n---\nb: 2\n' },
  { why: 'comments around markers', text: '# a\n--- # b\nc: d\n# e\n... # f\n# g\n---\nh: i\n' },
  { why: 'a scalar as a document', text: '"a"\n' },
  { why: 'a collection in brackets as a document', text: '[a, b]\n' },
  { why: 'duplicate keys', text: 'a: 1\na: 2\n"a": 3\n{a: 4}: 5\n'.replace('{a: 4}: 5\n', '') },
  {
    why: 'numbers however they are spelled',
    text: 'a: 0o17\nb: 1_000\nc: +.inf\nd: .NaN\ne: 0x1F\nf: 1e3\ng: 012\nh: 1.10\ni: -0\n',
  },
  { why: 'a key of 1,000 characters', text: `${'k'.repeat(1000)}: v\n` },
];
