// Finds the one way on after a refusal: the same call with one thing corrected, all else of it as it was sent, `dry_run` too; or
// else a call that shows what is needed. What is sent drops no guard that was asked for, and replaces no more than was asked.

import { type Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import { type Look, meaningOf } from '../../security/errors/refusals.ts';
import { isPattern, type PathWord } from '../../security/node-paths/node-path.ts';
import { parsePath } from '../../security/node-paths/parse-path.ts';
import type { FileGuess } from './guess-file.ts';

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call whose arguments work as they are, or words where it would be too long. */
export interface Way {
  readonly do: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** Returns the call by the clues of the refusal; undefined if they name none. */
export function correctedCall(refusal: Refusal, call: Call, guess: FileGuess): Way | undefined {
  const { previewId, again } = refusal.clues;
  if (previewId !== undefined)
    return {
      do: 'Apply it, if it is what you mean',
      tool: 'config_apply',
      arguments: { preview_id: previewId },
    };
  return (
    withFields(refusal, call) ??
    withPath(refusal, call) ??
    inDocument(refusal, call) ??
    asJson(refusal, call) ??
    forEachMatch(refusal, call) ??
    whereItOccurs(refusal, call) ??
    again ??
    withFile(refusal, call, guess)
  );
}

/** Returns the call with the file that was meant, or one that shows what is near. */
function withFile(
  refusal: Refusal,
  call: Call,
  { meant, nearest: [first], folder }: FileGuess,
): Way | undefined {
  const file = fileOf(refusal, call);
  const isOfIt = (edit: unknown) => Object(edit).file === file;
  if (meant !== undefined && (isOfIt(call.args) || editsOf(call).some(isOfIt))) {
    const edits = editsOf(call).map((edit) => (isOfIt(edit) ? { ...Object(edit), file: meant } : edit));
    const args = isOfIt(call.args) ? { ...call.args, file: meant } : { ...call.args, edits };
    return { do: `Use ${meant}`, tool: call.tool, arguments: args };
  }
  if (folder !== undefined)
    return { do: 'See the files of this folder', tool: 'config_list', arguments: { pattern: folder } };
  if (first === undefined) return undefined;
  const args = { file: first, view: 'outline' };
  return { do: `Look at the nearest file, ${first}`, tool: 'config_get', arguments: args };
}

/** Returns the call with the fields that make it what was meant. */
function withFields({ clues, where }: Refusal, call: Call): Way | undefined {
  const { instead, isCreatable } = clues;
  const { create, expect } = askedFor(call, where.edit_index);
  // Another expected number is a guard, and so is a false `create`.
  if (instead !== undefined && !('expect' in instead.fields && expect !== undefined))
    return corrected(instead.fields, where.edit_index, call, instead.what);
  if (isCreatable !== true || create !== undefined) return undefined;
  return corrected({ create: true }, where.edit_index, call, 'If the keys are to be made');
}

/** Returns the call with the first of the paths that it can mean. */
function withPath({ code, clues, where }: Refusal, call: Call): Way | undefined {
  const [near] = clues.nearestPaths ?? [];
  const { op, path, to } = askedFor(call, where.edit_index);
  if (near === undefined || typeof path !== 'string') return undefined;
  // A shorter path would replace more than was asked.
  const isGuess = code === 'NODE_NOT_FOUND' || code === 'TYPE_MISMATCH';
  if (isGuess && unlessRefused(() => depthOf(near) >= depthOf(path)) !== true) return undefined;
  const isOfPath = leadsTo(path, where.path);
  // A key that the value of a merge names: all of the value does not belong there.
  if (op === 'merge' && !isOfPath) return undefined;
  const field = !isOfPath && leadsTo(to, where.path) ? 'to' : 'path';
  const isOnly = isGuess && clues.nearestPaths?.length === 1;
  const ending =
    code === 'ALIAS_CROSSED' ? ', which all its aliases follow' : isOnly ? '' : ', if that is meant';
  return corrected({ [field]: near }, where.edit_index, call, `Use ${near}${ending}`);
}

/** Returns the number of levels; dots within a key count as the levels that they were taken for. */
function depthOf(path: string): number {
  return parsePath(path).flatMap((word) => (word.kind === 'key' ? word.key.split('.') : [''])).length;
}

/** True if the path that was asked for goes through the node, or ends at it. */
function leadsTo(asked: unknown, node = ''): boolean {
  if (typeof asked !== 'string') return false;
  const leads = unlessRefused(() => {
    const words = parsePath(asked);
    return parsePath(node).every((word, at) => nameOf(word) === nameOf(words[at]));
  });
  return leads === true;
}

function nameOf(word: PathWord | undefined): string | undefined {
  return word?.kind === 'key' ? word.key : word?.kind;
}

/** Returns the call for the first document that it can be about, also in later edits of the file that name none. */
function inDocument({ clues, where }: Refusal, call: Call): Way | undefined {
  const [first] = clues.inDocuments ?? [];
  if (first === undefined) return undefined;
  const doc = `${first}`;
  const what = `If you mean ${typeof first === 'number' ? `document ${first}` : first}`;
  const { edit_index: index = 0 } = where;
  const asked = Object(editsOf(call)[index]);
  // Where the edit goes to another file, the document there may be meant.
  if (isGoingTo(where.file, asked)) return corrected({ to_doc: doc }, index, call, what);
  const isAlike = (edit: unknown, at: number) =>
    at > index &&
    Object(edit).file === asked.file &&
    Object(edit).doc === undefined &&
    Object(edit).path !== undefined;
  const edits = editsOf(call).map((edit, at) => (isAlike(edit, at) ? { ...Object(edit), doc } : edit));
  const args = edits.length === 0 ? call.args : { ...call.args, edits };
  return corrected({ doc }, index, { ...call, args }, what);
}

/** Returns the call with the value as a quoted text. */
function asJson({ code, where }: Refusal, call: Call): Way | undefined {
  const { value, path = '' } = askedFor(call, where.edit_index);
  if (code !== 'VALUE_INVALID' || typeof value !== 'string' || !value.isWellFormed()) return undefined;
  // A text at the root would replace the whole document.
  if (path === '' || path === '$' || path === '.') return undefined;
  const fields = { value: undefined, json: value };
  return corrected(fields, where.edit_index, call, 'Send it as a string, quoted as needed');
}

/** Returns the call for all matches of a pattern, where a tool for one node was given one. */
function forEachMatch({ code }: Refusal, { tool, args }: Call): Way | undefined {
  const { file, path, dry_run, expected_sha256, preview_id, reason, ...others } = args;
  if (code !== 'NODE_PATH_INVALID' || typeof file !== 'string' || typeof path !== 'string') return undefined;
  if (unlessRefused(() => isPattern(parsePath(path))) !== true) return undefined;
  if (tool === 'config_get') {
    const search = { pattern: file, key: path };
    return { do: 'See all that match, with their values', tool: 'config_search', arguments: search };
  }
  if (tool !== 'config_set') return undefined;
  const whole = given({ dry_run, expected_sha256, preview_id, reason });
  const edits = [{ op: 'set', file, path, ...others }];
  return { do: 'Change all that match', tool: 'config_edit', arguments: { edits, ...whole } };
}

/** A longer `from` is no pattern. */
const MAX_FROM = 90;

/** Returns the same replacement for those of the many values that hold the text. */
function whereItOccurs({ code, where }: Refusal, call: Call): Way | undefined {
  const { op, path, from, old_text: old } = askedFor(call, where.edit_index);
  const isMany = code === 'TEXT_NOT_FOUND' && op === 'replace_text' && `${path}`.includes('*');
  if (!isMany || from !== undefined || typeof old !== 'string') return undefined;
  if (old === '' || old.length > MAX_FROM || /[*?\n]/u.test(old)) return undefined;
  return corrected({ from: `*${old}*` }, where.edit_index, call, 'In the values that hold it');
}

/** Returns the call with these fields changed; `index` names the refused edit of a batch. */
function corrected(
  fields: Readonly<Record<string, unknown>>,
  index: number | undefined,
  { tool, args }: Call,
  what: string,
): Way {
  const edits = editsOf({ args });
  const change = (edit: unknown, at: number) =>
    at === (index ?? 0) ? given({ ...Object(edit), ...fields }) : edit;
  const changed = edits.length === 0 ? given({ ...args, ...fields }) : { ...args, edits: edits.map(change) };
  return { do: what, tool, arguments: changed };
}

/** Returns the fields that are not undefined. */
function given(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns the call that shows what is needed, by the table of refusals. */
export function look(refusal: Refusal, call: Call): Way | undefined {
  const { where, clues } = refusal;
  const file = fileOf(refusal, call);
  switch (lookAt(refusal, call)) {
    case 'same':
      return { do: 'Repeat the same call in a moment', tool: call.tool, arguments: call.args };
    case 'preview':
      return { do: 'Preview the change', tool: call.tool, arguments: { ...call.args, dry_run: true } };
    case 'limits':
      return { do: 'See the limits in force', tool: 'list_capabilities', arguments: {} };
    case 'history': {
      const preview_id = refusal.code.endsWith('NOT_FOUND') ? undefined : call.args['preview_id'];
      return { do: 'See what there is of it', tool: 'config_history', arguments: given({ preview_id }) };
    }
    case 'validate':
      return { do: 'See all problems with their lines', tool: 'config_validate', arguments: { file } };
    case 'raw': {
      const lines =
        where.line === undefined ? undefined : `${Math.max(where.line - 10, 1)}-${where.line + 10}`;
      const args = given({ file, view: 'raw', lines });
      return { do: 'Read the lines as they are', tool: 'config_get', arguments: args };
    }
    case 'outline': {
      // After other edits of a batch, the path may be one that the file does not have yet.
      const path = (where.edit_index ?? 0) > 0 ? '' : (clues.existingPath ?? '');
      const doc = clues.documents === undefined ? documentOf(refusal, call) : undefined;
      const args = given({ file, doc, path: path === '' ? undefined : path, view: 'outline' });
      return { do: `See what is at ${path || 'the root'}`, tool: 'config_get', arguments: args };
    }
    case 'files':
      return { do: 'See which files can be used', tool: 'config_list', arguments: {} };
    case undefined:
      return undefined;
  }
}

function lookAt({ code, where, clues }: Refusal, call: Call): Look | undefined {
  const { look } = meaningOf(code);
  const file = where.file ?? call.args['file'];
  // A preview of another kind of call can only be looked at here.
  if (look === 'preview' && (!('dry_run' in call.args) || call.tool === 'config_revert')) return 'limits';
  if (code === 'LIMIT_EXCEEDED' && clues.existingPath !== undefined) return 'outline';
  if (code === 'FILE_EXISTS' && clues.existingPath === undefined) return 'files';
  if (code === 'FILE_CHANGED' && clues.problems !== undefined) return 'validate';
  const isOfFile = look === 'raw' || look === 'outline' || look === 'validate';
  if (isOfFile && typeof file !== 'string') return 'files';
  // A line is that of a text which would not be valid; the file may not be, either.
  return look === 'outline' && where.line !== undefined ? 'raw' : look;
}

/** Returns the document that the refusal is about, else the "doc" of the call, or of the edit of a batch that was refused. */
function documentOf({ where }: Refusal, call: Call): unknown {
  const asked = askedFor(call, where.edit_index);
  return where.doc ?? (isGoingTo(where.file, asked) ? asked['to_doc'] : asked['doc']);
}

/** Returns the file that the refusal is about: of a batch, that of the edit which was refused; it may be a schema. */
export function fileOf(refusal: Refusal, { args }: Call): string | undefined {
  return refusal.where.file ?? (typeof args['file'] === 'string' ? args['file'] : undefined);
}

/** True if the edit moves or copies something to this file. */
export function isGoingTo(file: string | undefined, edit: unknown): boolean {
  return file !== undefined && Object(edit).to_file === file;
}

/** Returns what was asked for: the edit of a batch with this index, or else the call itself. */
function askedFor(call: Call, index = 0): Readonly<Record<string, unknown>> {
  const edits = editsOf(call);
  return edits.length === 0 ? call.args : Object(edits[index]);
}

/** Returns the edits of a batch; empty for other calls. */
export function editsOf({ args }: Pick<Call, 'args'>): readonly unknown[] {
  return Array.isArray(args['edits']) ? args['edits'] : [];
}
