// A trail goes on only behind what was read of it, and from file to file; whatever is damaged says so, and takes no record.
import { appendFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { trailName, writeHead } from '../../../src/security/audit/record.ts';
import { chained, EACH, NOT_WHOLE, toldBy, trailGround } from './ground.ts';

const SHA256 = 'a'.repeat(64);
const reject = (preview: string) => ({ action: 'reject', reviewer: 'ann', preview });
type Ground = ReturnType<typeof trailGround>;

const THREE = [{}, {}, { file: 'f3' }];
/** Behind the three: the head is behind then, as after a kill, and says nothing for it or against it. */
const next =
  (more: object, change = (line: string) => line) =>
  ({ file }: Ground) =>
    appendFileSync(file(), `${change(chained([...THREE, { ...more }]).lines[3] ?? '')}\n`);

describe('a trail', () => {
  it.each<{ why: string; damage: (ground: Ground) => void }>([
    { why: 'has lost its file', damage: ({ file }) => rmSync(file()) },
    { why: 'has no head any more', damage: ({ head }) => rmSync(head) },
    { why: 'has a head that is none', damage: ({ head }) => writeFileSync(head, '{}') },
    { why: 'was emptied', damage: ({ file }) => writeFileSync(file(), '') },
    { why: 'was cut', damage: ({ rewrite }) => rewrite((lines) => lines.slice(0, 2)) },
    {
      why: 'was cut within its last line',
      damage: ({ file }) => writeFileSync(file(), readFileSync(file(), 'utf8').slice(0, -1)),
    },
    {
      why: 'has another last line',
      damage: ({ rewrite }) => rewrite((lines) => lines.map((line) => line.replace('f3', 'f9'))),
    },
    {
      why: 'ends with another line by its head',
      damage: ({ folder }) => writeHead(folder, { seq: 3, sha256: SHA256, file: 1, size: 1 }),
    },
    {
      why: 'goes on by its head',
      damage: ({ folder, headNow }) => {
        writeHead(folder, { seq: 4, sha256: String(headNow()?.['sha256']), file: 1, size: 1_000 });
      },
    },
    {
      why: 'has no file that its head names, which says that it is empty',
      damage: ({ folder }) => writeHead(folder, { seq: 5, sha256: SHA256, file: 3, size: 0 }),
    },
    {
      why: 'has a link for its next file',
      damage: ({ file, here }) => symlinkSync(join(here.outside, 's.yaml'), file(2)),
    },
    { why: 'goes on with a number too many', damage: next({ seq: 5 }) },
    { why: 'goes on without a number', damage: next({ seq: undefined }) },
    { why: 'goes on behind another line', damage: next({ prev: SHA256 }) },
    { why: 'goes on with what is no JSON', damage: next({}, (line) => line.slice(0, -1)) },
    { why: 'goes on with nothing', damage: next({}, () => 'null') },
    { why: 'goes on with a number', damage: next({}, () => '4') },
    { why: 'goes on with a text', damage: next({}, () => '"4"') },
  ])('that $why answers nothing and takes no record, and says so', ({ damage }) => {
    const ground = trailGround();
    ground.forge(...THREE);
    ground.trail.readOn();
    damage(ground);
    const before = ground.lines();
    for (const trail of [ground.trail, ground.again()]) {
      expect(toldBy(() => trail.statusOf('p'))).toEqual(NOT_WHOLE);
      expect(toldBy(() => trail.append(() => [{ action: 'apply' }]))).toEqual(NOT_WHOLE);
    }
    expect(ground.lines()).toEqual(before);
    expect(ground.events.at(-1)).toBe('release');
  });

  it('that has not begun has nothing to say, and nothing is said against it', () => {
    const { trail, folder } = trailGround();
    expect(trail.statusOf('p').changeId).toBe(undefined);
    expect(folder.names()).toEqual([]);
  });

  it('goes on behind a head that a killed process left behind, as often as it is asked', () => {
    const { append, again, head } = trailGround(2);
    const before = readFileSync(head);
    append(reject('p'), reject('q'));
    writeFileSync(head, before);
    const trail = again();
    for (const preview of ['p', 'q', 'p']) expect(trail.statusOf(preview).rejectedBy).toBe('ann');
  });

  it('is read on from file to file, and one that is gone is missed', () => {
    const { append, again, file, lines } = trailGround(0, EACH);
    append(reject('a'));
    const [early, late] = [again(), again()];
    early.readOn();
    for (const preview of ['b', 'c', 'd']) append(reject(preview));
    expect([1, 2, 3, 4, 5].map((number) => lines(number).length)).toEqual([1, 2, 2, 2, 0]);
    for (const trail of [early, again()])
      for (const preview of ['a', 'b', 'c', 'd']) expect(trail.statusOf(preview).rejectedBy).toBe('ann');
    // What was read, and is not the end, is not looked at again: that is what verifying is for.
    rmSync(file(2));
    expect(early.statusOf('b').rejectedBy).toBe('ann');
    rmSync(file(4));
    for (const trail of [early, late]) expect(toldBy(() => trail.readOn())).toEqual(NOT_WHOLE);
  });

  it('misses a first file that is gone, though the next one is empty', () => {
    const { folder, file, again } = trailGround();
    writeHead(folder, { seq: 0, sha256: '0'.repeat(64), file: 1, size: 0 });
    again().readOn();
    writeFileSync(file(2), '', { mode: 0o600 });
    expect(toldBy(() => again().readOn())).toEqual(NOT_WHOLE);
  });

  it('is not misled by a first record that comes while it looks', () => {
    const { append, folder, again } = trailGround();
    const { facts } = folder;
    const looked: string[] = [];
    vi.spyOn(folder, 'facts').mockImplementation((name) => {
      // The head was looked for by then, and was not there.
      if (name === trailName(2) && looked.push(name) === 1) append(reject('p'));
      return facts.call(folder, name);
    });
    expect(again().statusOf('p').rejectedBy).toBe('ann');
  });
});

it.each([
  { why: 'cut', older: 2, isFound: true },
  { why: 'another one', older: 0, isFound: true },
  { why: 'as it was', older: 3, isFound: false },
])(
  'a thread finds that the trail is $why which a thread before it has read [APR-5]',
  ({ older, isFound }) => {
    const { trail, again, folder, file, head } = trailGround();
    const states = [1, 2, 3].map(() => {
      trail.append(() => [reject('p')]);
      return [readFileSync(file()), readFileSync(head)] as const;
    });
    const mustMeet = trail.end;
    const [lines, end] = states[older - 1] ?? [];
    if (lines !== undefined) writeFileSync(file(), lines);
    if (end !== undefined) writeFileSync(head, end);
    if (older === 0) {
      for (const name of folder.names()) folder.remove(name);
      const other = again();
      for (let n = 0; n < 4; n += 1) other.append(() => [reject('q')]);
    }
    expect(toldBy(() => again({ mustMeet }).readOn())).toEqual(isFound ? NOT_WHOLE : undefined);
  },
);
