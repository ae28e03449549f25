// The checker itself, under fault: wrong splices of every kind are handed to it as a planner's slip would,
// and each must be refused. The right splice of the same operation must pass, so that it cannot refuse all.
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/adapters/formats/registry.ts';
import { type Operation, planOperation } from '../../src/adapters/index.ts';
import { DEFAULT_LIMITS, type Edit, Refusal, splice, VerifiedEdit } from '../../src/security/index.ts';
import { place, refusalOf } from '../security/fixture.ts';
import { attempt, type Language, parse } from './editing/attempt.ts';

interface Slip {
  readonly why: string;
  /** What the right result holds once, and what stands there instead. */
  readonly right: string;
  readonly wrong: string;
}

interface Subject {
  readonly name: string;
  readonly language?: Language;
  readonly before: string;
  readonly operation: Operation;
  readonly after: string;
  readonly slips: readonly (readonly [why: string, right: string, wrong: string])[];
}

const set = (path: string, source: string, doc?: number): Operation => ({
  op: 'set',
  path,
  doc,
  value: source,
  create: true,
});

const SHORT = 'a: 1\nb: 1\nc: 3\n';
const LONG = `# head
base: &b
  k: 1.10
  h: 0x1f
  t: !t v # note
use: *b
m:
  <<: *b
  q: 'yes'
text: |
  one
  two

fold: >-
  x
  y
list:
  - p
  - - q
    - r
  - s: 1_000
    u: ~
flow: {i: [1, 2], j: "k"}
last: 1
`;
const DOCUMENTS = `%YAML 1.2
%TAG !e! tag:e,2000:
--- # one
a: !e!x 1
...
%YAML 1.1
---
b: no
c: 1
---
d: 1
`;

