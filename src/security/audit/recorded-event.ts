// Makes an event of the audit trail. Texts are made visible and cut, and the number of paths is bounded. There is no field for a value or
// for contents, so none can be recorded by mistake.
import type { Event } from '../../state/event.ts';
import type { Caller, KeptFile } from '../../state/preview.ts';
import { visibleLine } from '../text/visible.ts';

// These limits are needed because an agent decides how many nodes it changes, and how long their paths are.
const MOST_PATHS = 50;
const MOST_PATHS_OF_ALL = 2_000;
const MOST_PATH_CHARS = 200;
const MOST_TEXT_CHARS = 1_000;

/** A file as a preview has it, or the name alone. */
type AuditedFile = Pick<KeptFile, 'file'> &
  Partial<Pick<KeptFile, 'file_op' | 'base_sha256' | 'result_sha256' | 'changes'>>;

type Facts = Omit<Event, 'type' | 'time' | 'files'>;

/** An event before it is recorded, with texts of any length. */
export type AuditEvent = Pick<Event, 'type'> & {
  readonly files?: readonly AuditedFile[];
} & { readonly [name in keyof Facts]?: Facts[name] | undefined };

export function recordedEvent({ type, files = [], ...facts }: AuditEvent, now: Date): Event {
  const { caller, reviewer, reason, code, request_id, named, tool, ...rest } = facts;
  const texts = { reviewer, reason, code, request_id, named, tool };
  return {
    ...{ time: now.toISOString(), type, files: recordedFiles(files) },
    ...withoutUndefined(rest),
    ...withoutUndefined({ caller: caller && recordedCaller(caller) }),
    ...withoutUndefined(mapTexts(texts)),
  };
}

function recordedFiles(files: readonly AuditedFile[]): Event['files'] {
  let left = MOST_PATHS_OF_ALL;
  return files.map(({ file, file_op, base_sha256: base, result_sha256: result, changes = [] }) => {
    const shown = changes.slice(0, Math.min(MOST_PATHS, left)).map(({ path }) => recordedPath(path));
    left -= shown.length;
    // A file that does not exist has no hash.
    const base_sha256 = file_op === 'create' ? undefined : base;
    const result_sha256 = file_op === 'delete' ? undefined : result;
    return {
      file: recordedText(file),
      ...withoutUndefined({ file_op, base_sha256, result_sha256 }),
      ...(shown.length === 0 ? {} : { paths: shown }),
      ...(changes.length === shown.length ? {} : { more_paths: changes.length - shown.length }),
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
    ...withoutUndefined({ ...mapTexts({ principal }), scopes: scopes?.map(recordedText), trace_id }),
  };
}

/** Returns the fields that have a value, because an event has no field without one. */
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

function mapTexts<Name extends string>(
  texts: Readonly<Record<Name, string | undefined>>,
): { readonly [name in Name]?: string | undefined } {
  const made: { [name in Name]?: string | undefined } = {};
  for (const name in texts) {
    const text = texts[name];
    if (text !== undefined) made[name] = recordedText(text);
  }
  return made;
}

/** Makes a text visible and cuts it, as the trail and the log keep it. */
export function recordedText(text: string): string {
  return visibleLine(text.slice(0, MOST_TEXT_CHARS));
}
