// An audit index that has read of something goes on only behind the trail in which it read it.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { trailName, writeHead } from '../../../src/security/audit/record.ts';
import { chained, NOT_WHOLE, toldBy, trailGround } from './ground.ts';

const SHA256 = 'a'.repeat(64);
const reject = (preview: string) => ({ action: 'reject', reviewer: 'ann', preview });
type Ground = ReturnType<typeof trailGround>;

describe('the audit index', () => {
  it.each<{ why: string; damage: (ground: Ground) => void }>([
    { why: 'is gone', damage: ({ file }) => rmSync(file()) },
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
      damage: ({ folder, file }) => {
        const size = readFileSync(file()).length;
        writeHead(folder, { seq: 3, sha256: SHA256, file: 1, size });
      },
    },
    {
      why: 'goes on by its head',
      damage: ({ folder, headNow }) => {
        writeHead(folder, { seq: 4, sha256: String(headNow()?.['sha256']), file: 1, size: 1_000 });
      },
    },
  ])('does not go on where the trail $why, and says so', ({ damage }) => {
    const ground = trailGround(3);
    const read = ground.auditIndex();
    read.readOn();
    damage(ground);
    expect(toldBy(() => read.statusOf('p'))).toEqual(NOT_WHOLE);
    expect(toldBy(() => ground.auditIndex().statusOf('p'))).toEqual(NOT_WHOLE);
  });

  it.each<{ why: string; second: string }>([
    { why: 'has a number too many', second: chained([{}, { seq: 3 }]).lines[1] ?? '' },
    { why: 'has no number', second: chained([{}, { seq: undefined }]).lines[1] ?? '' },
    { why: 'stands behind another', second: chained([{}, { prev: SHA256 }]).lines[1] ?? '' },
    { why: 'is no JSON', second: '{"seq":2' },
    { why: 'is nothing', second: 'null' },
    { why: 'is a number', second: '2' },
    { why: 'is a text', second: '"2"' },
  ])('takes no line that $why', ({ second }) => {
    const { forge, auditIndex, file } = trailGround();
    forge({});
    // The head is behind, as after a kill, and says nothing for it or against it.
    appendFileSync(file(), `${second}\n`);
    expect(toldBy(() => auditIndex().readOn())).toEqual(NOT_WHOLE);
  });

  it('takes nothing from a trail whose head cannot be read', () => {
    const { trail, auditIndex, head } = trailGround();
    trail.append(reject('p'));
    writeFileSync(head, '{}');
    const read = auditIndex();
    expect(toldBy(() => read.statusOf('p'))).toEqual(NOT_WHOLE);
    expect(read.statusSoFar('p').rejectedBy).toBe(undefined);
  });

  it('has nothing to say of a trail that has not begun, and nothing against it', () => {
    const { auditIndex, folder } = trailGround();
    expect(auditIndex().statusOf('p').changeId).toBe(undefined);
    expect(folder.names()).toEqual([]);
  });

  it('goes on behind a head that a killed process left behind, as often as it is asked', () => {
    const { trail, auditIndex, head } = trailGround(2);
    const before = readFileSync(head);
    trail.append(reject('p'), reject('q'));
    writeFileSync(head, before);
    const read = auditIndex();
    for (const preview of ['p', 'q', 'p']) expect(read.statusOf(preview).rejectedBy).toBe('ann');
  });

  it('reads on from file to file, and misses one that is gone', () => {
    const { again, auditIndex, file, lines } = trailGround();
    const trail = again(1);
    trail.append(reject('a'));
    const early = auditIndex();
    early.readOn();
    for (const preview of ['b', 'c', 'd']) trail.append(reject(preview));
    expect([lines(1), lines(2), lines(3), lines(4), lines(5)].map(({ length }) => length)).toEqual([
      1, 1, 1, 1, 0,
    ]);
    for (const read of [early, auditIndex()])
      for (const preview of ['a', 'b', 'c', 'd']) expect(read.statusOf(preview).rejectedBy).toBe('ann');
    rmSync(file(2));
    expect(toldBy(() => auditIndex().readOn())).toEqual(NOT_WHOLE);
    // What was read, and is not the end, is not looked at again: that is what verifying is for.
    expect(early.statusOf('b').rejectedBy).toBe('ann');
  });

  it('misses a first file that is gone, though the next one is empty', () => {
    const { folder, file, auditIndex } = trailGround();
    writeHead(folder, { seq: 0, sha256: '0'.repeat(64), file: 1, size: 0 });
    auditIndex().readOn();
    writeFileSync(file(2), '', { mode: 0o600 });
    expect(toldBy(() => auditIndex().readOn())).toEqual(NOT_WHOLE);
  });

  it('is not misled by a first record that comes while it looks', () => {
    const { trail, folder, auditIndex } = trailGround();
    const { facts } = folder;
    const looked: string[] = [];
    vi.spyOn(folder, 'facts').mockImplementation((name) => {
      // The head was looked for by then, and was not there.
      if (name === trailName(2) && looked.push(name) === 1) trail.append(reject('p'));
      return facts.call(folder, name);
    });
    expect(auditIndex().statusOf('p').rejectedBy).toBe('ann');
  });
});