const SUBJECTS: readonly Subject[] = [
  {
    name: 'a scalar set',
    before: SHORT,
    operation: set('b', '2'),
    after: 'a: 1\nb: 2\nc: 3\n',
    slips: [
      ['the span starts one early and takes the space', 'b: 2', 'b:2'],
      ['the span starts one late', 'b: 2', 'b: 12'],
      ['the span ends one early', 'b: 2', 'b: 21'],
      ['the span ends one late and takes the line break', 'b: 2\n', 'b: 2'],
      ['nothing was changed', 'b: 2', 'b: 1'],
      ['the value was taken and nothing put there', 'b: 2', 'b:'],
      ['the entry itself is lost', 'b: 2\n', ''],
      ['the entry after is lost', 'c: 3\n', ''],
      ['the entry before is lost', 'a: 1\n', ''],
      ['the entry is there twice', 'b: 2\n', 'b: 2\nb: 2\n'],
      ['the old entry stays and the new one comes last', 'b: 2\nc: 3\n', 'b: 1\nc: 3\nb: 2\n'],
      ['the wrong entry was set', 'a: 1\nb: 2', 'a: 2\nb: 1'],
      ['another entry was set as well', 'a: 1', 'a: 2'],
      ['two entries changed places', 'a: 1\nb: 2', 'b: 2\na: 1'],
      ['two values changed places', 'a: 1\nb: 2\nc: 3', 'a: 3\nb: 2\nc: 1'],
      ['the entry went one level down', 'a: 1\nb: 2', 'a:\n  b: 2'],
      ['the value became a mapping', 'b: 2', 'b:\n  2:'],
      ['the value became a list', 'b: 2', 'b: [2]'],
      ['the mapping became a list', 'a: 1\nb: 2\nc: 3\n', '- a: 1\n- b: 2\n- c: 3\n'],
      ['the new value came in as a string', 'b: 2', 'b: "2"'],
      ['the new value came in as a block scalar', 'b: 2\n', 'b: |-\n  2\n'],
      ['a neighbour became a string', 'a: 1', "a: '1'"],
      ['a key was put in quotes', 'a: 1', '"a": 1'],
      ['another spelling: 2.0', 'b: 2', 'b: 2.0'],
      ['another spelling: +2', 'b: 2', 'b: +2'],
      ['another spelling: 02', 'b: 2', 'b: 02'],
      ['another spelling: 0x2', 'b: 2', 'b: 0x2'],
      ['a tag came in', 'b: 2', 'b: !!int 2'],
      ['an anchor came in', 'b: 2', 'b: &x 2'],
      ['a tag came to the root', 'a: 1\nb: 2', '!t\na: 1\nb: 2'],
      ['a key was changed', 'a: 1', 'A: 1'],
      ['a key got a look-alike letter', 'a: 1', '\u0430: 1'],
      ['a key got a zero-width space', 'a: 1', 'a\u200b: 1'],
      ['an entry became a comment', 'a: 1', '# a: 1'],
      ['the next line became part of the value', 'c: 3', '  c 3'],
      ['a document came in', 'c: 3\n', 'c: 3\n---\nd: 4\n'],
      ['an empty document came in', 'c: 3\n', 'c: 3\n---\n'],
      ['a document marker came in', 'a: 1', '---\na: 1'],
      ['a document end came in', 'c: 3\n', 'c: 3\n...\n'],
      ['a directive came in', 'a: 1', '%YAML 1.1\n---\na: 1'],
      ['a byte order mark came in', 'a: 1', '\ufeffa: 1'],
      ['one line got CRLF', 'b: 2\n', 'b: 2\r\n'],
      ['a merge key came in', 'c: 3\n', 'c: 3\n<<: {d: 4}\n'],
      ['the rest of the file is gone', 'b: 2\nc: 3\n', 'b: 2'],
      ['everything is gone', 'a: 1\nb: 2\nc: 3\n', ''],
      ['it is no YAML any more', 'b: 2', 'b: [2'],
      ['a tab came in as indentation', 'c: 3', '\tc: 3'],
    ],
  },
  {
    name: 'a scalar set far from everything else',
    before: LONG,
    operation: set('last', '2'),
    after: LONG.replace('last: 1', 'last: 2'),
    slips: [
      ['a number lost its zero', '1.10', '1.1'],
      ['a hexadecimal number became decimal', '0x1f', '31'],
      ['the case of a hexadecimal digit changed', '0x1f', '0x1F'],
      ['a number lost its underscore', '1_000', '1000'],
      ['a null was written out', 'u: ~', 'u: null'],
      ['a null was left out', 'u: ~', 'u:'],
      ['a tag is lost', '!t v', 'v'],
      ['a tag is another one', '!t v', '!u v'],
      ['a tag became global', '!t v', '!!t v'],
      ['a tag came in', 'k: 1.10', 'k: !!float 1.10'],
      ['a tag moved to the key', 't: !t v', '!t t: v'],
      ['an anchor is lost', 'base: &b', 'base:'],
      ['an anchor has another name', 'base: &b', 'base: &c'],
      ['an anchor moved down', 'base: &b\n  k: ', 'base:\n  k: &b '],
      ['an anchor moved to the key', 'base: &b', '&b base:'],
      ['a redefinition makes the aliases mean another node', 'h: 0x1f', 'h: &b 0x1f'],
      ['a redefinition between two aliases', 'm:\n', 'm: &b\n'],
      ['an alias has another name and dangles', 'use: *b', 'use: *c'],
      ['an alias became a string', 'use: *b', 'use: "*b"'],
      ['an alias became its name', 'use: *b', 'use: b'],
      ['an alias was expanded', 'use: *b', 'use: {k: 1.10, h: 0x1f, t: !t v}'],
      ['an alias is lost', 'use: *b', 'use:'],
      ['a merge was expanded', '<<: *b', '<<: {k: 1.10}'],
      ['a merge key was put in quotes', '<<: *b', '"<<": *b'],
      ['a merge key was renamed', '<<: *b', '<<<: *b'],
      ['a merge key moved behind another', "<<: *b\n  q: 'yes'", "q: 'yes'\n  <<: *b"],
      ['a merge became a list', '<<: *b', '<<: [*b]'],
      ['quotes are lost, and the type with them', "'yes'", 'yes'],
      ['a space came into a quoted scalar', "'yes'", "'yes '"],
      ['a space came to the end of a line of text', 'two\n', 'two \n'],
      ['a tab came to the end of a line of text', 'two\n', 'two\t\n'],
      ['a blank line came into the text', 'one\n', 'one\n\n'],
      ['a blank line came before the text', 'text: |\n', 'text: |\n\n'],
      ['a line of text is lost', '  two\n', ''],
      ['a line of text moved right', '  two', '   two'],
      ['all lines of text moved right of an indicator', 'text: |', 'text: |1'],
      ['chomping: clip became strip', 'text: |', 'text: |-'],
      ['chomping: clip became keep', 'text: |', 'text: |+'],
      ['chomping: strip became clip', 'fold: >-', 'fold: >'],
      ['literal became folded', 'text: |', 'text: >'],
      ['folded became literal', 'fold: >-', 'fold: |-'],
      ['a folded line came to stand on its own', '  x\n  y', '  x\n\n  y'],
      ['a folded scalar became plain', 'fold: >-\n  x\n  y', 'fold: x y'],
      ['a line of text became a comment', '  two\n', '# two\n'],
      ['a comment became an entry', '# head', 'head:'],
      ['a comment became part of the value', 'v # note', 'v# note'],
      ['an entry became a comment', 'use: *b', '# use: *b'],
      ['a value became a comment', "q: 'yes'", "q: # 'yes'"],
      ['key order in a nested mapping', 'k: 1.10\n  h: 0x1f', 'h: 0x1f\n  k: 1.10'],
      ['an entry moved one level up', "  q: 'yes'\n", "q: 'yes'\n"],
      ['an entry moved into the mapping before', 'use: *b', '  use: *b'],
      ['a list item is lost', '  - p\n', ''],
      ['a list item is there twice', '  - p\n', '  - p\n  - p\n'],
      ['list items changed places', '- - q\n    - r', '- - r\n    - q'],
      ['a nested list was flattened', '- - q\n    - r', '- q\n  - r'],
      ['a list was nested', '- p\n', '- - p\n'],
      ['an item became an empty one', '- p\n', '-\n'],
      ['a mapping item fell into two items', '    u: ~', '  - u: ~'],
      ['an item became a key', '- p\n', '- p:\n'],
      ['a comma in a flow list is lost', '[1, 2]', '[1 2]'],
      ['a flow list lost an item', '[1, 2]', '[1]'],
      ['a flow list got nothing for an item', '[1, 2]', '[1, 2, null]'],
      ['a flow bracket moved', '{i: [1, 2], j: "k"}', '{i: [1, 2, j: "k"]}'],
      ['a flow value went to the wrong key', 'j: "k"', 'j: , "k":'],
      ['a quoted flow value lost its quotes', '"k"', 'k'],
      ['the space behind a flow key is lost', '{i: [1, 2], j: "k"}', '{i:x, j: "k"}'],
    ],
  },
  {
    name: 'a scalar set in one of several documents',
    before: DOCUMENTS,
    operation: set('c', '2', 1),
    after: DOCUMENTS.replace('c: 1', 'c: 2'),
    slips: [
      ['the same key of no document, and the value of another', 'd: 1', 'd: 2'],
      ['a document is lost', '---\nd: 1\n', ''],
      ['two documents became one', '---\nd: 1', 'd: 1'],
      ['an entry moved over the marker', 'c: 2\n---\n', '---\nc: 2\n'],
      ['an empty document came between', '---\nd: 1', '---\n---\nd: 1'],
      ['the document end is lost with its directive', '...\n%YAML 1.1\n', ''],
      ['the version of a document changed', '%YAML 1.1', '%YAML 1.2'],
      ['the version of a document is lost', '%YAML 1.2\n', ''],
      [
        'a directive moved to another document',
        '%YAML 1.2\n%TAG !e! tag:e,2000:\n',
        '%TAG !e! tag:e,2000:\n%YAML 1.2\n',
      ],
      ['a tag prefix changed', 'tag:e,2000:', 'tag:f,2000:'],
      ['a tag handle is lost', '%TAG !e! tag:e,2000:\n', ''],
      [
        'a second handle for the same',
        '%TAG !e! tag:e,2000:\n',
        '%TAG !e! tag:e,2000:\n%TAG !f! tag:e,2000:\n',
      ],
      ['a document end came in', 'c: 2\n---', 'c: 2\n...\n---'],
      ['a document end came last', 'd: 1\n', 'd: 1\n...\n'],
      ['a value of another document got quotes', 'b: no', 'b: "no"'],
      ['a marker became content', '---\nd: 1', '----\nd: 1'],
    ],
  },
  {
    name: 'a scalar set in a file with CRLF',
    before: 'a: |\r\n  x\r\n  y\r\nb: 1\r\n',
    operation: set('b', '2'),
    after: 'a: |\r\n  x\r\n  y\r\nb: 2\r\n',
    slips: [
      ['LF came into a block scalar', 'x\r\n', 'x\n'],
      ['LF came to the end', 'b: 2\r\n', 'b: 2\n'],
      ['only CR is left within a block scalar', 'x\r\n  y', 'x\r  y'],
      ['CR was doubled within a block scalar', 'x\r\n', 'x\r\r\n'],
      ['all breaks became LF', 'a: |\r\n  x\r\n  y\r\nb: 2\r\n', 'a: |\n  x\n  y\nb: 2\n'],
    ],
  },
  {
    name: 'a scalar set behind a byte order mark',
    before: '\ufeffa: 1\nb: 1\n',
    operation: set('b', '2'),
    after: '\ufeffa: 1\nb: 2\n',
    slips: [
      ['the mark is lost', '\ufeff', ''],
      ['the mark was doubled', '\ufeff', '\ufeff\ufeff'],
      ['a mark came before a later line', 'b: 2', '\ufeffb: 2'],
      ['the mark moved into a key', '\ufeffa: 1\nb', 'a: 1\n\ufeffb'],
      ['the mark moved into a value', '\ufeffa: 1', 'a: \ufeff1'],
    ],
  },
  {
    name: 'a scalar set beside wide characters',
    before: 'k: "e\u0301"\nn: "\ufb01 \u00e9"\ne: "😀"\ns: "a\u00a0b"\nz: 1\n',
    operation: set('z', '2'),
    after: 'k: "e\u0301"\nn: "\ufb01 \u00e9"\ne: "😀"\ns: "a\u00a0b"\nz: 2\n',
    slips: [
      ['characters were composed', 'e\u0301', '\u00e9'],
      ['a character was decomposed', '\ufb01 \u00e9', '\ufb01 e\u0301'],
      ['a ligature was taken apart', '\ufb01', 'fi'],
      ['a no-break space became a space', 'a\u00a0b', 'a b'],
      ['an emoji got a variation selector', '😀', '😀\ufe0f'],
      ['an emoji became its replacement', '😀', '\ufffd'],
    ],
  },
  {
    name: 'a deletion',
    before: SHORT,
    operation: { op: 'delete', path: 'b' },
    after: 'a: 1\nc: 3\n',
    slips: [
      ['the entry is still there', 'a: 1\n', 'a: 1\nb: 1\n'],
      ['only its value is gone', 'a: 1\n', 'a: 1\nb:\n'],
      ['the entry before is gone instead', 'a: 1\n', 'b: 1\n'],
      ['the entry after is gone as well', 'c: 3\n', ''],
      ['its line break is still there and the next line is not', 'a: 1\nc: 3\n', 'a: 1\n\n'],
      ['all entries are gone', 'a: 1\nc: 3\n', '{}\n'],
      ['its value went to the entry before', 'a: 1\n', 'a: 1\n  1\n'],
    ],
  },
  {
    name: 'an item appended',
    before: 'l:\n  - a\n  - b\nz: 1\n',
    operation: { op: 'append', path: 'l', value: 'c' },
    after: 'l:\n  - a\n  - b\n  - c\nz: 1\n',
    slips: [
      ['it stands first', '  - a\n  - b\n  - c\n', '  - c\n  - a\n  - b\n'],
      ['it stands before the last', '- b\n  - c', '- c\n  - b'],
      ['it went into the item before', '  - c', '    - c'],
      ['it stands below the item before as text', '  - c', '    c'],
      ['it is there twice', '  - c\n', '  - c\n  - c\n'],
      ['it took the place of the item before', '  - b\n', ''],
      ['it is not there', '  - c\n', ''],
      ['it went below the next key', '  - c\nz: 1\n', 'z: 1\n- c\n'],
      ['it is a list', '- c', '- [c]'],
      ['it is a mapping', '- c', '- c:'],
      ['the list became text', '  - c', '  -c'],
    ],
  },
  {
    name: 'an item inserted',
    before: '[p, q, r]\n',
    operation: { op: 'insert', path: '', value: 'x', index: 1 },
    after: '[p, x, q, r]\n',
    slips: [
      ['one too early', 'p, x', 'x, p'],
      ['one too late', 'x, q', 'q, x'],
      ['without its comma', 'x, q', 'x q'],
      ['with a comma too many', 'x, q', 'x, null, q'],
      ['in a list of its own', 'x, q', '[x], q'],
    ],
  },
  {
    name: 'a key inserted',
    before: 'm:\n  a: 1\n  b: 2\nn: 3\n',
    operation: { op: 'insert', path: 'm', key: 'x', before: 'b', value: '9' },
    after: 'm:\n  a: 1\n  x: 9\n  b: 2\nn: 3\n',
    slips: [
      ['after instead of before', 'x: 9\n  b: 2', 'b: 2\n  x: 9'],
      ['in the mapping around it', '  x: 9\n  b: 2\n', '  b: 2\nx: 9\n'],
      ['in the value before', '  a: 1\n  x: 9', '  a:\n    x: 9'],
      ['as another key', 'x: 9', 'y: 9'],
      ['with the value of another', 'x: 9', 'x: 2'],
      ['with its key in quotes', 'x: 9', '"x": 9'],
    ],
  },
  {
    name: 'a key renamed',
    before: 'a: &v 1\nb: *v\nc: 3\n',
    operation: { op: 'rename', path: 'a', new_key: 'zz' },
    after: 'zz: &v 1\nb: *v\nc: 3\n',
    slips: [
      ['its value is lost', 'zz: &v 1', 'zz:'],
      ['its anchor is lost', 'zz: &v 1', 'zz: 1'],
      ['it moved to the end', 'zz: &v 1\nb: *v\nc: 3\n', 'b: *v\nc: 3\nzz: &v 1\n'],
      ['another key was renamed', 'zz: &v 1\nb: *v', 'a: &v 1\nzz: *v'],
      ['the new name is cut', 'zz:', 'z:'],
      ['a part of the old name stayed', 'zz:', 'azz:'],
      ['both names are there', 'zz: &v 1', 'a: &v 1\nzz: &v 1'],
      ['it became another type', 'zz:', '"zz":'],
    ],
  },
  {
    name: 'a comment set',
    before: 'a: 1\ntext: |\n  x\nb: 2\n',
    operation: { op: 'comment', path: 'b', comment: 'note', place: 'before' },
    after: 'a: 1\ntext: |\n  x\n# note\nb: 2\n',
    slips: [
      ['it became text of the scalar above', '# note', '  # note'],
      ['it became a key', '# note', 'note:'],
      ['it swallowed the entry', '# note\nb', '# note b'],
      ['it stands against the value', '# note\nb: 2', 'b: 2# note'],
    ],
  },
  {
    name: 'a value set in JSON',
    language: 'json',
    before: '{"a": 1, "b": [1.0, 2], "c": "x"}\n',
    operation: set('a', '2'),
    after: '{"a": 2, "b": [1.0, 2], "c": "x"}\n',
    slips: [
      ['a number lost its fraction', '1.0', '1'],
      ['a key lost its quotes', '"c"', 'c'],
      ['single quotes came in', '"x"', "'x'"],
      ['a comma came to the end', '"x"}', '"x",}'],
      ['a comment came in', '{"a"', '{ # c\n"a"'],
      ['a key is there twice', '"a": 2', '"a": 2, "a": 2'],
    ],
  },
];

