// Lists everything that a log record may say. There is no field for a value or for contents, so
// none can be logged by mistake.
import { visibleLine } from '../text/visible.ts';
import { recordedText } from './recorded-event.ts';

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
export function eventRecord(event: string, fields: LogFields): Readonly<Record<string, unknown>> {
  const shown = knownFields(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? recordedText(value) : value,
  ]);
  return { event: visibleLine(event), ...Object.fromEntries(shown) };
}
