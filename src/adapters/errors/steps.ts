// The steps of a recovery: calls whose arguments work as they are, or words where no call helps.
import type { Refusal } from '../../security/index.ts';
import { EXPLANATIONS } from './explanations.ts';

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface RecoveryStep {
  readonly do: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export function lookAt(
  file: string,
  what: string,
  { doc, path }: { readonly doc?: unknown; readonly path?: string | undefined } = {},
): RecoveryStep {
  const where = {
    ...(doc === undefined ? {} : { doc }),
    ...(path === undefined || path === '' ? {} : { path }),
  };
  return { do: what, tool: 'config_get', arguments: { file, ...where, view: 'outline' } };
}

/** Returns the call that reads a file as it is; of a long file, the lines around `line`. */
export function raw(file: string, line: number | undefined): RecoveryStep {
  const lines = line === undefined ? {} : { lines: `${Math.max(line - 10, 1)}-${line + 10}` };
  return { do: 'Read the lines as they are', tool: 'config_get', arguments: { file, view: 'raw', ...lines } };
}

export function create(file: string): RecoveryStep {
  const content = file.endsWith('.json') ? '{}\n' : '';
  const edits = [{ op: 'create_file', file, content }];
  return { do: 'Or create it, with its content', tool: 'config_edit', arguments: { edits, dry_run: true } };
}

/** Returns the same batch, which makes the file first. */
export function createdFirst(file: string, call: Call): RecoveryStep {
  const content = file.endsWith('.json') ? '{}\n' : '';
  const edits = [{ op: 'create_file', file, content }, ...editsOf(call)];
  return again({ ...call, args: { ...call.args, edits } }, `If ${file} is to be made`);
}

export function writeFirst(file: string, text: string): RecoveryStep {
  const edits = [{ op: 'replace_text', file, old_text: '', new_text: text }];
  return { do: 'Give it its first content', tool: 'config_edit', arguments: { edits, dry_run: true } };
}

export function again({ tool, args }: Call, what: string): RecoveryStep {
  return { do: what, tool, arguments: args };
}

export function preview({ tool, args }: Call, what: string): RecoveryStep {
  return { do: what, tool, arguments: { ...args, dry_run: true } };
}

export function apply(previewId: string, what: string): RecoveryStep {
  return { do: what, tool: 'config_apply', arguments: { preview_id: previewId } };
}

export function files(): RecoveryStep {
  return { do: 'See which files can be used', tool: 'config_list', arguments: {} };
}

export function previewAgain(call: NonNullable<Refusal['clues']['again']>): RecoveryStep {
  return { do: 'Preview the change on the files as they are now', ...call };
}

export function validate(file: string): RecoveryStep {
  return { do: 'See all problems with their lines', tool: 'config_validate', arguments: { file } };
}

export function limits(): RecoveryStep {
  return { do: 'See the limits in force', tool: 'list_capabilities', arguments: {} };
}

export function listed(pattern: string, what: string): RecoveryStep {
  return { do: what, tool: 'config_list', arguments: { pattern } };
}

export function history(what: string, file?: string): RecoveryStep {
  return { do: what, tool: 'config_history', arguments: file === undefined ? {} : { file } };
}

export function ofPreview({ args }: Call, what: string): RecoveryStep[] {
  const id = args['preview_id'];
  return typeof id === 'string' ? [{ do: what, tool: 'config_history', arguments: { preview_id: id } }] : [];
}

/** Returns advice in words, where no call helps, but a person or another value does. */
export function inWords({ code, clues }: Refusal): RecoveryStep {
  return { do: (clues.advice ?? EXPLANATIONS[code].advice)[0] ?? 'Ask the operator' };
}

export function matching(search: NonNullable<Refusal['clues']['again']>): RecoveryStep {
  return { do: 'See what there is', ...search };
}

/** Returns what was asked for: the edit of a batch with this index, or else the call itself. */
export function askedFor(call: Call, index = 0): Readonly<Record<string, unknown>> {
  const edits = editsOf(call);
  return edits.length === 0 ? call.args : Object(edits[index]);
}

/** Returns the edits of a batch; empty for other calls. */
export function editsOf({ args }: Call): readonly unknown[] {
  return Array.isArray(args['edits']) ? args['edits'] : [];
}
