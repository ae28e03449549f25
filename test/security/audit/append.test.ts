// In which order a record, its file and the head reach the disk, and behind what nothing is recorded.
import { appendFileSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeHead } from '../../../src/security/audit/record.ts';
import { Refusal } from '../../../src/security/index.ts';
import { chained, NO_END, toldBy, trailGround } from './ground.ts';

const SHA256 = 'a'.repeat(64);
const GENESIS = { seq: 0, sha256: '0'.repeat(64), file: 1, size: 0 };
const RECORD = { action: 'apply' };

/** Notes what reaches the disk. */
function watched(ground: ReturnType<typeof trailGround>) {
  const { folder, events } = ground;
  const { append, sync, overwrite, cutTo } = folder;
  vi.spyOn(folder, 'append').mockImplementation((name, text, isDurable) => {
    events.push(`${isDurable ? 'append' : 'note'} ${name}`);
    append.call(folder, name, text, isDurable);
  });
  vi.spyOn(folder, 'sync').mockImplementation((name) => {
    events.push(`sync ${name}`);
    sync.call(folder, name);
  });
  vi.spyOn(folder, 'overwrite').mockImplementation((name, text) => {
    events.push(name);
    overwrite.call(folder, name, text);
  });
  vi.spyOn(folder, 'cutTo').mockImplementation((name, size) => {
    events.push(`cut ${name} ${size}`);
    cutTo.call(folder, name, size);
  });
  return ground;
}

const [FIRST, SECOND] = ['audit-000001.jsonl', 'audit-000002.jsonl'];

