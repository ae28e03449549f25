import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog, type LogFormat, type LogLevel } from '../../../src/security/index.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import { codeOf, place, rewritten } from '../fixture.ts';
import { intercepted } from './log-stage.ts';

function logTo(format: LogFormat = 'json', level: LogLevel = 'info') {
  const file = join(place().base, 'own.log');
  return { log: createLog({ level, format, file }), read: () => readFileSync(file, 'utf8'), file };
}

describe('the log', () => {
  it('writes one JSON object a line, with time, level, event and known fields', () => {
    const { log, read } = logTo();
    log.event('info', 'tool_called', {
      request_id: '7',
      tool: 'config_get',
      duration_ms: 3,
      status: 'ok',
      code: undefined,
    });
    const [record = {}] = jsonLines(read());
    expect(Object.keys(record).join(' ')).toBe('level time event request_id tool status duration_ms');
    expect(record['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(record).toMatchObject({ level: 'info', event: 'tool_called', tool: 'config_get', duration_ms: 3 });
  });

  it('drops what is no known field, even where the types were got around', () => {
    const { log, read } = logTo();
    const text = 'CANARY';
    const fields = { tool: 'x', value: text, text, headers: { a: text }, file: [text], count: text };
    Reflect.apply(log.event, log, ['info', 'e', fields]);
    expect(read()).not.toContain('CANARY');
  });

  it('filters by level, but writes every audit record', () => {
    const { log, read } = logTo('json', 'error');
    log.event('debug', 'a');
    log.event('warn', 'b');
    log.event('error', 'c');
    log.audit({ action: 'commit', outcome: 'refused', file: 'a.yaml', code: 'READ_ONLY' });
    expect(jsonLines(read()).map(({ event }) => event)).toEqual(['c', 'audit']);
  });

  it('AUDI-001 keeps one record on one line whatever stands in it [AUD-4]', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<LogFormat>('json', 'text'),
        fc.string({ unit: 'binary' }),
        (format, text) => {
          const { log, read } = logTo(format);
          const nasty = `${text}\n{"event":"audit"}\r\u001b[2K\u2028`;
          log.event('info', 'e', { file: nasty });
          log.audit({ action: 'commit', outcome: 'intent', file: nasty, paths: [nasty] });
          const lines = read().split('\n');
          expect(lines).toHaveLength(3);
          expect(read().replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          if (format === 'json') expect(jsonLines(read())).toHaveLength(2);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('makes its file for the owner alone, and appends to it', () => {
    const { log, read, file } = logTo();
    log.event('info', 'one');
    createLog({ level: 'info', format: 'json', file }).event('info', 'two');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(jsonLines(read()).map(({ event }) => event)).toEqual(['one', 'two']);
  });

  it('does not start without a folder, and never on /dev/full or stdout', () => {
    for (const file of [join(place().base, 'gone/x.log'), '/dev/full', '/dev/stdout', '/proc/self/fd/1']) {
      expect(codeOf(() => createLog({ level: 'info', format: 'json', file }))).toBe('StartError');
    }
  });
});

describe('the audit', () => {
  it('AUDI-008 has an intent before and an outcome after each write, with hashes and paths and no values [AUD-1]', () => {
    const here = place();
    here.write('root/a.yaml', 'password: OLD-CANARY\n');
    const sandbox = here.open();
    const edit = rewritten(sandbox, 'a.yaml', 'password: NEW-CANARY\n');
    here.commit(sandbox, [edit], '42');
    const common = {
      event: 'audit',
      action: 'commit',
      file: 'a.yaml',
      base_sha256: edit.snapshot.sha256,
      result_sha256: edit.resultSha256,
      paths: ['a'],
      confirmed_by: 'direct',
      request_id: '42',
    };
    expect(here.logged().slice(-2)).toMatchObject([
      { ...common, outcome: 'intent' },
      { ...common, outcome: 'applied' },
    ]);
    const text = readFileSync(join(here.base, 'log.jsonl'), 'utf8');
    for (const secret of ['CANARY', here.base]) expect(text).not.toContain(secret);
  });

  const RECORD = { action: 'commit', outcome: 'intent', file: 'a.yaml' } as const;

  it.each([
    { why: 'rotated away', move: (file: string) => renameSync(file, `${file}.1`) },
    { why: 'deleted', move: (file: string) => rmSync(file) },
    {
      why: 'replaced',
      move: (file: string) => {
        renameSync(file, `${file}.1`);
        writeFileSync(file, '', { mode: 0o600 });
      },
    },
  ])(
    'AUDI-004 goes on in the file of that name, and says so, once the old one was $why [AUD-2]',
    ({ move }) => {
      const { log, read, file } = logTo();
      log.audit(RECORD);
      move(file);
      log.audit(RECORD);
      log.audit(RECORD);
      expect(jsonLines(read()).map(({ event }) => event)).toEqual(['log_reopened', 'audit', 'audit']);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

  it('is not looked for by an event that is not said', () => {
    const { log, file } = logTo();
    rmSync(file);
    log.event('debug', 'not said');
    expect(existsSync(file)).toBe(false);
    log.event('info', 'said');
    expect(existsSync(file)).toBe(true);
  });

  it.each([
    { why: 'a link', put: (file: string) => symlinkSync(`${file}.1`, file) },
    { why: 'a folder', put: (file: string) => mkdirSync(file) },
    {
      why: 'a file that everybody can write to',
      put: (file: string) => {
        writeFileSync(file, '');
        chmodSync(file, 0o666);
      },
    },
  ])('AUDI-004 has no record, and so no write, once the file was replaced by $why [AUD-2]', ({ put }) => {
    const { log, file } = logTo();
    log.audit(RECORD);
    renameSync(file, `${file}.1`);
    put(file);
    expect(codeOf(() => log.audit(RECORD))).toBe('IO_ERROR');
    expect(codeOf(() => log.audit(RECORD))).toBe('IO_ERROR');
    log.event('info', 'an event is lost, and stops nobody');
    // And goes on as soon as it can.
    rmSync(file, { recursive: true });
    log.audit(RECORD);
    expect(jsonLines(readFileSync(file, 'utf8')).map(({ event }) => event)).toEqual([
      'log_reopened',
      'audit',
    ]);
  });

  it.each(['ENOSPC', 'EPIPE'])('AUDI-003 a record that is in no trail is refused: %s [AUD-1]', (fault) => {
    const log = createLog({ level: 'error', format: 'json' });
    intercepted(2, fault);
    expect(codeOf(() => log.audit(RECORD))).toBe('IO_ERROR');
  });
});
