// The audit records of writes that did not happen: a call that asked for one and was refused, or failed.
// Those that reach the disk are recorded there, before and after.
import { isContentId, type Log } from '../security/index.ts';
import type { Call, Failure } from './engine.ts';

const MAX_FILES = 20;

export function recordRefusedWrite(
  { tool, args, requestId, caller, writes }: Call,
  { status: outcome, code, isAudited = false }: Pick<Failure, 'status' | 'code' | 'isAudited'>,
  log: Log,
): void {
  // The commit knows more about a refusal of its own, and has recorded it.
  if (!writes || isAudited) return;
  const about = { preview: idIn(args['preview_id']), change_id: idIn(args['change_id']) };
  for (const file of filesOf(args)) {
    try {
      log.audit({ action: tool, outcome, file, ...about, code, caller, request_id: requestId });
    } catch {
      // Nothing was written, so nothing happened that lacks its record; the client gets its answer.
    }
  }
}

/** What is no id could be anything, a value too. */
function idIn(argument: unknown): string | undefined {
  return typeof argument === 'string' && isContentId(argument) ? argument : undefined;
}

/** The files that the call names, by itself or in its list of edits; cut, for they may be anything. */
function filesOf(args: Call['args']): readonly string[] {
  const edits: readonly unknown[] = Array.isArray(args['edits']) ? args['edits'] : [];
  const files = [args, ...edits].flatMap((item) => fileOf(item) ?? []);
  return files.length === 0 ? ['(none)'] : [...new Set(files)].slice(0, MAX_FILES);
}

function fileOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('file' in item)) return undefined;
  return typeof item.file === 'string' ? item.file.slice(0, 256) : undefined;
}
