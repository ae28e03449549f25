// Everything that a log record may say, as closed lists. There is no field for a value or for contents, so
// none can be logged by mistake.
import type { ConfirmedBy } from '../policy/levels.ts';
import type { Caller } from '../records/caller.ts';
import { visibleLine } from '../text/visible.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = 'json' | 'text';

const TEXT_FIELDS = [
  ...['request_id', 'tool', 'status', 'code', 'file', 'path', 'sha256', 'containment', 'root', 'reason'],
  ...['error_id', 'error_name', 'method', 'protocol', 'transport', 'version', 'signal', 'state'],
] as const;
const NUMBER_FIELDS = ['duration_ms', 'count', 'size_bytes', 'limit', 'doc', 'line', 'edit_count'] as const;

export type LogFields = { readonly [field in (typeof TEXT_FIELDS)[number]]?: string | undefined } & {
  readonly [field in (typeof NUMBER_FIELDS)[number]]?: number | undefined;
};

/** The known fields in their order, each a number or a text. What a caller adds beyond the types is dropped. */
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

/** Of one record: an agent decides how many nodes it changes, and how long their paths are. */
const MOST_PATHS = 50;
const MOST_PATH_CHARS = 200;

/** The texts of an audit record, in their order. */
const AUDIT_FIELDS = [
  ...([
    'action',
    'outcome',
    'file',
    'file_op',
    'base_sha256',
    'result_sha256',
    'preview',
    'change_id',
  ] as const),
  ...(['confirmed_by', 'reviewer', 'reason', 'code', 'request_id'] as const),
] as const;

/** `kept`: of a preview or a decision. `unknown`: after a crash the files are neither all old nor all new, and stay so. */
export type AuditOutcome = 'kept' | 'intent' | 'applied' | 'refused' | 'failed' | 'rolled_back' | 'unknown';

/**
 * What was done or attempted with one file, or with one preview. Hashes say which bytes; there is no field for
 * what they are.
 */
export interface AuditRecord {
  /**
   * `propose`, `reveal` of masked values to a reviewer, `approve`, `part`, `reject`, `decline` at the client, `commit` of a change, `recover` after a crash, the name of the tool that was
   * refused before it came to that, or `refused_writes` for those that are only counted.
   */
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly file: string;
  /** `create` or `delete`, where the file itself comes or goes. */
  readonly file_op?: string | undefined;
  readonly base_sha256?: string | undefined;
  readonly result_sha256?: string | undefined;
  /** Node paths that change. The first 50 are recorded, 200 characters of each, and how many more there are. */
  readonly paths?: readonly string[] | undefined;
  /** The preview, by its id. */
  readonly preview?: string | undefined;
  readonly change_id?: string | undefined;
  readonly confirmed_by?: ConfirmedBy | undefined;
  readonly reviewer?: string | undefined;
  /** What it is for, in the words of whoever asked: for the trail, not for the log. */
  readonly reason?: string | undefined;
  readonly caller?: Caller | undefined;
  readonly code?: string | undefined;
  readonly request_id?: string | undefined;
  /** A decision with its signature: for the trail, not for the log. */
  readonly signed?: object | undefined;
  /** How many it stands for, where more were refused than are recorded one by one. */
  readonly count?: number | undefined;
}

/** One line of the log, but for its time and level. */
export function eventRecord(event: string, fields: LogFields): Readonly<Record<string, unknown>> {
  const shown = knownFields(fields).map(([name, value]) => [name, safe(value)]);
  return { event: visibleLine(event), ...Object.fromEntries(shown) };
}

/** What the log and the trail both say of it. */
export function keptOf(record: AuditRecord): Readonly<Record<string, unknown>> {
  // What is undefined is left out by whoever writes it.
  const shown = AUDIT_FIELDS.map((name) => [name, safe(record[name])]);
  const { caller, paths, count } = record;
  const more = (paths?.length ?? 0) - MOST_PATHS;
  return {
    ...Object.fromEntries(shown),
    caller: caller && shownCaller(caller),
    paths: paths?.slice(0, MOST_PATHS).map(shownPath),
    more_paths: more > 0 ? more : undefined,
    count,
  };
}

/** Cut before it is escaped as well: it may have millions of characters. */
function shownPath(path: string): string {
  return visibleLine(path.slice(0, MOST_PATH_CHARS)).slice(0, MOST_PATH_CHARS);
}

function shownCaller({ name, version, principal, scopes }: Caller): object {
  const verified = { principal: safe(principal), scopes: scopes?.map(safe) };
  return { name: safe(name), version: safe(version), ...verified };
}

function safe<Value>(value: Value): Value | string {
  return typeof value === 'string' ? recordedText(value) : value;
}

/** A text as the records have it. */
function recordedText(text: string): string {
  return visibleLine(text.slice(0, 1_000));
}