describe('a record', () => {
  it('is durable before the head tells of it, and the lock is held meanwhile', () => {
    const { trail, events } = watched(trailGround());
    trail.append(RECORD);
    trail.append(RECORD);
    const once = ['lock', `append ${FIRST}`, 'head.json', 'release'];
    expect(events).toEqual([...once.toSpliced(1, 0, 'head.json'), ...once]);
  });

  it('that is noted is on the disk at some time, and the head does not tell of it, but for the very first', () => {
    const { trail, events, headNow } = watched(trailGround());
    const heads = [trail.note(RECORD), trail.note(RECORD)].flat();
    const first = ['lock', 'head.json', `append ${FIRST}`, 'head.json', 'release'];
    expect(events).toEqual([...first, 'lock', `note ${FIRST}`, 'release']);
    expect(heads.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(headNow()).toEqual({ v: 1, ...heads[0] });
  });

  it('is asked for with the lock held, and is none where the answer is no', () => {
    const { trail, events, lines, headNow } = watched(trailGround(1));
    events.length = 0;
    const [head] = trail.appendIf(() => events.push('ask'), RECORD);
    expect(events).toEqual(['lock', 'ask', `append ${FIRST}`, 'head.json', 'release']);
    expect(headNow()).toEqual({ v: 1, ...head });
    const no = new Refusal('FILE_CHANGED', 'no');
    const refuse = () => {
      throw no;
    };
    events.length = 0;
    expect(() => trail.appendIf(refuse, RECORD)).toThrow(no);
    expect(events).toEqual(['lock', 'release']);
    expect(lines()).toHaveLength(2);
  });

  it('is answered with the place where it ends', () => {
    const { trail, file, headNow } = trailGround(1);
    const ends = trail.append({ action: 'ä' }, RECORD);
    const [first = '', second = '', third = ''] = readFileSync(file(), 'utf8').split(/(?<=\n)/u);
    const sizes = [first + second, first + second + third].map((text) => Buffer.byteLength(text));
    expect(ends.map(({ size }) => size)).toEqual(sizes);
    expect(statSync(file()).size).toBe(sizes[1]);
    expect(headNow()).toEqual({ v: 1, ...ends[1] });
  });
});

describe('a file of the trail', () => {
  it('is left for the next one where the record would make it too long, and durable before that', () => {
    const ground = trailGround(1);
    const size = statSync(ground.file()).size;
    const { again, events, lines, headNow } = watched(ground);
    const trail = again(2 * size);
    events.length = 0;
    trail.append({ action: 'apply', file: 'f2.yaml' });
    expect([lines(1).length, lines(2).length]).toEqual([2, 0]);
    trail.note({ action: 'apply' });
    expect([lines(1).length, lines(2).length]).toEqual([2, 1]);
    expect(events.slice(-5)).toEqual(['lock', `sync ${FIRST}`, `append ${SECOND}`, 'head.json', 'release']);
    expect(headNow()).toMatchObject({ seq: 3, file: 2, size: statSync(ground.file(2)).size });
  });

  it('has one record at least, however long', () => {
    const { again, lines, verify } = trailGround();
    again(1).append({ action: 'a'.repeat(100) });
    again(1).append({ action: 'b'.repeat(100) });
    expect([lines(1).length, lines(2).length]).toEqual([1, 1]);
    expect(verify()).toMatchObject({ isWhole: true, records: 2 });
  });

  it('is found by a process that saw only those before it', () => {
    const { again, verify } = trailGround();
    const [slow, fast] = [again(1), again(1)];
    slow.append(RECORD);
    for (let n = 0; n < 4; n += 1) fast.append(RECORD);
    slow.append(RECORD);
    expect(verify()).toMatchObject({ isWhole: true, records: 6, notes: [] });
  });

  it('is found where a process was killed before the head told of it', () => {
    const { again, verify, head } = trailGround();
    again(1).append(RECORD);
    const before = readFileSync(head);
    again(1).append(RECORD);
    writeFileSync(head, before);
    again(1).append(RECORD);
    expect(verify()).toMatchObject({ isWhole: true, records: 3, notes: [] });
  });

  it('need not be there behind the first head of all', () => {
    const { trail, folder, verify } = trailGround();
    writeHead(folder, GENESIS);
    trail.append(RECORD);
    expect(verify()).toMatchObject({ isWhole: true, records: 1 });
  });
});

describe('a trail does not go on', () => {
  type Ground = ReturnType<typeof trailGround>;
  const [, skipped = '', strange = ''] = chained([{}, { seq: 3 }, {}]).lines;

  it.each<{ why: string; damage: (ground: Ground) => void }>([
    { why: 'whose head is none', damage: ({ head }) => writeFileSync(head, '{}') },
    { why: 'whose head is gone', damage: ({ head }) => rmSync(head) },
    { why: 'whose file is gone', damage: ({ file }) => rmSync(file()) },
    {
      why: 'whose file is gone, of which the head says that it is empty',
      damage: ({ folder }) => writeHead(folder, { seq: 5, sha256: SHA256, file: 3, size: 0 }),
    },
    { why: 'that was cut', damage: ({ file }) => writeFileSync(file(), '') },
    {
      why: 'whose next file is a link',
      damage: ({ file, here }) => symlinkSync(join(here.outside, 's.yaml'), file(2)),
    },
    {
      why: 'whose next line has a number too many',
      damage: ({ file }) => appendFileSync(file(), `${skipped}\n`),
    },
    {
      why: 'whose next line stands behind another',
      damage: ({ file }) => appendFileSync(file(), `${strange}\n`),
    },
    {
      why: 'whose next line has the right number and stands behind another',
      damage: ({ file }) => appendFileSync(file(), `${chained([{}, { prev: SHA256 }]).lines[1]}\n`),
    },
    {
      why: 'whose next line has the wrong number behind the right one',
      damage: ({ file, headNow }) => {
        const { sha256: prev } = headNow() ?? {};
        appendFileSync(file(), `${chained([{ seq: 3, prev }]).lines[0]}\n`);
      },
    },
    { why: 'whose next line is none', damage: ({ file }) => appendFileSync(file(), 'null\n') },
  ])('$why, and says so', ({ damage }) => {
    const ground = trailGround(1);
    damage(ground);
    const before = ground.lines();
    for (const trail of [ground.again(), ground.trail])
      expect(toldBy(() => trail.append(RECORD))).toEqual(NO_END);
    expect(ground.lines()).toEqual(before);
    expect(ground.events.at(-1)).toBe('release');
  });

  it('with a line that a killed process left unfinished: that is cut off, and nothing else ever is', () => {
    const ground = watched(trailGround(1));
    const { trail, again, file, head, events } = ground;
    const before = readFileSync(head);
    trail.append(RECORD);
    writeFileSync(head, before);
    again().append(RECORD);
    const { size } = statSync(file());
    expect(events.filter((event) => event.startsWith('cut'))).toEqual([]);
    appendFileSync(file(), '{"action":"ä');
    again().append(RECORD);
    expect(events.filter((event) => event.startsWith('cut'))).toEqual([`cut ${FIRST} ${size}`]);
    expect(ground.verify()).toMatchObject({ isWhole: true, records: 4, notes: [] });
  });
});

describe('what was noted', () => {
  it('is made durable half a second after the first of it, and the head told; and so again after the next', () => {
    const ground = watched(trailGround(1));
    const { trail, events, headNow } = ground;
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    for (const seq of [3, 5]) {
      timers.mockClear();
      trail.note(RECORD);
      const [last] = trail.note(RECORD);
      expect(timers.mock.calls.map(([, delay]) => delay)).toEqual([500]);
      expect(headNow()?.['seq']).toBe(seq - 2);
      events.length = 0;
      timers.mock.calls[0]?.[0]();
      expect(events).toEqual(['lock', `sync ${FIRST}`, 'head.json', 'release']);
      expect(headNow()).toEqual({ v: 1, ...last });
    }
    // Nothing waits for it at the end of the process.
    expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
  });

  it('is flushed once, and nothing is touched where nothing was noted', () => {
    const { trail, events, folder, headNow } = watched(trailGround());
    trail.flush();
    expect([events.splice(0), folder.names()]).toEqual([['lock', 'release'], []]);
    trail.append(RECORD);
    trail.note(RECORD);
    events.length = 0;
    trail.flush();
    trail.flush();
    expect(events).toEqual(['lock', `sync ${FIRST}`, 'head.json', 'release', 'lock', 'release']);
    expect(headNow()?.['seq']).toBe(2);
  });

  it('stays noted where it cannot be flushed: nobody is told before the next record', () => {
    const { trail, again, head, events } = trailGround(1);
    trail.note(RECORD);
    writeFileSync(head, '{}');
    for (const each of [trail, again()]) each.flush();
    expect(events.at(-1)).toBe('release');
    expect(readFileSync(head, 'utf8')).toBe('{}');
    expect(toldBy(() => trail.append(RECORD))).toEqual(NO_END);
  });
});
