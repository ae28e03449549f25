// A commit in which something goes wrong at one certain moment: what the agent is told, what the files are then, and what is left
// for the next start.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { trailOf } from '../../harness/state.ts';
import { refusalOfLater } from '../fixture.ts';
import { changesIn, committing, type Ground, ground, own, ownNamed, plain } from './mortal.ts';

type Accident = (here: Ground) => void;

const failing =
  (code: string): Accident =>
  () => {
    throw Object.assign(new Error(code), { errno: -1, code });
  };
const editing =
  (file: string): Accident =>
  ({ root }) =>
    writeFileSync(join(root, file), 'mine\n');

interface Row {
  readonly why: string;
  readonly files?: readonly string[];
  /** What happens just before the call of that name, the `nth` time that it is made. */
  readonly at: { readonly call: string; readonly nth?: number; readonly act: Accident };
  /** What the disk refuses from then on as well. */
  readonly after?: string;
  readonly code: string;
  readonly texts: readonly string[];
  /** The files that could not be put back. */
  readonly left?: readonly string[];
  /** What is recorded of the end, if that is not that all was put back. `open` is for the next start. */
  readonly end?: 'open' | 'unknown';
}

const ONE = ['d/a.yaml'];
const TWO = ['d/a.yaml', 'd/b.yaml'];
const OLD = ['old', 'old'];
const ROWS: readonly Row[] = [
  {
    why: 'whose only rename fails',
    ...{ files: ONE, at: { call: 'rename .new a.yaml', act: failing('EIO') }, code: 'IO_ERROR' },
    texts: ['old'],
  },
  {
    why: 'whose new contents somebody replaced',
    files: ONE,
    at: { call: 'factsOf .new', act: (here) => replace(here, ownNamed(here, '.new')) },
    ...{ code: 'IO_ERROR', texts: ['old'] },
  },
  {
    why: 'whose only rename cannot be made durable',
    ...{ files: ONE, at: { call: 'sync', act: failing('EIO') }, after: 'sync', code: 'IO_ERROR' },
    ...{ texts: ['new: d/a.yaml'], left: ['d/a.yaml'], end: 'open' },
  },
  {
    why: 'whose only rename cannot be made durable, and was replaced since',
    files: ONE,
    at: {
      call: 'sync',
      act: (here) => {
        replace(here, join(here.root, 'd/a.yaml'));
        failing('EIO')(here);
      },
    },
    ...{ code: 'IO_ERROR', texts: ['mine'], left: ['d/a.yaml'], end: 'unknown' },
  },
  {
    why: 'whose second rename fails',
    ...{ at: { call: 'rename .new b.yaml', act: failing('EIO') }, code: 'IO_ERROR', texts: OLD },
  },
  {
    why: 'whose second file was edited before its turn',
    at: { call: 'factsOf b.yaml', nth: 2, act: editing('d/b.yaml') },
    ...{ code: 'FILE_CHANGED', texts: ['old', 'mine'] },
  },
  {
    why: 'whose second file was edited before the first changed',
    at: { call: 'factsOf b.yaml', act: editing('d/b.yaml') },
    ...{ code: 'FILE_CHANGED', texts: ['old', 'mine'] },
  },
  {
    why: 'whose first file was edited after it was decided',
    at: { call: 'factsOf a.yaml', nth: 2, act: editing('d/a.yaml') },
    ...{ code: 'FILE_CHANGED', texts: ['mine', 'old'] },
  },
  {
    why: 'whose file vanished',
    at: { call: 'factsOf b.yaml', act: ({ root }) => rmSync(join(root, 'd/b.yaml')) },
    ...{ code: 'FILE_CHANGED', texts: ['old', 'gone'] },
  },
  {
    why: 'whose folder leaves the root in the moment in which it is looked for there',
    at: { call: 'isStillBelow', act: ({ root, base }) => renameSync(join(root, 'd'), join(base, 'away')) },
    ...{ code: 'FILE_CHANGED', texts: ['gone', 'gone'] },
  },
  {
    why: 'whose way back fails for two',
    files: [...TWO, 'd/c.yaml'],
    at: { call: 'rename .new c.yaml', act: failing('EIO') },
    after: 'createExclusive .old',
    ...{ code: 'IO_ERROR', texts: ['new: d/a.yaml', 'new: d/b.yaml', 'old'] },
    ...{ left: ['d/a.yaml', 'd/b.yaml'], end: 'open' },
  },
  {
    why: 'whose new contents cannot be made',
    at: { call: 'createExclusive .new', nth: 2, act: failing('EACCES') },
    ...{ code: 'PERMISSION_DENIED', texts: OLD },
  },
  {
    why: 'whose lock was taken away',
    at: { call: 'factsOf b.yaml', act: (here) => rmSync(ownNamed(here, '.lock')) },
    ...{ code: 'BUSY', texts: OLD },
  },
];

it.each(ROWS)('a commit $why says so, and leaves nothing behind but a batch in halves', async (row) => {
  const { files = TWO, at, after, code, texts, left = [], end } = row;
  const here = await ground(files);
  let seen = 0;
  const heed = (call: string, name: string): void => {
    const it = `${call} ${plain(name)}`.trim();
    if (seen > 0 && it === after) failing('EIO')(here);
    if (it !== at.call) return;
    seen += 1;
    if (seen === (at.nth ?? 1)) at.act(here);
  };
  const refusal = await refusalOfLater(() => committing(here, heed));
  expect(refusal?.code).toBe(code);
  if (left.length > 0) expect(refusal?.message).toContain(`could NOT be put back in: ${left.join(', ')}.`);
  else expect(refusal?.message).not.toContain('NOT');
  expect(files.map((file) => textOf(join(here.root, file)))).toEqual(texts);
  expect(own(here)).toEqual([]);
  const events = trailOf(join(here.base, 'state')).map((event) => [event.type, event.code].join(' ').trim());
  const ends = end === 'open' ? [] : [`${end ?? 'rolled_back'} ${code}`];
  expect(events).toEqual(['begun', ...ends]);
  expect(await changesIn(here)).toEqual(end === undefined ? [] : [end]);
});

it.each([
  { why: 'goes back', refused: undefined, texts: OLD, changes: [] },
  {
    why: 'stays open where it cannot, until the next start',
    ...{ refused: 'createExclusive .old', texts: ['new: d/a.yaml', 'old'], changes: ['open'] },
  },
])('a commit that meets a fault of ours $why', async ({ refused, texts, changes }) => {
  const here = await ground(TWO);
  let isMet = false;
  const heed = (call: string, name: string) => {
    const it = `${call} ${plain(name)}`;
    if (isMet && it === refused) failing('EIO')(here);
    if (it !== 'rename .new b.yaml') return;
    isMet = true;
    throw new TypeError('a fault');
  };
  const now = () => TWO.map((file) => textOf(join(here.root, file)));
  await expect(committing(here, heed)).rejects.toThrow('a fault');
  expect([now(), await changesIn(here)]).toEqual([texts, changes]);
  await here.start();
  expect(now()).toEqual(OLD);
});

function replace(here: Ground, path: string): void {
  renameSync(here.write('outside/x', 'mine\n'), path);
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : 'gone';
}
