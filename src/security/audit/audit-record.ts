// Makes the audit record of one event. Texts are made visible and cut, and the number of paths is bounded. There is no field for a
// value or for contents, so none can be recorded by mistake.
import type { Caller, Outcome, SignedDecision, TrailRecord } from '../../state/index.ts';
import type { ConfirmedBy } from '../policy/levels.ts';
import { visibleLine } from '../text/visible.ts';

// These limits are needed because an agent decides how many nodes it changes, and how long their paths are.
const MOST_PATHS = 50;
const MOST_PATHS_OF_ALL = 2_000;
const MOST_PATH_CHARS = 200;
const MOST_TEXT_CHARS = 1_000;

export interface AuditedFile {
  readonly file: string;
  /** `create` or `delete`, where the file itself comes or goes. */
  readonly file_op?: 'create' | 'delete' | undefined;
  readonly base_sha256?: string | undefined;
  readonly result_sha256?: string | undefined;
  /** Node paths that change. */
  readonly paths?: readonly string[] | undefined;
}

export interface AuditEvent {
  /** The name of the action, as in `TrailRecord`. */
  readonly action: string;
  readonly outcome: Outcome;
  readonly files: readonly AuditedFile[];
  /** The full id of a preview. */
  readonly preview?: string | undefined;
  /** The full id of the preview that has taken the place of this one. */
  readonly replaced_by?: string | undefined;
  readonly change_id?: string | undefined;
  /** The time until which a preview waits for a person. */
  readonly expires_at?: string | undefined;
  /** The id of a preview or change as the caller wrote it, where it was not looked up. */
  readonly about?: string | undefined;
  readonly confirmed_by?: ConfirmedBy | undefined;
  readonly reviewer?: string | undefined;
  /** The requester's own reason. The trail keeps it, and the log does not. */
  readonly reason?: string | undefined;
  readonly caller?: Caller | undefined;
  readonly code?: string | undefined;
  readonly request_id?: string | undefined;
  readonly signed?: SignedDecision | undefined;
  /** The number of refusals that this record stands for, where not each is recorded by itself. */
  readonly count?: number | undefined;
}

export function trailRecordOf(event: AuditEvent, now: Date): TrailRecord {
  const { action, outcome, files, caller, preview, replaced_by, change_id, expires_at } = event;
  const { confirmed_by, signed, count, reviewer, reason, code, request_id, about } = event;
  return {
    ...{ time: now.toISOString(), action, outcome, files: recordedFiles(files) },
    ...withoutUndefined({ preview, replaced_by, change_id, expires_at, confirmed_by, signed, count }),
    ...withoutUndefined({
      caller: caller && recordedCaller(caller),
      reviewer: optionalText(reviewer),
      reason: optionalText(reason),
      code: optionalText(code),
      request_id: optionalText(request_id),
      about: optionalText(about),
    }),
  };
}

function recordedFiles(files: readonly AuditedFile[]): TrailRecord['files'] {
  let left = MOST_PATHS_OF_ALL;
  return files.map(({ file, file_op, base_sha256, result_sha256, paths = [] }) => {
    const shown = paths.slice(0, Math.min(MOST_PATHS, left)).map(recordedPath);
    left -= shown.length;
    return {
      file: recordedText(file),
      ...withoutUndefined({ file_op, base_sha256, result_sha256 }),
      ...(shown.length === 0 ? {} : { paths: shown }),
      ...(paths.length === shown.length ? {} : { more_paths: paths.length - shown.length }),
    };
  });
}

/** Cuts before and after escaping, because a path may have millions of characters and escaping makes it longer. */
function recordedPath(path: string): string {
  return visibleLine(path.slice(0, MOST_PATH_CHARS)).slice(0, MOST_PATH_CHARS);
}

function recordedCaller({ name, version, principal, scopes, trace_id }: Caller): Caller {
  return {
    name: recordedText(name),
    version: recordedText(version),
    ...withoutUndefined({ principal: optionalText(principal), scopes: scopes?.map(recordedText), trace_id }),
  };
}

/** Answers the fields that have a value, because a record has no field without one. */
function withoutUndefined<Fields extends object>(
  fields: Fields,
): { readonly [name in keyof Fields]?: NonNullable<Fields[name]> } {
  const present: { [name in keyof Fields]?: NonNullable<Fields[name]> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== null) present[name] = value;
  }
  return present;
}

function optionalText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : recordedText(text);
}

/** Makes a text visible and cuts it, as records keep it. */
export function recordedText(text: string): string {
  return visibleLine(text.slice(0, MOST_TEXT_CHARS));
}