const ROWS = SUBJECTS.flatMap((subject) =>
  subject.slips.map(([why, right, wrong]) => ({ ...subject, why, slip: { why, right, wrong } })),
);

function proofFor({ before, operation, language = 'yaml' }: Subject) {
  const file = { format: FORMATS[language], stream: parse(before, language) };
  return planOperation({ base: file, current: file, earlierChanges: [] }, operation, DEFAULT_LIMITS);
}

function slipped(after: string, { why, right, wrong }: Slip): string {
  expect(after.split(right), `the right result holds it once: ${why}`).toHaveLength(2);
  return after.replace(right, () => wrong);
}

/** One edit that makes `after` of `before`, as narrow as whole characters allow. */
function editBetween(before: string, after: string): Edit {
  const [old, next] = [[...before], [...after]];
  let start = 0;
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start += 1;
  let common = 0;
  const most = Math.min(old.length, next.length) - start;
  while (common < most && old.at(-1 - common) === next.at(-1 - common)) common += 1;
  const units = (characters: readonly string[]) => characters.join('').length;
  return {
    start: units(old.slice(0, start)),
    end: units(old.slice(0, old.length - common)),
    insert: next.slice(start, next.length - common).join(''),
  };
}

describe('the right splice passes', () => {
  test.each(SUBJECTS)('$name', (subject) => {
    const { edits, check } = proofFor(subject);
    expect(splice(subject.before, edits)).toBe(subject.after);
    expect(check(subject.after).length).toBeGreaterThan(0);
  });
});

