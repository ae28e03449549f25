// The log and the audit record: one line each, with fields from closed lists. An event that cannot be
// written is dropped, for a log must not stop the server; an audit record that cannot be written is an
// error, for nothing may change without one. Where there is an audit trail, the record is in both, and the log
// says where the trail ended then: whoever rewrites the trail would have to rewrite the log as well. On stderr the record
// is a copy, which may fail: the lines that were lost are counted, and the next line that is written says how many.
import { pino } from 'pino';
import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { lazily } from '../text/fold.ts';
import type { TrailPoint, TrailRecord } from './facts.ts';
import {
  type AuditRecord,
  eventRecord,
  keptOf,
  LOG_LEVELS,
  type LogFields,
  type LogFormat,
  type LogLevel,
} from './log-fields.ts';
import { GENESIS } from './record.ts';
import { fileSink, type Sink, stderrSink } from './sink.ts';
import { stateRefusal } from './state-refusal.ts';
import type { AuditTrail, MakeRecords } from './trail.ts';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Appended to; stderr where there is none. */
  readonly file?: string | undefined;
  /** Says nothing on stderr: for a person's terminal, where the audit trail has all that must be kept. */
  readonly isSilent?: boolean;
}

type AddRecords = (trail: AuditTrail, make: MakeRecords<TrailRecord>) => readonly TrailPoint[];
type Writer = (level: LogLevel, record: Readonly<Record<string, unknown>>) => void;

const KEY: unique symbol = Symbol('Log');

export class Log {
  readonly #write: Writer;
  readonly #writeAlways: Writer;
  /** To stderr, where the log is a file. */
  readonly #writeAside: Writer | undefined;
  readonly #sink: Sink;
  #lastRefused: string | undefined;
  #lostLines = 0;
  readonly #options: LogOptions;
  readonly #trail: AuditTrail | undefined;

  /** @internal Made by `createLog` only. */
  constructor(key: typeof KEY, options: LogOptions, sink: Sink, trail?: AuditTrail) {
    if (key !== KEY) throw new TypeError('a Log is made by createLog only');
    this.#trail = trail;
    this.#write = writer(options.level, options.format, sink);
    this.#writeAlways = writer('debug', options.format, sink);
    this.#writeAside =
      sink.place === undefined ? undefined : writer(options.level, options.format, stderrSink());
    this.#sink = sink;
    this.#options = Object.freeze({ level: options.level, format: options.format, file: sink.place });
    Object.freeze(this);
  }

  /** Whether it was made here: a look-alike could swallow the audit records. */
  static isGenuine(value: unknown): value is Log {
    return typeof value === 'object' && value !== null && #writeAlways in value;
  }

  /** The same log, whose audit records go into the trail first. */
  withTrail(trail: AuditTrail): Log {
    return new Log(KEY, this.#options, this.#sink, trail);
  }

  /** Never throws. */
  event(level: LogLevel, event: string, fields: LogFields = {}): void {
    // Each call has one that is hardly ever said.
    if (!isSaid(level, this.#options.level)) return;
    // Where stderr was closed, or the disk is full, there is no place left to report it.
    ignoring('all', () => {
      this.#followFile();
      this.#line(this.#write, level, eventRecord(event, fields));
    });
  }

  /** What whoever starts the server should see at once: said on stderr too, where the log is a file. Never throws. */
  notice(level: LogLevel, event: string, fields: LogFields = {}): void {
    this.event(level, event, fields);
    ignoring('all', () => this.#writeAside?.(level, eventRecord(event, fields)));
  }

  /** Written whatever the level. Throws IO_ERROR where it cannot be: then do not do what it records. */
  audit(record: AuditRecord): void {
    this.auditAll(() => [record]);
  }

  /**
   * The same for several: the trail keeps all of them or none. `make` is called while nobody else can record
   * anything; where it throws, nothing is recorded.
   */
  auditAll(make: MakeRecords<AuditRecord>): void {
    this.#audit(make, (trail, kept) => trail.append(kept));
  }

  /** The same for records that a power cut may take, unless something is audited after them. */
  noteAll(make: MakeRecords<AuditRecord>): void {
    this.#audit(make, (trail, kept) => trail.note(kept));
  }

  /**
   * For records of what has happened already: one that is lost stops nobody. An intent without an outcome is what an
   * auditor looks for.
   */
  recordOutcome(record: () => void): void {
    try {
      record();
    } catch {
      this.event('error', 'audit_outcome_lost');
    }
  }

  #audit(make: MakeRecords<AuditRecord>, add: AddRecords): void {
    let records: readonly AuditRecord[] = [];
    const made = (end: TrailPoint) => {
      records = make(end);
      return records.map((record) => ({ ...keptOf(record), signed: record.signed }));
    };
    try {
      this.#followFile();
      const ends = this.#trail === undefined ? made(GENESIS) && [] : this.#trailed(this.#trail, made, add);
      for (const [i, record] of records.entries()) {
        const end = ends[i];
        const anchor = end === undefined ? {} : { seq: end.seq, trail_sha256: end.sha256 };
        // An agent's own words are a value of an argument: they stand in the trail only.
        const { reason: _, ...said } = keptOf(record);
        this.#auditLine({ event: 'audit', ...said, ...anchor });
        const { outcome, request_id } = record;
        if (outcome === 'refused' || outcome === 'failed') this.#lastRefused = request_id;
      }
    } catch (cause) {
      // The trail's own refusal says what is wrong with it.
      if (cause instanceof Refusal) throw cause;
      const message = 'Cannot write: the audit log does not accept records. The operator should look at it.';
      throw new Refusal('IO_ERROR', message, {}, {}, cause);
    }
  }

  #trailed(trail: AuditTrail, make: MakeRecords<TrailRecord>, add: AddRecords): readonly TrailPoint[] {
    try {
      return add(trail, make);
    } catch (error) {
      throw error instanceof Refusal ? error : stateRefusal('record this in the audit trail', error, this);
    }
  }

  /** Throws where it is in no trail either, or where the operator has asked for a log file. */
  #auditLine(record: Readonly<Record<string, unknown>>): void {
    const write = (): void => this.#line(this.#writeAlways, 'info', record);
    if (this.#trail === undefined || this.#sink.place !== undefined) write();
    else ignoring('all', write);
  }

  #line(write: Writer, level: LogLevel, record: Readonly<Record<string, unknown>>): void {
    const count = this.#lostLines++;
    if (count > 0) this.#writeAlways('warn', { event: 'log_lines_lost', count });
    this.#lostLines = 1;
    write(level, record);
    this.#lostLines = 0;
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
  return new Log(KEY, options, sinkFor(options));
}

function sinkFor({ file, isSilent }: LogOptions): Sink {
  if (file !== undefined) return fileSink(file);
  return isSilent === true ? SILENCE : stderrSink();
}

const SILENCE: Sink = { write: () => undefined, refresh: () => false, place: undefined };

function writer(level: LogLevel, format: LogFormat, sink: Sink): Writer {
  const logger = lazily(() =>
    pino(
      {
        level,
        base: null,
        timestamp: () => `,"time":"${new Date().toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
      },
      { write: (line: string) => sink.write(format === 'json' ? line : forPeople(line)) },
    ),
  );
  return (at, record) => {
    if (isSaid(at, level)) logger()[at](record);
  };
}

function isSaid(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
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
