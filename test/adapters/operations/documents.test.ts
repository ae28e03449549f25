// `add_document` and `delete_document`: markers, comments and the end of the file, to the byte.
import { expect, test } from 'vitest';
import type { Operation } from '../../../src/adapters/index.ts';
import { Refusal } from '../../../src/security/index.ts';
import { attempt, attemptOn, edited, type Language, parse } from '../editing/attempt.ts';

interface Documents {
  readonly why: string;
  readonly before: string;
  readonly operation: Operation;
  readonly after: string;
}

const add = (json: Operation['json'], index?: number): Operation => ({ op: 'add_document', json, index });
const remove = (doc: number): Operation => ({ op: 'delete_document', doc });
const TWO = '# file\n\na: 1 # one\n---\n# of b\nb: 2\n';

const CASES: readonly Documents[] = [
  {
    why: 'a new document comes last',
    before: TWO,
    operation: add({ c: [3] }),
    after: `${TWO}---\nc:\n  - 3\n`,
  },
  {
    why: 'a fragment is used as it is, with its comments and without a marker of its own',
    before: TWO,
    operation: { op: 'add_document', value: '---\n# of c\nc: 0x3 # three\n' },
    after: `${TWO}---\n# of c\nc: 0x3 # three\n`,
  },
  {
    why: 'a text that the end of the file cuts off gets no line break of its own from what follows',
    before: 'a: |\n  b',
    operation: add({ c: 3 }),
    after: 'a: |-\n  b\n---\nc: 3',
  },
  {
    why: 'the file ends as it did, with its own line breaks',
    before: 'a: 1\r\nb: 2',
    operation: add({ c: 3 }),
    after: 'a: 1\r\nb: 2\r\n---\r\nc: 3',
  },
  {
    why: 'a text of lines keeps its last line break at the end of a file without one',
    before: 'a: 1',
    operation: add('b\nc\n'),
    after: 'a: 1\n---\n|\n  b\n  c\n',
  },
  { why: 'behind a document end', before: 'a: 1\n...\n', operation: add(1), after: 'a: 1\n...\n---\n1\n' },
  {
    why: 'between two',
    before: TWO,
    operation: add({ c: 3 }, 1),
    after: TWO.replace('---', '---\nc: 3\n---'),
  },
  {
    why: 'before the first, below the header of the file',
    before: TWO,
    operation: add({ c: 3 }, 0),
    after: TWO.replace('a: 1', 'c: 3\n---\na: 1'),
  },
  {
    why: 'before a first one with a marker',
    before: '# file\n---\na: 1\n',
    operation: add({ c: 3 }, 0),
    after: '# file\n---\nc: 3\n---\na: 1\n',
  },
  {
    why: 'counted from the end',
    before: TWO,
    operation: add(3, -1),
    after: TWO.replace('---', '---\n3\n---'),
  },
  { why: 'into a file that holds nothing', before: '', operation: add({ c: 3 }), after: 'c: 3\n' },
  { why: 'or only a comment', before: '# c\n', operation: add({ c: 3 }), after: '# c\nc: 3\n' },
  {
    why: 'one that holds nothing',
    before: 'a: 1\n',
    operation: { op: 'add_document', value: '' },
    after: 'a: 1\n---\n',
  },
  {
    why: 'an anchor of another document is none of its own',
    before: 'a: &x 1\n---\nb: &x 2\nc: *x\n',
    operation: { op: 'add_document', value: 'd: &x 3\ne: *x', index: 1 },
    after: 'a: &x 1\n---\nd: &x 3\ne: *x\n---\nb: &x 2\nc: *x\n',
  },
  { why: 'the last one goes', before: TWO, operation: remove(-1), after: '# file\n\na: 1 # one\n' },
  { why: 'and the file ends as it did', before: 'a: 1\r\n---\r\nb: 2', operation: remove(1), after: 'a: 1' },
  {
    why: 'the first one goes, with the only marker, and the header stays',
    before: TWO,
    operation: remove(0),
    after: '# file\n\n# of b\nb: 2\n',
  },
  {
    why: 'the first one goes, and the next has the marker that it had',
    before: '# file\n---\na: 1\n--- # second\nb: 2\n',
    operation: remove(0),
    after: '# file\n--- # second\nb: 2\n',
  },
  {
    why: 'one in the middle goes',
    before: 'a: 1\n---\nb: 2\n# end of b\n---\nc: 3\n',
    operation: remove(1),
    after: 'a: 1\n---\nc: 3\n',
  },
  {
    why: 'with its directives, and no others',
    before: 'a: 1\n...\n%TAG !e! tag:e,2000:\n---\nb: !e!x 2\n...\n%YAML 1.2\n---\nc: 3\n',
    operation: remove(1),
    after: 'a: 1\n...\n%YAML 1.2\n---\nc: 3\n',
  },
];

test.each(CASES)('$why', ({ before, operation, after }) => {
  expect(edited(before, operation)).toBe(after);
});

test.each<{ why: string; before: string; operation: Operation; code: string; language?: Language }>([
  { why: 'the only document', before: 'a: 1\n', operation: remove(0), code: 'TYPE_MISMATCH' },
  { why: 'none of several', before: TWO, operation: { op: 'delete_document' }, code: 'DOCUMENT_AMBIGUOUS' },
  { why: 'one that is not there', before: TWO, operation: remove(2), code: 'NODE_NOT_FOUND' },
  { why: 'a place beyond the end', before: TWO, operation: add(1, 3), code: 'NODE_NOT_FOUND' },
  {
    why: 'two in one value',
    before: TWO,
    operation: { op: 'add_document', value: 'a: 1\n---\nb: 2' },
    code: 'VALUE_INVALID',
  },
  {
    why: 'an alias of another document',
    before: 'a: &x 1\n',
    operation: { op: 'add_document', value: '*x' },
    code: 'ANCHOR_IN_USE',
  },
  {
    why: 'a merge of no mapping',
    before: 'a: 1\n',
    operation: { op: 'add_document', value: 'a: &x [1]\nb: {<<: *x}' },
    code: 'ANCHOR_IN_USE',
  },
  { why: 'a JSON file', before: '{}', operation: add(1), code: 'UNSUPPORTED_FORMAT', language: 'json' },
])('is refused for $why', ({ before, operation, code, language }) => {
  const outcome = attempt(before, operation, language);
  expect(outcome instanceof Refusal ? outcome.code : outcome.after).toBe(code);
});

test.each([
  {
    why: 'a document that is new, and no other',
    operation: add({ kind: 'C', metadata: { name: 'c' } }, 0),
    changes: [{ op: 'add', doc: 0, path: '' }],
  },
  { why: 'one that is gone', operation: remove(0), changes: [{ op: 'remove', doc: 0, path: '' }] },
])('what changes is $why', ({ operation, changes }) => {
  const before = 'kind: A\nmetadata: {name: a}\n---\nkind: B\nmetadata: {name: b}\n---\nplain\n';
  const outcome = attemptOn(parse(before), operation);
  if (outcome instanceof Refusal) throw outcome;
  expect(outcome.changes).toMatchObject(changes);
});