describe('a wrong splice is refused', () => {
  test('there are more than a hundred kinds [EDT-2]', () => {
    expect(ROWS.length).toBeGreaterThan(150);
    expect(new Set(ROWS.map(({ name, why }) => `${name}: ${why}`)).size).toBe(ROWS.length);
  });

  test.each(ROWS)('$name: $why', (row) => {
    const wrong = slipped(row.after, row.slip);
    const refusal = refusalOf(() => proofFor(row).check(wrong));
    expect(refusal?.code, JSON.stringify(wrong)).toMatch(/^(?:VERIFICATION_FAILED|ANCHOR_IN_USE)$/);
  });

  test('before anything is written: no wrong splice becomes a VerifiedEdit [EDT-2]', () => {
    const { open, write } = place();
    for (const row of ROWS) {
      const file = `a.${row.language ?? 'yaml'}`;
      write(`root/${file}`, row.before);
      const sandbox = open('fd-walk');
      const snapshot = sandbox.open(sandbox.parse(file)).read();
      const edit = editBetween(row.before, slipped(row.after, row.slip));
      const refusal = refusalOf(() => VerifiedEdit.prove(snapshot, [edit], proofFor(row).check));
      expect(refusal?.code, row.why).toMatch(/^(?:VERIFICATION_FAILED|ANCHOR_IN_USE)$/);
    }
  });
});

