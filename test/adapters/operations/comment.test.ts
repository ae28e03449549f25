// `comment` on the file itself, and beside a comment that is there.
import { expect, test } from 'vitest';
import type { Operation } from '../../../src/adapters/index.ts';
import { Refusal } from '../../../src/security/index.ts';
import { attempt, edited } from '../editing/attempt.ts';

interface Commenting {
  readonly why: string;
  readonly before: string;
  readonly comment: Partial<Operation>;
  readonly after: string;
}

const COMMENTING: readonly Commenting[] = [
  {
    why: 'a header is kept apart from the comment of the first key',
    before: '# of a\na: 1\n',
    comment: { comment: 'DO NOT EDIT\nby hand' },
    after: '# DO NOT EDIT\n# by hand\n\n# of a\na: 1\n',
  },
  { why: 'and from the first key', before: 'a: 1', comment: { comment: 'h' }, after: '# h\n\na: 1' },
  {
    why: 'another header takes the place of the old one, and of no other comment',
    before: '# old\n# header\n\n# section\n\n# of a\na: 1\n',
    comment: { comment: '# new' },
    after: '# new\n\n# section\n\n# of a\na: 1\n',
  },
  {
    why: 'no text takes it away',
    before: '# old\r\n\r\n# of a\r\na: 1\r\n',
    comment: { comment: '' },
    after: '# of a\r\na: 1\r\n',
  },
  {
    why: 'what is kept gets the new lines below, once',
    before: '# old\r\n\r\na: 1\r\n',
    comment: { comment: 'old\nnew', keep: true },
    after: '# old\r\n# new\r\n\r\na: 1\r\n',
  },
  {
    why: 'above directives and markers, in every file of several documents',
    before: '\uFEFF%YAML 1.2\n---\na: 1\n---\nb: 1\n',
    comment: { comment: 'h' },
    after: '\uFEFF# h\n%YAML 1.2\n---\na: 1\n---\nb: 1\n',
  },
  {
    why: 'where it stands already: below the marker',
    before: '---\n# old\n\na: 1\n',
    comment: { comment: 'new' },
    after: '---\n# new\n\na: 1\n',
  },
  {
    why: 'the header of a later document',
    before: 'a: 1\n---\nb: 1\n',
    comment: { comment: 'h', doc: 1 },
    after: 'a: 1\n---\n# h\n\nb: 1\n',
  },
  { why: 'a file that holds nothing', before: '', comment: { comment: 'h' }, after: '# h\n' },
  {
    why: 'a file of nothing but a comment',
    before: '# old',
    comment: { comment: 'h', keep: true },
    after: '# old\n# h',
  },
  {
    why: 'a comment above a key keeps what is there, to the byte',
    before: 'a: 1\n#  old  \nb: 1\n',
    comment: { path: 'b', comment: 'new', keep: true },
    after: 'a: 1\n#  old  \n# new\nb: 1\n',
  },
  {
    why: 'a comment at the end of a line as well',
    before: 'a: 1   # old\n',
    comment: { path: 'a', comment: '# new', place: 'line_end', keep: true },
    after: 'a: 1   # old; new\n',
  },
  {
    why: 'what is kept and there already changes nothing',
    before: '# old\n\na: 1 # x\n',
    comment: { comment: '# old', keep: true },
    after: '# old\n\na: 1 # x\n',
  },
];

test.each(COMMENTING)('$why', ({ before, comment, after }) => {
  expect(edited(before, { op: 'comment', path: '', ...comment })).toBe(after);
});

test.each([
  { why: 'the end of no line', before: 'a: 1\n', comment: { place: 'line_end' as const } },
  { why: 'above content on the line of its marker', before: 'a: 1\n--- b\n', comment: { doc: 1 } },
])('there is no place for a header at $why', ({ before, comment }) => {
  const outcome = attempt(before, { op: 'comment', path: '', comment: 'h', ...comment });
  expect(outcome instanceof Refusal && outcome.code).toBe('TYPE_MISMATCH');
});
