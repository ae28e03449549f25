// The input of the audit trail for one event, and the record that is kept of it. Texts are made visible and cut, and the number
// of paths is bounded. There is no field for a value or for contents, so none can be recorded by mistake.
import type { Caller, Outcome, SignedDecision, TrailRecord } from '../../state/index.ts';
import type { ConfirmedBy } from '../policy/levels.ts';
import { visibleLine } from '../text/visible.ts';

/** Limits are needed because an agent decides how many nodes it changes, and how long their paths are. */
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
  /** The reason in the words of whoever asked; it goes to the trail and not to the log. */
  readonly reason?: string | undefined;
  readonly caller?: Caller | undefined;
  readonly code?: string | undefined;
  readonly request_id?: string | undefined;
  readonly signed?: SignedDecision | undefined;
  /** The number of refusals that this record stands for, where not each is recorded by itself. */
  readonly count?: number | undefined;
}

export function trailRecordOf(event: AuditEvent, now: Date): TrailRecord {
  const { files, caller, preview, replaced_by, change_id, expires_at, confirmed_by, signed, count } = event;
  const texts = {
    ...cut('reviewer', event.reviewer),
    ...cut('reason', event.reason),
    ...cut('code', event.code),
    ...cut('request_id', event.request_id),
    ...cut('about', event.about),
  };
  return {
    time: now.toISOString(),
    action: event.action,
    outcome: event.outcome,
    files: recordedFiles(files),
    ...(preview === undefined ? {} : { preview }),
    ...(replaced_by === undefined ? {} : { replaced_by }),
    ...(change_id === undefined ? {} : { change_id }),
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(confirmed_by === undefined ? {} : { confirmed_by }),
    ...(caller === undefined ? {} : { caller: recordedCaller(caller) }),
    ...(signed === undefined ? {} : { signed }),
    ...(count === undefined ? {} : { count }),
    ...texts,
  };
}

function recordedFiles(files: readonly AuditedFile[]): TrailRecord['files'] {
  let left = MOST_PATHS_OF_ALL;
  return files.map(({ file, file_op, base_sha256, result_sha256, paths = [] }) => {
    const shown = paths.slice(0, Math.min(MOST_PATHS, left)).map(recordedPath);
    left -= shown.length;
    return {
      file: recordedText(file),
      ...(file_op === undefined ? {} : { file_op }),
      ...(base_sha256 === undefined ? {} : { base_sha256 }),
      ...(result_sha256 === undefined ? {} : { result_sha256 }),
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
    ...(principal === undefined ? {} : { principal: recordedText(principal) }),
    ...(scopes === undefined ? {} : { scopes: scopes.map(recordedText) }),
    ...(trace_id === undefined ? {} : { trace_id }),
  };
}

function cut<Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [name in Name]?: string } {
  const field: { [name in Name]?: string } = {};
  if (text !== undefined) field[name] = recordedText(text);
  return field;
}

/** Makes a text visible and cuts it, as records keep it. */
export function recordedText(text: string): string {
  return visibleLine(text.slice(0, MOST_TEXT_CHARS));
}