describe('anchors and aliases', () => {
  test.each([
    ['deleting what an alias means', 'a: &x 1\nb: *x\n', { op: 'delete', path: 'a' }],
    [
      'deleting the redefinition that an alias means',
      'a: &x 1\nb: &x 2\nc: *x\n',
      { op: 'delete', path: 'b' },
    ],
    ['another anchor where an alias needs the old one', 'a: &x 1\nb: *x\n', set('a', '&y 1')],
    ['deleting what holds the anchor', 'a:\n  b: &x 1\nc: *x\n', { op: 'delete', path: 'a' }],
    ['a new alias that means nothing', 'a: 1\n', set('a', '*x')],
    ['a new alias before its anchor', 'a: 1\nb: &x 2\n', set('a', '*x')],
    ['a new alias to an anchor of another document', 'a: &x 1\n---\nb: 2\n', set('b', '*x', 1)],
    ['a scalar for a mapping that is merged', 'a: &x {k: 1}\nb:\n  <<: *x\n', set('a', '5')],
    ['a scalar for a mapping that is merged in a list', 'a: &x {k: 1}\nb: {<<: [*x]}\n', set('a', '5')],
    ['a list for a mapping that is merged', 'a: &x {k: 1}\nb: {<<: *x}\n', set('a', '[{k: 1}]')],
    ['a scalar for a list that is merged', 'a: &x [{k: 1}]\nb: {<<: *x}\n', set('a', 'text')],
    ['a new anchor between an anchor and its alias', 'a: &x 1\nb: 5\nc: *x\n', set('b', '&x 2')],
    [
      'the same by insertion',
      'a: &x 1\nc: *x\n',
      { op: 'insert', path: '', key: 'b', after: 'a', value: '&x 2' },
    ],
    ['the same within the value of another key', 'a: &x 1\nb: 5\nc: *x\n', set('b', 'k: [&x 2]')],
  ] satisfies [string, string, Operation][])('ANCHOR_IN_USE: %s', (_, before, operation) => {
    const outcome = attempt(before, operation);
    expect(outcome instanceof Refusal && outcome.code).toBe('ANCHOR_IN_USE');
  });

  test.each([
    [
      'a mapping for a mapping that is merged',
      'a: &x {k: 1}\nb: {<<: *x}\n',
      'a: &x {z: 1}\nb: {<<: *x}\n',
      '{z: 1}',
    ],
    ['a scalar for a mapping that is no merge', 'a: &x {k: 1}\nb: *x\n', 'a: &x 5\nb: *x\n', '5'],
    [
      'a scalar for one below "<<" in quotes',
      'a: &x {k: 1}\nb: {"<<": *x}\n',
      'a: &x 5\nb: {"<<": *x}\n',
      '5',
    ],
  ])('are followed: %s', (_, before, after, value) => {
    const outcome = attempt(before, set('a', value));
    expect(outcome instanceof Refusal ? outcome : outcome.after).toBe(after);
  });

  test('an alias bomb is edited without being set off', () => {
    const levels = Array.from({ length: 30 }, (_, i) => {
      const inner = i === 0 ? 'lol' : `*l${i - 1}`;
      return `l${i}: &l${i} [${Array.from({ length: 10 }, () => inner).join(', ')}]\n`;
    });
    const bomb = `${levels.join('')}last: 1\n`;
    const done = attempt(bomb, set('last', '2'));
    expect(done instanceof Refusal ? done : done.after).toBe(bomb.replace('last: 1', 'last: 2'));
    const inside = attempt(bomb, set('l0[0]', 'x'));
    expect(inside instanceof Refusal ? inside : inside.changes).toHaveLength(1);
    const wrong = bomb.replace('last: 1', 'last: 2').replace('&l29 [*l28', '&l29 [*l27');
    const { check } = proofFor({ name: '', before: bomb, operation: set('last', '2'), after: '', slips: [] });
    expect(refusalOf(() => check(wrong))?.code).toBe('VERIFICATION_FAILED');
  });

  test('a node that holds itself is compared once', () => {
    const outcome = attempt('a: &x {self: *x, n: 1}\nb: *x\n', set('a.n', '2'));
    expect(outcome instanceof Refusal ? outcome : outcome.after).toBe('a: &x {self: *x, n: 2}\nb: *x\n');
  });
});

