import {
  chmodSync,
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
import { codeOf, place } from '../fixture.ts';

function logTo(format: LogFormat = 'json', level: LogLevel = 'info') {
  const file = join(place().base, 'own.log');
  return { log: createLog({ level, format, file }), read: () => readFileSync(file, 'utf8'), file };
}

const END = { seq: 7, sha256: 'a'.repeat(64) };

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

  it('AUDI-001 keeps one record on one line whatever stands in it [AUD-4]', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<LogFormat>('json', 'text'),
        fc.string({ unit: 'binary' }),
        (format, text) => {
          const { log, read } = logTo(format);
          const nasty = `${text}\n{"event":"audit"}\r\u001b[2K\u2028`;
          log.event('info', 'e', { file: nasty });
          log.anchor('change_recorded', END, { change: nasty });
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

describe('the log', () => {
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
      log.event('warn', 'said');
      move(file);
      log.event('warn', 'said');
      log.event('warn', 'said');
      expect(jsonLines(read()).map(({ event }) => event)).toEqual(['log_reopened', 'said', 'said']);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

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
  ])(
    'AUDI-004 has no line while the file is replaced by $why, and goes on as soon as it can [AUD-2]',
    ({ put }) => {
      const { log, file } = logTo();
      log.event('warn', 'said');
      renameSync(file, `${file}.1`);
      put(file);
      log.event('warn', 'lost');
      log.event('warn', 'lost');
      rmSync(file, { recursive: true });
      log.event('warn', 'said');
      const lines = jsonLines(readFileSync(file, 'utf8'));
      expect(lines.map(({ event, count }) => [event, count])).toEqual([
        ['log_reopened', undefined],
        ['log_lines_lost', 2],
        ['said', undefined],
      ]);
    },
  );
});
