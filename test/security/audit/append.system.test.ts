// In which order a record, its file, its checkpoint and the head reach the disk, and whether there is room for it.
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeHead } from '../../../src/security/audit/record.ts';
import { Refusal, sha256Hex } from '../../../src/security/index.ts';
import { refusalOf } from '../fixture.ts';
import { EACH, NOT_WHOLE, toldBy, trailGround } from './ground.ts';

const GENESIS = { seq: 0, sha256: '0'.repeat(64), file: 1, size: 0 };
const ONE = () => [{ action: 'apply' }];

const SAID = {
  append: (name: unknown, _: unknown, isDurable: unknown) =>
    `${isDurable === true ? 'append' : 'note'} ${name}`,
  sync: (name: unknown) => `sync ${name}`,
  overwrite: (name: unknown) => `${name}`,
  cutTo: (name: unknown, size: unknown) => `cut ${name} ${size}`,
  put: (name: unknown) => `put ${name}`,
};

/** Notes what reaches the disk. */
function watched(ground: ReturnType<typeof trailGround>) {
  const { folder, events } = ground;
  for (const call of ['append', 'sync', 'overwrite', 'cutTo', 'put'] as const) {
    const real = folder[call];
    vi.spyOn(folder, call).mockImplementation((...args: unknown[]) => {
      events.push(SAID[call](args[0], args[1], args[2]));
      Reflect.apply(real, folder, args);
    });
  }
  return ground;
}

const [FIRST, SECOND] = ['audit-000001.jsonl', 'audit-000002.jsonl'];

