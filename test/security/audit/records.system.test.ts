// What of a record is in the log, in the audit trail and on stderr, in which order, and what is told where one of them fails.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog, Log, type LogFormat, Refusal } from '../../../src/security/index.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import { place, refusalOf } from '../fixture.ts';
import { NOT_WHOLE, toldBy, trailGround } from './ground.ts';
import { intercepted } from './log-stage.ts';

const RECORD = { action: 'commit', outcome: 'intent', file: 'a.yaml' } as const;
const NOT_KEPT = {
  code: 'IO_ERROR',
  message: 'Cannot write: the audit log does not accept records. The operator should look at it.',
};
const timeless = (text: string) => jsonLines(text).map(({ time: _, ...rest }) => rest);

function logTo(format: LogFormat = 'json', file = join(place().base, 'own.log')) {
  const log = createLog({ level: 'info', format, file });
  return { log, file, read: () => readFileSync(file, 'utf8') };
}

describe('a log', () => {
  it('is made by createLog only', () => {
    const options = { level: 'info', format: 'json' };
    expect(() => Reflect.construct(Log, [Symbol('Log'), options, {}])).toThrow(
      new TypeError('a Log is made by createLog only'),
    );
    for (const other of [undefined, null, 7, 'log', {}, Object.create(Log.prototype)])
      expect(Log.isGenuine(other)).toBe(false);
    expect(Log.isGenuine(logTo().log)).toBe(true);
  });

  it('can be opened again as it is, by its real place', () => {
    const { log, file } = logTo('text');
    expect([log.options, log.place]).toEqual([{ level: 'info', format: 'text', file }, file]);
    expect(Object.isFrozen(log.options)).toBe(true);
    const aside = createLog({ level: 'warn', format: 'json' });
    expect([aside.options, aside.place]).toEqual([
      { level: 'warn', format: 'json', file: undefined },
      undefined,
    ]);
  });

  it('says nothing at all on stderr where it is to be silent, and keeps no record from being made', () => {
    const stderr = intercepted(2);
    const log = createLog({ level: 'debug', format: 'json', isSilent: true });
    log.event('error', 'e');
    log.notice('error', 'e');
    log.audit(RECORD);
    expect([stderr.text(), log.place]).toEqual(['', undefined]);
    createLog({ level: 'debug', format: 'json', isSilent: false }).event('info', 'one');
    createLog({ level: 'debug', format: 'json' }).audit(RECORD);
    expect(timeless(stderr.text())).toEqual([
      { level: 'info', event: 'one' },
      { level: 'info', event: 'audit', ...RECORD },
    ]);
  });
});

describe('a notice', () => {
  it('is in the log file and on stderr', () => {
    const { log, read } = logTo();
    const stderr = intercepted(2);
    log.notice('warn', 'e\n', { file: 'a\n.yaml', count: 2 });
    const shown = { level: 'warn', event: 'e<U+000A>', file: 'a<U+000A>.yaml', count: 2 };
    log.notice('debug', 'too low');
    expect([timeless(read()), timeless(stderr.text())]).toEqual([[shown], [shown]]);
  });

  it('is on stderr once where that is the log', () => {
    const stderr = intercepted(2);
    createLog({ level: 'info', format: 'json' }).notice('warn', 'e', { count: 2 });
    expect(timeless(stderr.text())).toEqual([{ level: 'warn', event: 'e', count: 2 }]);
  });

  it('stops nobody where stderr is closed', () => {
    const { log, read } = logTo();
    intercepted(2, 'EPIPE', 'EPIPE');
    log.notice('warn', 'e');
    createLog({ level: 'info', format: 'json' }).notice('warn', 'e');
    expect(timeless(read())).toEqual([{ level: 'warn', event: 'e' }]);
  });
});

describe('the form for people', () => {
  it.each([
    { why: 'plain', fields: { file: 'a.yaml', count: 2 }, text: 'file=a.yaml count=2' },
    { why: 'with a space', fields: { file: 'a b' }, text: 'file="a b"' },
    { why: 'with a quote', fields: { file: 'a"b' }, text: 'file="a\\"b"' },
    { why: 'like another field', fields: { file: 'a=b' }, text: 'file="a=b"' },
    { why: 'empty', fields: { file: '' }, text: 'file=""' },
  ])('shows a text that is $why so that it is one', ({ fields, text }) => {
    const { log, read } = logTo('text');
    log.event('info', 'e', fields);
    expect(read().slice(9)).toBe(`info e ${text}\n`);
  });

  it('records fifty paths, two hundred characters of each, and how many more there are', () => {
    const { log, read } = logTo();
    log.audit({ ...RECORD, paths: Array.from({ length: 52 }, () => '\u202e'.repeat(4_000)) });
    const paths = Array.from({ length: 50 }, () => '<U+202E>'.repeat(25));
    expect(timeless(read())).toEqual([{ level: 'info', event: 'audit', ...RECORD, paths, more_paths: 2 }]);
  });

  it('shows the paths of a record', () => {
    const { log, read } = logTo('text');
    log.audit({ ...RECORD, paths: ['a.b', 'c'] });
    expect(read().slice(9)).toBe('info audit action=commit outcome=intent file=a.yaml paths=["a.b","c"]\n');
  });

  it('cuts a text that would fill the disk, and its escapes do not count', () => {
    const { log, read } = logTo('text');
    log.event('info', 'e', { file: '\n'.repeat(2_000) });
    expect(read().slice(9)).toBe(`info e file=${'<U+000A>'.repeat(1_000)}\n`);
  });
});

