// The log and the audit record: one line each, with fields from closed lists. An event that cannot be
// written is dropped, for a log must not stop the server; an audit record that cannot be written is an
// error, for nothing may change without one.
import { pino } from 'pino';
import { Refusal } from '../refusal.ts';
import { visibleLine } from '../visible.ts';
import { type AuditRecord, knownFields, type LogFields, type LogFormat, type LogLevel } from './fields.ts';
import { fileSink, type Sink, stderrSink } from './sink.ts';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Appended to; stderr where there is none. */
  readonly file?: string | undefined;
}

type Writer = (level: LogLevel, record: Readonly<Record<string, unknown>>) => void;

const KEY: unique symbol = Symbol('Log');

export class Log {
  readonly #write: Writer;
  readonly #writeAlways: Writer;
  readonly #sink: Sink;
  #lastRefused: string | undefined;
  readonly #options: LogOptions;

  /** @internal Made by `createLog` only. */
  constructor(key: typeof KEY, options: LogOptions, sink: Sink) {
    if (key !== KEY) throw new TypeError('a Log is made by createLog only');
    this.#write = writer(options.level, options.format, sink);
    this.#writeAlways = writer('debug', options.format, sink);
    this.#sink = sink;
    this.#options = Object.freeze({ level: options.level, format: options.format, file: sink.place });
    Object.freeze(this);
  }

  /** Whether it was made here: a look-alike could swallow the audit records. */
  static isGenuine(value: unknown): value is Log {
    return typeof value === 'object' && value !== null && #writeAlways in value;
  }

  /** Never throws. */
  event(level: LogLevel, event: string, fields: LogFields = {}): void {
    const shown = knownFields(fields).map(([name, value]) => [name, safe(value)]);
    try {
      this.#followFile();
      this.#write(level, { event: visibleLine(event), ...Object.fromEntries(shown) });
    } catch {
      // stderr was closed, or the disk is full: there is nobody left to tell.
    }
  }

  /** Written whatever the level. Throws IO_ERROR where it cannot be: then do not do what it records. */
  audit(record: AuditRecord): void {
    const { action, outcome, file, base_sha256, result_sha256, paths, confirmed_by, code, request_id } =
      record;
    const fields = { action, outcome, file, base_sha256, result_sha256, confirmed_by, code, request_id };
    const shown = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, safe(value)]],
    );
    try {
      this.#followFile();
      const touched = paths === undefined ? {} : { paths: paths.map(visibleLine) };
      this.#writeAlways('info', { event: 'audit', ...Object.fromEntries(shown), ...touched });
      if (outcome === 'refused' || outcome === 'failed') this.#lastRefused = request_id;
    } catch (cause) {
      const message =
        'Cannot write: the audit log does not accept records. The operator should look at the log file or stderr.';
      throw new Refusal('IO_ERROR', message, {}, {}, cause);
    }
  }

  /** Whether the last refusal or failure that was recorded is this call's: one is enough. */
  hasRefusalOf(requestId: string): boolean {
    return this.#lastRefused === requestId;
  }

  // A record in a file that nobody can find any more is no record.
  #followFile(): void {
    if (this.#sink.refresh()) this.#writeAlways('warn', { event: 'log_reopened' });
  }

  /** The real path of the log file, for keeping it out of the roots; undefined for stderr. */
  get place(): string | undefined {
    return this.#sink.place;
  }

  /** For opening the same log in another thread, on a descriptor of its own: each closes its own. */
  get options(): LogOptions {
    return this.#options;
  }
}

/** Throws StartError for a file that cannot be trusted with the log. */
export function createLog(options: LogOptions): Log {
  return new Log(KEY, options, options.file === undefined ? stderrSink() : fileSink(options.file));
}

function writer(level: LogLevel, format: LogFormat, sink: Sink): Writer {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => sink.write(format === 'json' ? line : forPeople(line)) },
  );
  return (at, record) => logger[at](record);
}

/** `09:41:05 info commit file=a.yaml count=1`: the same fields, in the same order. */
function forPeople(line: string): string {
  const { time, level, event, ...fields }: Readonly<Record<string, unknown>> = JSON.parse(line);
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? spaced(value) : JSON.stringify(value)}`,
  );
  return `${[String(time).slice(11, 19), String(level), String(event), ...shown].join(' ')}\n`;
}

function spaced(text: string): string {
  return /[\s"=]/u.test(text) || text === '' ? JSON.stringify(text) : text;
}

function safe(value: string | number): string | number {
  return typeof value === 'string' ? visibleLine(value.slice(0, 1_000)) : value;
}