describe('a record', () => {
  it('is durable before the head tells of it, and the lock is held meanwhile', () => {
    const { trail, events } = watched(trailGround());
    trail.append(ONE);
    trail.append(ONE);
    const once = ['lock', `append ${FIRST}`, 'head.json', 'release'];
    expect(events).toEqual([...once.toSpliced(1, 0, 'head.json'), ...once]);
  });

  it('that is noted is on the disk at some time, and the head does not tell of it, but for the very first', () => {
    const { trail, events, headNow } = watched(trailGround());
    const ends = [trail.note(ONE), trail.note(ONE)].flat();
    const first = ['lock', 'head.json', `append ${FIRST}`, 'head.json', 'release'];
    expect(events).toEqual([...first, 'lock', `note ${FIRST}`, 'release']);
    expect(ends.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(headNow()).toMatchObject({ seq: 1, sha256: ends[0]?.sha256 });
  });

  it('is asked for with the lock held, at the end of the trail, and is none where the answer is no', () => {
    const { trail, events, lines, headNow } = watched(trailGround(1));
    events.length = 0;
    const { seq, sha256 } = headNow() ?? {};
    const asked = vi.fn(() => {
      events.push('ask');
      return ONE();
    });
    const [end] = trail.append(asked);
    expect(events).toEqual(['lock', 'ask', `append ${FIRST}`, 'head.json', 'release']);
    expect(asked).toHaveBeenCalledExactlyOnceWith({ seq, sha256 });
    expect(headNow()).toMatchObject({ seq: 2, sha256: end?.sha256 });
    const no = new Refusal('FILE_CHANGED', 'no');
    const refuse = () => {
      throw no;
    };
    for (const make of [refuse, () => []]) {
      events.length = 0;
      if (make === refuse) expect(() => trail.append(make)).toThrow(no);
      else expect(trail.append(make)).toEqual([]);
      expect(events).toEqual(['lock', 'release']);
    }
    expect(lines()).toHaveLength(2);
  });

  it('is answered with where it stands, and as it stands there', () => {
    const { append, lines, file, headNow } = trailGround(1);
    const ends = append({ action: 'ä' }, { action: 'apply' });
    const stands = lines().map((line, index) => ({ seq: index + 1, sha256: sha256Hex(line), line }));
    expect(ends).toEqual(stands.slice(1));
    const [, , last] = stands;
    expect(headNow()).toEqual({ v: 1, seq: 3, sha256: last?.sha256, file: 1, size: statSync(file()).size });
  });
});

describe('a file of the trail', () => {
  it('is left for the next one once it is long enough, durable before that, and with a checkpoint', () => {
    const { trail, file, lines, events, headNow, again } = watched(trailGround(2));
    const next = again({ rotateBytes: statSync(file()).size });
    const almost = again({ rotateBytes: statSync(file()).size + 1 });
    almost.append(ONE);
    expect([lines(1).length, lines(2).length]).toEqual([3, 0]);
    events.length = 0;
    next.note(ONE);
    expect([lines(1).length, lines(2).length]).toEqual([3, 2]);
    expect(events.slice(-3)).toEqual([`append ${SECOND}`, 'head.json', 'release']);
    expect(events.slice(0, -3).sort()).toEqual(['lock', 'put checkpoint-000002.jsonl', `sync ${FIRST}`]);
    expect(headNow()).toMatchObject({ seq: 5, file: 2, size: statSync(file(2)).size });
    trail.append(ONE);
    expect(lines(2)).toHaveLength(3);
  });

  it('takes records beyond its length that are kept together', () => {
    const { append, lines, verify } = trailGround(0, EACH);
    append({ action: 'a'.repeat(100) }, { action: 'b' });
    const [end] = append({ action: 'b'.repeat(100) }, { action: 'c' });
    expect([lines(1).length, lines(2).length, end?.seq]).toEqual([2, 3, 4]);
    expect(verify()).toMatchObject({ isWhole: true, records: 5 });
  });

  it('need not be there behind the first head of all', () => {
    const { trail, folder, verify } = trailGround();
    writeHead(folder, GENESIS);
    trail.append(ONE);
    expect(verify()).toMatchObject({ isWhole: true, records: 1 });
  });
});

describe('records that are too long together', () => {
  it('are refused before any of them is written, so that every file can be read again [AUD-1]', () => {
    const { trail, append, lines, verify } = trailGround(1);
    const long = { action: 'a'.repeat(8_000_000) };
    expect(refusalOf(() => append(long, long))?.code).toBe('FILE_TOO_LARGE');
    expect(lines()).toHaveLength(1);
    trail.append(ONE);
    expect(verify()).toMatchObject({ isWhole: true, records: 2 });
  });
});

describe('a line', () => {
  it('that a killed process left unfinished is cut off, and nothing else ever is', () => {
    const ground = watched(trailGround(1));
    const { trail, again, file, head, events } = ground;
    const before = readFileSync(head);
    trail.append(ONE);
    writeFileSync(head, before);
    again().append(ONE);
    const { size } = statSync(file());
    expect(events.filter((event) => event.startsWith('cut'))).toEqual([]);
    appendFileSync(file(), '{"action":"ä');
    again().append(ONE);
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
      trail.note(ONE);
      const [last] = trail.note(ONE);
      expect(timers.mock.calls.map(([, delay]) => delay)).toEqual([500]);
      expect(headNow()?.['seq']).toBe(seq - 2);
      events.length = 0;
      timers.mock.calls[0]?.[0]();
      expect(events).toEqual(['lock', `sync ${FIRST}`, 'head.json', 'release']);
      expect(headNow()).toMatchObject({ seq, sha256: last?.sha256 });
    }
    // Nothing waits for it at the end of the process.
    expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
  });

  it('is flushed once, and nothing is touched where nothing was noted', () => {
    const { trail, events, folder, headNow } = watched(trailGround());
    trail.flush();
    expect([events.splice(0), folder.names()]).toEqual([['lock', 'release'], []]);
    trail.append(ONE);
    trail.note(ONE);
    events.length = 0;
    trail.flush();
    trail.flush();
    expect(events).toEqual(['lock', `sync ${FIRST}`, 'head.json', 'release', 'lock', 'release']);
    expect(headNow()?.['seq']).toBe(2);
  });

  it('stays noted where it cannot be flushed: nobody is told before the next record', () => {
    const { trail, again, head, events } = trailGround(1);
    trail.note(ONE);
    writeFileSync(head, '{}');
    for (const each of [trail, again()]) each.flush();
    expect(events.at(-1)).toBe('release');
    expect(readFileSync(head, 'utf8')).toBe('{}');
    expect(toldBy(() => trail.append(ONE))).toEqual(NOT_WHOLE);
  });
});

describe('room for what no person has asked for', () => {
  const message = (why: string, way: string) => ({
    code: 'NO_SPACE',
    message: `Cannot record more changes: ${why}. The operator should ${way}.`,
  });

  it('ends where the files of the trail come to its quota, and people are recorded beyond it', () => {
    const { again, verify } = trailGround(2, { ...EACH, quotaBytes: 3 });
    const full = message(
      'the audit trail is full',
      'start the server with a new --state-dir, and keep the old one',
    );
    const [trail, another] = [again(), again()];
    another.append(ONE);
    trail.readOn();
    expect(toldBy(() => trail.requireRoom())).toBe(undefined);
    another.append(ONE);
    trail.readOn();
    for (const each of [trail, another]) expect(toldBy(() => each.requireRoom())).toEqual(full);
    trail.append(ONE);
    expect(verify()).toMatchObject({ isWhole: true, records: 9 });
  });

  it('ends on a low disk, for as long as it is low', () => {
    let isDiskLow = false;
    const { trail } = trailGround(1, { isDiskLow: () => isDiskLow });
    trail.requireRoom();
    isDiskLow = true;
    const low = message('the disk of the state directory is almost full', 'free some of it');
    expect(toldBy(() => trail.requireRoom())).toEqual(low);
    trail.append(ONE);
    isDiskLow = false;
    trail.requireRoom();
  });
});