describe('an audit record', () => {
  it('is in the trail first, and the log says where that ended', () => {
    const { trail, parsed, headNow } = trailGround(1);
    const { log, read } = logTo();
    const both = log.withTrail(trail);
    both.auditAll(() => [RECORD, { ...RECORD, file: 'b\n.yaml', paths: ['a\n'] }]);
    const [, second, third] = parsed();
    expect([second, third]).toMatchObject([RECORD, { file: 'b<U+000A>.yaml', paths: ['a<U+000A>'] }]);
    const [one, two] = timeless(read());
    expect(one).toEqual({ level: 'info', event: 'audit', ...RECORD, seq: 2, trail_sha256: third?.['prev'] });
    expect(two).toMatchObject({ seq: 3, trail_sha256: headNow()?.['sha256'] });
    expect(headNow()?.['seq']).toBe(3);
    // Only the first log has no trail.
    log.audit(RECORD);
    expect([parsed().length, timeless(read())[2]]).toEqual([3, { level: 'info', event: 'audit', ...RECORD }]);
  });

  it('that is only noted is in both, without the head of the trail knowing', () => {
    const { trail, parsed, headNow } = trailGround(1);
    const { log, read } = logTo();
    log.withTrail(trail).noteAll(() => [RECORD]);
    expect([parsed().length, headNow()?.['seq'], timeless(read())[0]?.['seq']]).toEqual([2, 1, 2]);
  });

  const refused = new Refusal('FILE_CHANGED', 'no');
  const refuse = () => {
    throw refused;
  };

  it('is asked for once, with the lock of the trail held', () => {
    const { trail, events, parsed, headNow } = trailGround(1);
    const { log, read } = logTo();
    const both = log.withTrail(trail);
    events.length = 0;
    both.auditAll(() => {
      events.push(`asked: ${read()}`);
      return [RECORD];
    });
    expect(events).toEqual(['lock', 'asked: ', 'release']);
    expect([headNow()?.['seq'], timeless(read())[0]?.['seq']]).toEqual([2, 2]);
    expect(refusalOf(() => both.auditAll(refuse))).toBe(refused);
    expect([parsed().length, timeless(read()).length]).toEqual([2, 1]);
  });

  it('is asked for once where there is no trail', () => {
    const { log, read } = logTo();
    const asked: string[] = [];
    log.auditAll(() => {
      asked.push(read());
      return [RECORD];
    });
    expect([asked, timeless(read()).length]).toEqual([[''], 1]);
    expect(refusalOf(() => log.auditAll(refuse))).toBe(refused);
    expect(timeless(read())).toHaveLength(1);
  });

  it('that the trail does not keep is not in the log, and the trail says why', () => {
    const { trail, head } = trailGround(1);
    const { log, read } = logTo();
    writeFileSync(head, '{}');
    expect(toldBy(() => log.withTrail(trail).audit(RECORD))).toEqual(NOT_WHOLE);
    expect(read()).toBe('');
  });

  it('that nobody reads on stderr is in the trail, and is counted for whoever reads again [AUD-1]', () => {
    const { trail, parsed } = trailGround(1);
    const log = createLog({ level: 'info', format: 'json' }).withTrail(trail);
    const stderr = intercepted(2, 'EPIPE', 'EPIPE', 'ENOSPC', 'EPIPE');
    log.auditAll(() => [RECORD, RECORD]);
    log.event('info', 'e');
    log.event('debug', 'not said');
    log.audit(RECORD);
    expect([parsed().length, stderr.text()]).toEqual([4, '']);
    log.audit(RECORD);
    expect(timeless(stderr.text())).toMatchObject([
      { level: 'warn', event: 'log_lines_lost', count: 4 },
      { event: 'audit', seq: 5 },
    ]);
  });

  it('that a log file does not keep is refused, though it is in the trail', () => {
    const { trail } = trailGround(1);
    const { log } = logTo();
    // The lock, the line of the trail and its head are written before.
    intercepted('any', undefined, undefined, undefined, 'ENOSPC');
    expect(refusalOf(() => log.withTrail(trail).audit(RECORD))).toMatchObject(NOT_KEPT);
  });

  it('that the log does not keep is refused, with its cause', () => {
    intercepted(2, 'EPIPE');
    const log = createLog({ level: 'info', format: 'json' });
    const refusal = refusalOf(() => log.audit(RECORD));
    expect({ code: refusal?.code, message: refusal?.message }).toEqual(NOT_KEPT);
    expect(refusal?.cause).toMatchObject({ code: 'EPIPE' });
  });

  it.each([
    { outcome: 'refused', isKnown: true },
    { outcome: 'failed', isKnown: true },
    { outcome: 'applied', isKnown: false },
  ] as const)('that says $outcome is the last refusal of its call: $isKnown', ({ outcome, isKnown }) => {
    const { log } = logTo();
    expect(log.hasRefusalOf('7')).toBe(false);
    log.audit({ ...RECORD, outcome, request_id: '7' });
    expect([log.hasRefusalOf('7'), log.hasRefusalOf('8')]).toEqual([isKnown, false]);
    log.audit({ ...RECORD, request_id: '8' });
    expect(log.hasRefusalOf('7')).toBe(isKnown);
    log.audit({ ...RECORD, outcome: 'refused', request_id: '8' });
    expect([log.hasRefusalOf('7'), log.hasRefusalOf('8')]).toEqual([false, true]);
  });
});
