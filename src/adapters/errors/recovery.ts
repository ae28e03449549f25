// What to do next after a refusal: steps whose tool arguments work when they are sent as they are.
import { type ErrorCode, type Policy, Refusal, type Sandbox } from '../../security/index.ts';
import { closest } from '../tree/closest.ts';

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Surroundings {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
}

export interface RecoveryStep {
  readonly do: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

const FILES_TO_COMPARE = 500;

/** Files that resemble the one that was asked for, best first. */
export function nearestFiles(file: unknown, { sandbox }: Surroundings): string[] {
  if (typeof file !== 'string') return [];
  try {
    const names = sandbox.list({ limit: FILES_TO_COMPARE }).files.map(({ path }) => path.toString());
    const base = (name: string) => name.slice(name.lastIndexOf('/') + 1);
    const sameName = names.filter((name) => base(name) === base(file));
    return [...new Set([...sameName, ...closest(file, names)])].slice(0, 3);
  } catch (error) {
    // The list is a convenience: a root that has vanished must not hide the refusal itself.
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/** The file that the refusal is about: of a batch, that of the edit which was refused; it may be a schema. */
export function fileOf(refusal: Refusal, { args }: Call): string | undefined {
  return refusal.where.file ?? (typeof args['file'] === 'string' ? args['file'] : undefined);
}

/** A step that repeats a call with megabytes of arguments would make the error larger than what it is about. */
const MAX_ARGUMENT_CHARS = 20_000;

export function recoverySteps(refusal: Refusal, call: Call, nearest: readonly string[]): RecoveryStep[] {
  return stepsFor(refusal, call, nearest).map((step) => {
    const isLong = JSON.stringify(step.arguments ?? {}).length > MAX_ARGUMENT_CHARS;
    return isLong ? explain(refusal.code) : step;
  });
}

function stepsFor(refusal: Refusal, call: Call, nearest: readonly string[]): RecoveryStep[] {
  const { clues, where } = refusal;
  const file = fileOf(refusal, call);
  const orFiles = file === undefined ? files() : lookAt(file, 'See how the file is now');
  // After other edits of a batch the path may be one that the file does not have yet.
  const there = (where.edit_index ?? 0) > 0 ? undefined : clues.existingPath;
  const lookThere = (path: string | undefined, doc: unknown): RecoveryStep =>
    file === undefined
      ? explain(refusal.code)
      : lookAt(file, `See what stands at ${path || 'the root'}`, { doc, path });
  switch (refusal.code) {
    case 'PATH_INVALID':
    case 'PATH_OUTSIDE_ROOT':
    case 'PATH_DENIED':
    case 'SYMLINK_REFUSED':
    case 'NOT_REGULAR_FILE':
    case 'HARD_LINK_REFUSED':
    case 'FILE_NOT_FOUND':
    case 'FILE_TOO_LARGE':
    case 'NOT_UTF8': {
      const first = nearest[0];
      return first === undefined ? [files()] : [lookAt(first, `Look at the nearest file, ${first}`), files()];
    }
    case 'READ_ONLY':
      // What was previewed elsewhere can only be looked at here.
      if (!('dry_run' in call.args) || call.tool === 'config_revert') return [limits()];
      return [preview(call, 'Preview the change without writing it')];
    case 'NODE_AMBIGUOUS':
      return atEachPath(refusal, call);
    case 'DUPLICATE_KEY':
      if ((clues.nearestPaths ?? []).length > 1) return atEachPath(refusal, call);
      if (file === undefined) return [limits()];
      if (there === undefined) return [validate(file)];
      return [lookThere(there, documentOf(refusal, call)), validate(file)];
    case 'UNSUPPORTED_FORMAT':
    case 'TEXT_NOT_FOUND':
    case 'TEXT_AMBIGUOUS':
      return [file === undefined ? explain(refusal.code) : raw(file, where.line)];
    case 'SYNTAX_INVALID':
      // What cannot be parsed can be read, and mended as text.
      return file === undefined ? [limits()] : [raw(file, where.line), validate(file)];
    case 'SCHEMA_VIOLATION':
      return file === undefined ? [limits()] : [validate(file)];
    case 'LIMIT_EXCEEDED':
    // The same call would take as long again.
    case 'TIMEOUT':
      return [limits()];
    case 'NODE_PATH_INVALID':
    case 'DOCUMENT_AMBIGUOUS':
    // What could not be proven once may fail again in another spelling, so no edit is promised to work.
    case 'VERIFICATION_FAILED':
      // A line is that of a text which would not be valid; the file may not be, either.
      if (file !== undefined && where.line !== undefined) return [raw(file, where.line)];
      return [
        file === undefined ? explain(refusal.code) : lookAt(file, 'See the documents and keys of the file'),
      ];
    case 'NODE_NOT_FOUND':
    case 'TYPE_MISMATCH':
    case 'ALIAS_CROSSED':
    case 'ANCHOR_IN_USE':
    case 'KEY_IS_SHARED':
      return [lookThere(there, clues.documents === undefined ? documentOf(refusal, call) : undefined)];
    case 'VALUE_INVALID':
      return [asJson(call) ?? explain(refusal.code)];
    case 'FILE_CHANGED': {
      if (clues.previewId !== undefined)
        return [apply(clues.previewId, 'Apply the same change to the files as they are now')];
      if (clues.again !== undefined) return [previewAgain(clues.again)];
      if (clues.problems !== undefined && file !== undefined) return [validate(file)];
      if (call.tool === 'config_apply' || call.tool === 'config_revert') return [orFiles];
      const { expected_sha256: _, ...args } = call.args;
      const what = 'Preview the change on the file as it is now';
      return ['dry_run' in args ? preview({ ...call, args }, what) : again({ ...call, args }, what)];
    }
    case 'PREVIEW_REQUIRED':
      return [preview(call, 'Preview the change')];
    case 'BUSY':
      return [again(call, 'Repeat the same call in a moment')];
    case 'PREVIEW_NOT_FOUND':
    case 'CHANGE_NOT_FOUND':
      return [files()];
    case 'PREVIEW_EXPIRED':
      return [clues.again === undefined ? files() : previewAgain(clues.again)];
    case 'PREVIEW_USED':
    case 'APPROVAL_DECLINED':
      return [orFiles];
    case 'APPROVAL_REQUIRED': {
      const { previewId } = clues;
      if (previewId !== undefined) return [apply(previewId, 'Apply what was approved')];
      return [again(call, 'Ask again once the person has decided')];
    }
    case 'APPROVAL_UNAVAILABLE':
      return [again(call, 'Ask again once a person can be asked')];
    case 'NO_SPACE':
    case 'PERMISSION_DENIED':
    case 'IO_ERROR':
    case 'INTERNAL':
      return [explain(refusal.code)];
    case 'ARGUMENT_INVALID':
      return clues.again === undefined ? [] : [{ do: 'Send it like this, if that is meant', ...clues.again }];
  }
}

const MAX_CHOICES = 4;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Those of a batch. */
export function editsOf({ args }: Call): readonly unknown[] {
  return Array.isArray(args['edits']) ? args['edits'] : [];
}

/** The document that the refusal is about, else the "doc" of the call, or of the edit of a batch that was refused. */
function documentOf({ where }: Refusal, call: Call): unknown {
  const { args } = call;
  const edit = editsOf(call)[where.edit_index ?? 0];
  if (where.doc !== undefined) return where.doc;
  return args['doc'] ?? (typeof edit === 'object' && edit !== null && 'doc' in edit ? edit.doc : undefined);
}

/** The same call for each path that it can mean. */
function atEachPath({ clues: { nearestPaths = [] }, where }: Refusal, call: Call): RecoveryStep[] {
  const edits = editsOf(call);
  const at = edits.length === 0 ? undefined : (where.edit_index ?? 0);
  return nearestPaths.slice(0, MAX_CHOICES).map((path) => {
    const chosen = edits.map((edit, i) => (i === at && isObject(edit) ? { ...edit, path } : edit));
    const args = at === undefined ? { ...call.args, path } : { ...call.args, edits: chosen };
    return again({ tool: call.tool, args }, `If you mean ${path}`);
  });
}

function lookAt(
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

/** `line`: what stands around it, of a long file. */
function raw(file: string, line: number | undefined): RecoveryStep {
  const lines = line === undefined ? {} : { lines: `${Math.max(line - 10, 1)}-${line + 10}` };
  return { do: 'Read the lines as they are', tool: 'config_get', arguments: { file, view: 'raw', ...lines } };
}

function again({ tool, args }: Call, what: string): RecoveryStep {
  return { do: what, tool, arguments: args };
}

function preview({ tool, args }: Call, what: string): RecoveryStep {
  return { do: what, tool, arguments: { ...args, dry_run: true } };
}

function apply(previewId: string, what: string): RecoveryStep {
  return { do: what, tool: 'config_apply', arguments: { preview_id: previewId } };
}

function files(): RecoveryStep {
  return { do: 'See which files can be used', tool: 'config_list', arguments: {} };
}

function previewAgain(call: NonNullable<Refusal['clues']['again']>): RecoveryStep {
  return { do: 'Preview the change on the files as they are now', ...call };
}

function validate(file: string): RecoveryStep {
  return { do: 'See all problems with their lines', tool: 'config_validate', arguments: { file } };
}

function limits(): RecoveryStep {
  return { do: 'See the limits in force', tool: 'list_capabilities', arguments: {} };
}

function explain(code: ErrorCode): RecoveryStep {
  return { do: 'Read what the code means', tool: 'explain_error', arguments: { code } };
}

/** The same text, sent so that it is quoted as needed. */
function asJson(call: Call): RecoveryStep | undefined {
  const { tool, args } = call;
  const edits = editsOf(call);
  const edit = tool === 'config_edit' && edits.length === 1 ? edits[0] : args;
  if (typeof edit !== 'object' || edit === null || !('value' in edit)) return undefined;
  const { value, ...rest } = edit;
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const asText = { ...rest, json: value };
  return {
    do: 'Preview it as a string, quoted as needed',
    tool,
    arguments: edit === args ? { ...asText, dry_run: true } : { ...args, edits: [asText], dry_run: true },
  };
}
