// Where an edit goes when the text around it has changed since: moved by what came before it, nowhere if its own span has
// changed, and to either side of what came in at the very place where it inserts.
import { expect, it } from 'vitest';
import { candidates } from '../../../src/adapters/rebase/candidates.ts';

const OLD = 'a: 1\nb: 2\nc: 3\n';

interface Row {
  readonly why: string;
  readonly now: string;
  /** What is replaced; nothing where it ends in `|`, which stands behind the text there. */
  readonly at: string;
  readonly insert: string;
  readonly isOfComments?: boolean;
  readonly become: readonly string[];
}

const ROWS: readonly Row[] = [
  { why: 'nothing changed', now: OLD, at: '2', insert: '5', become: ['a: 1\nb: 5\nc: 3\n'] },
  {
    why: 'lines came and went before it',
    now: 'x: 0\ny: 0\nb: 2\nc: 3\n',
    at: '2',
    insert: '5',
    become: ['x: 0\ny: 0\nb: 5\nc: 3\n'],
  },
  {
    why: 'a line came behind it',
    now: `${OLD}d: 4\n`,
    at: '2',
    insert: '5',
    become: ['a: 1\nb: 5\nc: 3\nd: 4\n'],
  },
  { why: 'its own text changed', now: 'a: 1\nb: 4\nc: 3\n', at: '2', insert: '5', become: [] },
  {
    why: 'a line came right before the lines that it replaces',
    now: 'a: 1\nx: 0\nb: 2\nc: 3\n',
    at: 'b: 2\n',
    insert: 'b: 5\n',
    become: ['a: 1\nx: 0\nb: 5\nc: 3\n'],
  },
  {
    why: 'a line came in where it inserts',
    now: 'a: 1\nb: 2\nx: 0\nc: 3\n',
    at: 'b: 2\n|',
    insert: 'n: 9\n',
    become: ['a: 1\nb: 2\nn: 9\nx: 0\nc: 3\n', 'a: 1\nb: 2\nx: 0\nn: 9\nc: 3\n'],
  },
  {
    why: 'a line came in there, and another one before it',
    now: 'w: 00\na: 1\nb: 2\nx: 0\nc: 3\n',
    at: 'b: 2\n|',
    insert: 'n: 9\n',
    become: ['w: 00\na: 1\nb: 2\nn: 9\nx: 0\nc: 3\n', 'w: 00\na: 1\nb: 2\nx: 0\nn: 9\nc: 3\n'],
  },
  {
    why: 'a comment is only its own where its line is as it was',
    now: 'a: 1\nb: 2 # new\nc: 3\n',
    at: '2|',
    insert: ' # mine',
    isOfComments: true,
    become: [],
  },
];

it.each(ROWS)(
  'an edit becomes $become.length candidates where $why',
  ({ now, at, insert, isOfComments, become }) => {
    const text = at.replace('|', '');
    const end = OLD.indexOf(text) + text.length;
    const edit = { start: at.endsWith('|') ? end : end - text.length, end, insert };
    const found = candidates(OLD, now, [edit], () => isOfComments === true);
    const applied = found.map((edits) =>
      edits.reduceRight((sum, one) => sum.slice(0, one.start) + one.insert + sum.slice(one.end), now),
    );
    expect(applied).toEqual(become);
  },
);
