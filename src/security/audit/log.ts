// The log: one line for each event, with fields from closed lists. An event that cannot be written is dropped, for a log must
// not stop the server; the next line that is written says how many were lost. The audit trail is elsewhere: for each change the
// log says only where the trail ended then, so that whoever rewrites the trail would have to rewrite the log as well.
import type { TrailPoint } from '../../state/index.ts';
import { ignoring } from '../errors/io-refusal.ts';
import {
  eventRecord,
  LOG_LEVELS,
  type LogFields,
  type LogFormat,
  type LogLevel,
  type LogRecord,
} from './log-fields.ts';
import { fileSink, type Sink, stderrSink } from './sink.ts';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** The log is appended to this file, or goes to stderr where it is undefined. */
  readonly file?: string | undefined;
  /** With this, nothing is written to stderr. A person's terminal uses it; the audit trail still has all that must be kept. */
  readonly isSilent?: boolean;
}

const KEY: unique symbol = Symbol('Log');

export class Log {
  readonly #sink: Sink;
  /** Stderr, where the log is a file. */
  readonly #aside: Sink | undefined;
  readonly #options: LogOptions;
  #lostLines = 0;

  /** @internal Made by `createLog` only. */
  constructor(key: typeof KEY, options: LogOptions, sink: Sink) {
    if (key !== KEY) throw new TypeError('a Log is made by createLog only');
    this.#sink = sink;
    this.#aside = sink.place === undefined ? undefined : stderrSink();
    this.#options = Object.freeze({ level: options.level, format: options.format, file: sink.place });
    Object.freeze(this);
  }

  /** True only for an object that this module made: a look-alike could hide what an operator has to know. */
  static isGenuine(value: unknown): value is Log {
    return typeof value === 'object' && value !== null && #sink in value;
  }

  /** Writes one event if its level is to be logged. Never throws. */
  event(level: LogLevel, event: string, fields: LogFields = {}): void {
    // This check comes first because every call logs an event that most levels leave out.
    if (this.#isLogged(level)) this.#write(level, () => eventRecord(event, fields));
  }

  /** Logs an event that whoever starts the server should see at once: also on stderr where the log is a file. Never throws. */
  notice(level: LogLevel, event: string, fields: LogFields = {}): void {
    if (!this.#isLogged(level)) return;
    this.event(level, event, fields);
    ignoring('all', () => this.#aside?.write(this.#line(level, eventRecord(event, fields))));
  }

  /** Logs where the trail ended after a change, at every level, for operators who keep the log elsewhere. Never throws. */
  anchor(event: string, { seq, sha256 }: TrailPoint, fields: LogFields = {}): void {
    this.#write('info', () => eventRecord(event, { ...fields, seq, trail_sha256: sha256 }));
  }

  #write(level: LogLevel, recordOf: () => LogRecord): void {
    // Where stderr was closed, or the disk is full, there is no place left to report the failure.
    ignoring('all', () => {
      const lost = this.#lostLines++;
      // Where its file was rotated away, nobody could read the next lines.
      if (this.#sink.refresh()) this.#sink.write(this.#line('warn', { event: 'log_reopened' }));
      if (lost > 0) this.#sink.write(this.#line('warn', { event: 'log_lines_lost', count: lost }));
      this.#lostLines = 1;
      this.#sink.write(this.#line(level, recordOf()));
      this.#lostLines = 0;
    });
  }

  #line(level: LogLevel, record: LogRecord): string {
    const line = { level, time: new Date().toISOString(), ...record };
    return `${this.#options.format === 'json' ? JSON.stringify(line) : forPeople(line)}\n`;
  }

  #isLogged(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(this.#options.level);
  }

  /** The real path of the log file, for keeping it out of the roots; undefined for stderr. */
  get place(): string | undefined {
    return this.#sink.place;
  }

  /** The options to open the same log in another thread; each thread has and closes a descriptor of its own. */
  get options(): LogOptions {
    return this.#options;
  }
}

/** Throws StartError for a file that cannot be trusted with the log. */
export function createLog(options: LogOptions): Log {
  return new Log(KEY, options, sinkFor(options));
}

function sinkFor({ file, isSilent }: LogOptions): Sink {
  if (file !== undefined) return fileSink(file);
  return isSilent === true ? SILENCE : stderrSink();
}

const SILENCE: Sink = { write: () => undefined, refresh: () => false, place: undefined };

/** Formats a line for people: `09:41:05 info commit file=a.yaml count=1`, with the same fields in the same order. */
function forPeople({ time, level, event, ...fields }: LogRecord): string {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? spaced(value) : JSON.stringify(value)}`,
  );
  return [String(time).slice(11, 19), String(level), String(event), ...shown].join(' ');
}

function spaced(text: string): string {
  return /[\s"=]/u.test(text) || text === '' ? JSON.stringify(text) : text;
}
