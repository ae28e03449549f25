// The log: one line for each event, with fields from closed lists. An event that cannot be written is dropped, because a log must
// not stop the server. The next line that is written says how many were lost. For each change the log also has the end of the
// audit trail at that time, so that whoever rewrites the trail has to rewrite the log as well.
import { pino } from 'pino';
import type { TrailPoint } from '../../state/event.ts';
import { ignoring } from '../errors/refusal.ts';
import { lazily } from '../text/look-alikes.ts';
import { visibleLine } from '../text/visible.ts';
import { recordedText } from './recorded-event.ts';
import { fileSink, type Sink, stderrSink } from './sink.ts';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** The log is appended to this file, or goes to stderr where it is undefined. */
  readonly file?: string | undefined;
  /** True for commands at a person's terminal: nothing is written to stderr. The audit trail still has all that must be kept. */
  readonly isSilent?: boolean;
}

type Writer = (level: LogLevel, record: Readonly<Record<string, unknown>>) => void;

export class Log {
  readonly #write: Writer;
  readonly #writeAlways: Writer;
  /** Writes to stderr as well, where the log is a file. */
  readonly #writeAside: Writer | undefined;
  readonly #sink: Sink;
  #lostLines = 0;
  readonly #options: LogOptions;

  /** @internal Made by `createLog` only. */
  constructor(options: LogOptions, sink: Sink) {
    this.#write = writer(options.level, options.format, sink);
    this.#writeAlways = writer('debug', options.format, sink);
    this.#writeAside =
      sink.path === undefined ? undefined : writer(options.level, options.format, stderrSink());
    this.#sink = sink;
    this.#options = Object.freeze({ level: options.level, format: options.format, file: sink.path });
    Object.freeze(this);
  }

  /** Writes one event if its level is to be logged. Never throws. */
  event(level: LogLevel, event: string, fields: LogFields = {}): void {
    // This check comes first because every call logs an event that most levels leave out.
    if (!isLogged(level, this.#options.level)) return;
    // A failure cannot be reported anywhere: stderr was closed, or the disk is full.
    ignoring('all', () => this.#line(this.#write, level, eventRecord(event, fields)));
  }

  /** Logs an event that whoever starts the server should see at once: also on stderr where the log is a file. Never throws. */
  notice(level: LogLevel, event: string, fields: LogFields = {}): void {
    this.event(level, event, fields);
    ignoring('all', () => this.#writeAside?.(level, eventRecord(event, fields)));
  }

  /** Logs where the trail ended after a change, at every level, for operators who keep the log elsewhere. Never throws. */
  anchor(event: string, { seq, sha256 }: TrailPoint, fields: LogFields = {}): void {
    const record = eventRecord(event, { ...fields, seq, trail_sha256: sha256 });
    ignoring('all', () => this.#line(this.#writeAlways, 'info', record));
  }

  #line(write: Writer, level: LogLevel, record: Readonly<Record<string, unknown>>): void {
    const count = this.#lostLines++;
    this.#followFile();
    if (count > 0) this.#writeAlways('warn', { event: 'log_lines_lost', count });
    this.#lostLines = 1;
    write(level, record);
    this.#lostLines = 0;
  }

  /** Opens the log again where its file was rotated away, because otherwise nobody could read the next lines. */
  #followFile(): void {
    if (this.#sink.refresh()) this.#writeAlways('warn', { event: 'log_reopened' });
  }

  /** The real path of the log file, for keeping it out of the roots; undefined for stderr. */
  get path(): string | undefined {
    return this.#sink.path;
  }

  /** The options to open the same log in another thread; each thread has and closes a descriptor of its own. */
  get options(): LogOptions {
    return this.#options;
  }
}

/** Opens a log. Throws StartError for a file that cannot be trusted with it. */
export function createLog(options: LogOptions): Log {
  return new Log(options, sinkFor(options));
}

function sinkFor({ file, isSilent }: LogOptions): Sink {
  if (file !== undefined) return fileSink(file);
  return isSilent === true ? SILENCE : stderrSink();
}

const SILENCE: Sink = { write: () => undefined, refresh: () => false, path: undefined };

function writer(level: LogLevel, format: LogFormat, sink: Sink): Writer {
  const logger = lazily(() =>
    pino(
      {
        level,
        base: null,
        timestamp: () => `,"time":"${new Date().toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
      },
      { write: (line: string) => sink.write(format === 'json' ? line : humanLine(line)) },
    ),
  );
  return (at, record) => {
    if (isLogged(at, level)) logger()[at](record);
  };
}

function isLogged(level: LogLevel, minimum: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(minimum);
}

/** Formats a line for people: `09:41:05 info commit file=a.yaml count=1`, with the same fields in the same order. */
function humanLine(line: string): string {
  const { time, level, event, ...fields }: Readonly<Record<string, unknown>> = JSON.parse(line);
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? quotedIfNeeded(value) : JSON.stringify(value)}`,
  );
  return `${[String(time).slice(11, 19), String(level), String(event), ...shown].join(' ')}\n`;
}

function quotedIfNeeded(text: string): string {
  return /[\s"=]/u.test(text) || text === '' ? JSON.stringify(text) : text;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = 'json' | 'text';

const TEXT_FIELDS = [
  ...['request_id', 'tool', 'status', 'code', 'file', 'path', 'sha256', 'containment', 'root', 'reason'],
  ...['principal', 'error_id', 'error_name', 'method', 'protocol', 'transport', 'version', 'signal', 'state'],
  ...['change', 'trail_sha256', 'trace_id'],
] as const;
const NUMBER_FIELDS = [
  'duration_ms',
  'port',
  'count',
  'size_bytes',
  'limit',
  'doc',
  'line',
  'edit_count',
  'seq',
] as const;

/** All that a log record may say. No field is for a value or for contents, so none can be logged by mistake. */
export type LogFields = { readonly [field in (typeof TEXT_FIELDS)[number]]?: string | undefined } & {
  readonly [field in (typeof NUMBER_FIELDS)[number]]?: number | undefined;
};

/** Returns the known fields in their order, each a number or a text. Other fields that a caller adds are dropped. */
function knownFields(fields: LogFields): [string, string | number][] {
  const found: [string, string | number][] = [];
  for (const name of TEXT_FIELDS) {
    const value: unknown = fields[name];
    if (typeof value === 'string') found.push([name, value]);
  }
  for (const name of NUMBER_FIELDS) {
    const value: unknown = fields[name];
    if (typeof value === 'number') found.push([name, value]);
  }
  return found;
}

/** Makes one log line without its time and level. */
function eventRecord(event: string, fields: LogFields): Readonly<Record<string, unknown>> {
  const shown = knownFields(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? recordedText(value) : value,
  ]);
  return { event: visibleLine(event), ...Object.fromEntries(shown) };
}