describe('a printer that writes other data than were asked for is refused:', () => {
  type Printer = (text: string) => string;
  test.each([
    ['a text comes without its quotes', { op: 'set', path: 'a', json: 'true' }, (text) => text],
    ['a text loses its end', { op: 'set', path: 'b', json: 'long enough' }, (text) => text.slice(0, -1)],
    ['a number becomes another', { op: 'set', path: 'a', json: 5 }, (text) => `${text}0`],
    ['a number becomes a text', { op: 'set', path: 'a', json: 5 }, (text) => `"${text}"`],
    ['within a new list', { op: 'set', path: 'n', json: ['no', 'null'] }, (text) => text],
    ['within a new mapping', { op: 'insert', path: '', key: 'n', json: { k: '1.0' } }, (text) => text],
    ['within an item', { op: 'append', path: 'l', json: { k: '0x1f' } }, (text) => text],
    ['below keys that are missing', { op: 'set', path: 'x.y', json: '~', create: true }, (text) => text],
  ] satisfies [string, Operation, Printer][])('%s', (_, operation, printer) => {
    const before = 'a: 1\nb: x\nl:\n  - k: 2\n';
    const writeScalar = (value: unknown) => printer(String(value));
    const current = { format: { ...FORMATS.yaml, writeScalar }, stream: parse(before) };
    const proof = planOperation({ base: current, current, earlierChanges: [] }, operation, DEFAULT_LIMITS);
    expect(refusalOf(() => proof.check(splice(before, proof.edits)))?.code).toBe('VERIFICATION_FAILED');
    expect(attempt(before, operation)).not.toBeInstanceOf(Refusal);
  });
});
