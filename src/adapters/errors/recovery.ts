// Suggests what to do after a refusal, in steps whose tool arguments work when they are sent as they are. A step never merely
// repeats the error, drops no guard that was asked for, and replaces no more than was asked.
import type { Refusal } from '../../security/index.ts';
import {
  asJson,
  asMerge,
  atAllPlaces,
  atEachPath,
  forEachMatch,
  inEachDocument,
  isGoingTo,
  whereItStands,
  withCreate,
  withFields,
  withNearestPath,
} from './corrected-call.ts';
import { filesInstead } from './files-instead.ts';
import type { FileGuess } from './guess-file.ts';
import { withOwnValue } from './own-value.ts';
import { withNearestValues } from './policy-steps.ts';
import {
  again,
  apply,
  type Call,
  create,
  createdFirst,
  editsOf,
  files,
  history,
  inWords,
  limits,
  lookAt,
  matching,
  ofPreview,
  preview,
  previewAgain,
  type RecoveryStep,
  raw,
  validate,
  writeFirst,
} from './steps.ts';

/** The file that the refusal is about: of a batch, that of the edit which was refused; it may be a schema. */
export function fileOf(refusal: Refusal, { args }: Call): string | undefined {
  return refusal.where.file ?? (typeof args['file'] === 'string' ? args['file'] : undefined);
}

/** A step that repeats a call with megabytes of arguments would make the error larger than what it is about. */
const MAX_ARGUMENT_CHARS = 20_000;

