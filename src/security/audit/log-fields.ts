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