export function recoverySteps(refusal: Refusal, call: Call, guess: FileGuess): RecoveryStep[] {
  return stepsFor(refusal, call, guess).map((step) => {
    const isLong = JSON.stringify(step.arguments ?? {}).length > MAX_ARGUMENT_CHARS;
    return isLong ? { do: `${step.do}: the same call as before, corrected` } : step;
  });
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one case for each code
function stepsFor(refusal: Refusal, call: Call, guess: FileGuess): RecoveryStep[] {
  const { clues, where } = refusal;
  const file = fileOf(refusal, call);
  const orFiles = file === undefined ? files() : lookAt(file, 'See how the file is now');
  // After other edits of a batch, the path may be one that the file does not have yet.
  const there = (where.edit_index ?? 0) > 0 ? undefined : clues.existingPath;
  const lookThere = (path: string | undefined, doc: unknown): RecoveryStep =>
    file === undefined
      ? inWords(refusal)
      : lookAt(file, `See what stands at ${path || 'the root'}`, { doc, path });
  if (call.tool === 'config_revert' && clues.again !== undefined)
    return [{ do: 'Undo the other files', ...clues.again }, history('See which changes came since', file)];
  switch (refusal.code) {
    case 'PATH_INVALID':
    case 'PATH_OUTSIDE_ROOT':
    case 'PATH_DENIED':
    case 'SYMLINK_REFUSED':
    case 'NOT_REGULAR_FILE':
    case 'HARD_LINK_REFUSED':
    case 'FILE_TOO_LARGE':
    case 'NOT_UTF8':
      return filesInstead(file, call, guess);
    case 'FILE_NOT_FOUND': {
      const isEdit = file !== undefined && !/[*?]/.test(file) && EDITORS.includes(call.tool);
      const copied = copiedWhole(file, call);
      if (copied !== undefined) return [copied];
      if (isEdit && editsOf(call).some((edit) => isGoingTo(file, edit))) return [createdFirst(file, call)];
      return [...filesInstead(file, call, guess), ...(isEdit ? [create(file)] : [])];
    }
    case 'FILE_EXISTS':
      return [file === undefined || clues.existingPath === undefined ? files() : raw(file, undefined)];
    case 'READ_ONLY':
      // A preview of another kind of call can only be looked at here.
      if (!('dry_run' in call.args) || call.tool === 'config_revert') return [limits()];
      return [preview(call, 'Preview the change without writing it')];
    case 'NODE_AMBIGUOUS':
      return clues.again === undefined ? atEachPath(refusal, call) : [matching(clues.again)];
    case 'TEMPLATE_ACTION':
    case 'UNSUPPORTED_FORMAT':
    case 'TEXT_NOT_FOUND':
    case 'TEXT_AMBIGUOUS':
      if (clues.again !== undefined) return [...atAllPlaces(refusal, call), matching(clues.again)];
      return [
        ...whereItStands(refusal, call),
        ...atAllPlaces(refusal, call),
        file === undefined ? inWords(refusal) : raw(file, where.line),
      ];
    case 'DUPLICATE_KEY':
      if ((clues.nearestPaths ?? []).length > 1) {
        const each = atEachPath(refusal, call);
        if (each.length > 0) return each;
      }
      if (file === undefined) return [limits()];
      if (there === undefined) return [clues.existingPath === undefined ? validate(file) : orFiles];
      return [lookThere(there, documentOf(refusal, call))];
    case 'SYNTAX_INVALID':
      if (file === undefined) return [limits()];
      if (clues.firstText !== undefined) return [writeFirst(file, clues.firstText)];
      // A file that cannot be parsed can be read, and edited as text.
      return [raw(file, where.line), validate(file)];
    case 'SCHEMA_VIOLATION':
      return file === undefined ? [limits()] : [validate(file)];
    case 'LIMIT_EXCEEDED':
      if (file !== undefined && there !== undefined)
        return [lookThere(there, documentOf(refusal, call)), limits()];
      return [limits()];
    // The same call would take as long again.
    case 'TIMEOUT':
      return [limits()];
    case 'NODE_PATH_INVALID':
    case 'DOCUMENT_AMBIGUOUS':
    // An edit that could not be proven may fail again in another spelling, so no edit is suggested.
    case 'VERIFICATION_FAILED':
      // A line is that of a text which would not be valid; the file may not be, either.
      if (file !== undefined && where.line !== undefined) return [raw(file, where.line)];
      if (clues.inDocuments?.[0] !== undefined) return inEachDocument(refusal, call);
      return [
        forEachMatch(refusal, call) ??
          (file === undefined ? inWords(refusal) : lookAt(file, 'See the documents and keys of the file')),
      ];
    case 'NODE_NOT_FOUND':
    case 'TYPE_MISMATCH': {
      if (clues.again !== undefined)
        return [...withCreate(refusal, call), ...atEachPath(refusal, call), matching(clues.again)];
      const look = lookThere(there, clues.documents === undefined ? documentOf(refusal, call) : undefined);
      return [
        ...withFields(refusal, call),
        ...asMerge(refusal, call),
        ...withCreate(refusal, call),
        ...withNearestPath(refusal, call),
        look,
      ];
    }
    case 'ALIAS_CROSSED':
      if (clues.nearestPaths === undefined)
        return [...withOwnValue(refusal, call), lookThere(there, documentOf(refusal, call))];
      return [...withOwnValue(refusal, call), ...atEachPath(refusal, call)];
    case 'ANCHOR_IN_USE':
    case 'KEY_IS_SHARED':
      return [lookThere(there, clues.documents === undefined ? documentOf(refusal, call) : undefined)];
    case 'VALUE_INVALID':
      return [asJson(call, refusal) ?? inWords(refusal)];
    case 'FILE_CHANGED':
      if (clues.previewId !== undefined)
        return [apply(clues.previewId, 'Apply the same change to the files as they are now')];
      if (clues.again !== undefined) return [previewAgain(clues.again)];
      if (clues.problems !== undefined && file !== undefined) return [validate(file)];
      // The caller gave a hash, and first has to see what has changed.
      if (call.tool !== 'config_revert') return [orFiles];
      return [orFiles, history('See which changes came since', file)];
    case 'PREVIEW_REQUIRED':
      if (clues.previewId !== undefined) return [apply(clues.previewId, 'If it is what you mean, apply it')];
      return [preview(call, 'Preview the change')];
    case 'POLICY_DENIED':
      if (clues.problems === undefined) return [inWords(refusal)];
      return [...withNearestValues(refusal, call), limits()];
    case 'BUSY':
      return [again(call, 'Repeat the same call in a moment')];
    case 'PREVIEW_NOT_FOUND':
    case 'CHANGE_NOT_FOUND':
      return [history('See which changes and previews there are')];
    case 'PREVIEW_EXPIRED':
      return [clues.again === undefined ? files() : previewAgain(clues.again)];
    case 'PREVIEW_USED':
      return [orFiles, ...ofPreview(call, 'See the change that it became')];
    case 'PREVIEW_REPLACED': {
      const { previewId } = clues;
      return previewId === undefined ? [] : [apply(previewId, 'Apply all of it')];
    }
    case 'APPROVAL_DECLINED':
      return [orFiles, ...ofPreview(call, 'See what was said')];
    case 'APPROVAL_REQUIRED': {
      const { previewId } = clues;
      if (previewId !== undefined) return [apply(previewId, 'Apply what was approved')];
      return ofPreview(call, 'See whether it is decided; then send the same call again');
    }
    case 'APPROVAL_UNAVAILABLE':
      return [...ofPreview(call, 'See its diff, for a person to look at'), inWords(refusal)];
    case 'SECRET_PLACEHOLDER':
    case 'ENCRYPTED_FILE':
    case 'NO_SPACE':
    case 'PERMISSION_DENIED':
    case 'IO_ERROR':
    case 'INTERNAL':
      return [inWords(refusal)];
    case 'ARGUMENT_INVALID':
      return clues.again === undefined ? [] : [{ do: 'Send it like this, if that is meant', ...clues.again }];
  }
}

/** The document that the refusal is about, else the "doc" of the call, or of the edit of a batch that was refused. */
function documentOf({ where }: Refusal, call: Call): unknown {
  const { args } = call;
  const edit = editsOf(call)[where.edit_index ?? 0];
  if (where.doc !== undefined) return where.doc;
  if (isGoingTo(where.file, edit)) return Object(edit).to_doc;
  return args['doc'] ?? (typeof edit === 'object' && edit !== null && 'doc' in edit ? edit.doc : undefined);
}

/** Returns how the whole of a file comes to a new one; undefined if that was not asked for. */
function copiedWhole(file: string | undefined, call: Call): RecoveryStep | undefined {
  const edit = editsOf(call).find((one) => isGoingTo(file, one) && Object(one).path === '');
  const { file: source } = Object(edit);
  if (typeof source !== 'string') return undefined;
  const what = `Read it, and send its text as content of create_file for ${file}, in place of this edit`;
  return { do: what, tool: 'config_get', arguments: { file: source } };
}

/** The tools that ask for edits of files. */
const EDITORS = ['config_set', 'config_edit'];
