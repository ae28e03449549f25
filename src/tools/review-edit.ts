// Every edit passes `reviewEdit` before anything of it is shown, kept or written: one value, a batch, a part of a preview, an undo, or a
// preview that is about to be applied. A new check is a function here and its name in CHECKS.

import { unifiedDiff } from '../adapters/diff/unified-diff.ts';
import { refuseBroken } from '../adapters/encrypted/encrypted.ts';
import { DEFAULT_ALLOW, EXECUTED_FILES } from '../adapters/formats/extensions.ts';
import { type ConfigFile, readEvenIfInvalid, readVersions } from '../adapters/formats/registry.ts';
import { changePlaces } from '../adapters/review/change-places.ts';
import { describeEdit } from '../adapters/review/describe-edit.ts';
import { isKeyOfWorkflow } from '../adapters/review/yaml11-readings.ts';
import { requireKeptAlike } from '../adapters/secrets/kept-alike.ts';
import { splice, versionsOf } from '../security/edits/edit.ts';
import type { VerifiedEdit } from '../security/edits/verified-edit.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { compileAllow } from '../security/paths/operator-pattern.ts';
import type { SafePath } from '../security/paths/safe-path.ts';
import { loadEngines } from '../security/policy/engines.ts';
import { type Verdict, verdictOnAll } from '../security/policy/verdict.ts';
import type { Snapshot } from '../security/sandbox/snapshot.ts';
import { lazily } from '../security/text/look-alikes.ts';
import { holdsPlaceholder } from '../security/text/placeholders.ts';
import { visible } from '../security/text/visible.ts';
import { requireReplaceable } from '../security/writer/permission.ts';
import type { PreviewFile } from '../state/preview.ts';
import { checkSchemas } from './check-schemas.ts';
import { folderNotes, wholeFileOf } from './file-operations.ts';
import { locating } from './read-file.ts';
import { judge } from './rule-notes.ts';
import type { CallContext } from './tool.ts';

/** A verified edit, or a part of a preview, which is verified when it is applied. */
export type ReviewableEdit = Pick<VerifiedEdit, 'after' | 'edits' | 'changes' | 'resultSha256' | 'isNoop'> &
  Partial<Pick<VerifiedEdit, 'fileOp' | 'mode' | 'requireStillMasked'>> & {
    readonly snapshot: Pick<Snapshot, 'path' | 'text' | 'sha256'> & Partial<Pick<Snapshot, 'absence'>>;
  };

export interface ReviewedEdit {
  /** The file as a preview keeps it. */
  readonly file: PreviewFile;
  readonly isNoop: boolean;
  /** The judge's verdict; undefined if nothing changes. */
  readonly verdict: Verdict | undefined;
  /** Whole sentences: the notes of the checks, and what the diff alone does not show. */
  readonly warnings: readonly string[];
}

/** Reviews one edit. Throws the refusals of the checks. */
export function reviewEdit(
  edit: ReviewableEdit,
  context: ReviewContext,
  placed: readonly string[] = [],
): ReviewedEdit {
  const { snapshot, after, edits, changes, isNoop } = edit;
  const { path, text } = snapshot;
  const { limits } = context.policy;
  const versions = versionsOf(edit.fileOp, text, after);
  const [base, result] = readVersions(path, versions, limits);
  const verdict = isNoop ? undefined : judgeEdit(edit, context);
  const removed = locating({ file: path.toString() }, () => requireSecretsKept(edit, () => [base, result]));
  const notes = [...removed, ...checkEdit({ path, base, result }, context)];
  const { alsoAffects, removedComments, warnings } = describeEdit(base, result, edit, placed);
  const hashes = { base_sha256: snapshot.sha256, result_sha256: edit.resultSha256, file_op: edit.fileOp };
  const places = isNoop ? [] : changePlaces(base.stream, changes, hashes);
  const diff = unifiedDiff(path.toString(), text, after, edits, base.stream.lines, edit.fileOp);
  return {
    file: shownFile(edit, { diff, places, removed_comments: removedComments, also_affects: alsoAffects }),
    isNoop,
    verdict,
    warnings: [
      ...folderNotes(edit.snapshot.absence?.folders),
      ...[...warnings.filter((one) => !isKeyOfWorkflow(path.toString(), one)), ...notes].map(visible),
    ],
  };
}

/** Defines the lazy diff apart from `reviewEdit`, so that its closure holds no tree. */
function shownFile(
  edit: ReviewableEdit,
  found: Pick<PreviewFile, 'diff' | 'places' | 'removed_comments' | 'also_affects'>,
): PreviewFile {
  const { snapshot, edits, changes, isNoop, resultSha256 } = edit;
  return {
    file: snapshot.path.toString(),
    get base() {
      return snapshot.text;
    },
    base_sha256: snapshot.sha256,
    result_sha256: resultSha256,
    ...wholeFileOf(edit),
    // Copies: a slice of a text would keep all of it in memory.
    ...structuredClone({ edits, changes: isNoop ? [] : changes, ...found }),
  };
}

function judgeEdit({ snapshot, fileOp, edits }: ReviewableEdit, context: ReviewContext): Verdict {
  // The verdict must hold no text, because there may be many.
  const own = structuredClone(edits);
  const versions = () => versionsOf(fileOp, snapshot.text, splice(snapshot.text, own));
  return judge(snapshot.path, versions, context);
}

/**
 * Throws the refusal of an edit that touches masked values. Returns notes about those that are removed. The versions of the file are
 * read only if it has masked values.
 */
export function requireSecretsKept(
  edit: Pick<ReviewableEdit, 'edits' | 'snapshot' | 'requireStillMasked'>,
  versions: () => readonly [ConfigFile, ConfigFile],
): readonly string[] {
  const removed = holdsPlaceholder(edit.snapshot.text) ? requireKeptAlike(...versions(), edit.edits) : [];
  // A part of a preview is checked when it is applied.
  edit.requireStillMasked?.();
  return removed;
}

/** Reviews all edits of a call. It pauses before each. */
export async function reviewEdits(
  edits: readonly ReviewableEdit[],
  context: PausingContext,
): Promise<readonly ReviewedEdit[]> {
  const reviewed: ReviewedEdit[] = [];
  for (const edit of edits) reviewed.push(await reviewOne(edit, context));
  return reviewed;
}

/** Reviews one of the edits of a call. `placed` are the new keys whose place the call named. */
export async function reviewOne(
  edit: ReviewableEdit,
  context: PausingContext,
  placed: readonly string[] = [],
): Promise<ReviewedEdit> {
  await loadEngines(context.policy.changes);
  await context.pause();
  return reviewEdit(edit, context, placed);
}

/** Combines the verdicts of all edits; undefined if nothing changes. Throws POLICY_DENIED. */
export function verdictOf(reviewed: readonly Pick<ReviewedEdit, 'verdict'>[]): Verdict | undefined {
  const verdicts = reviewed.flatMap(({ verdict }) => verdict ?? []);
  return verdicts.length === 0 ? undefined : verdictOnAll(verdicts);
}

type PausingContext = ReviewContext & { readonly pause: () => Promise<void> };

export type ReviewContext = Pick<CallContext, 'policy' | 'sandbox'> &
  Partial<Pick<CallContext, 'caller' | 'isOperator'>>;

/** A file as it was read, and as the edit leaves it; both as plain text if one of them cannot be parsed. */
interface EditedFile {
  readonly path: SafePath;
  readonly base: ConfigFile;
  readonly result: ConfigFile;
}

type EditCheck = (edited: EditedFile, context: ReviewContext) => readonly string[];

/** The checks in their order. */
const CHECKS: readonly EditCheck[] = [
  ...[checkReplaceable, checkEncrypted, noteExecuted, noteProblems, checkSchemas],
];

/** Runs the checks. Throws the refusal of an edit that must not be made. Returns warnings as whole sentences. */
function checkEdit(edited: EditedFile, context: ReviewContext): readonly string[] {
  const { base, result } = edited;
  const isSame = base.stream.isAbsent === result.stream.isAbsent && base.stream.text === result.stream.text;
  if (isSame) return [];
  return CHECKS.flatMap((check) => check(edited, context));
}

/** Returns the warnings for a person who reads the edit later. Refusals become warnings: only applying it is refused. */
export function notesOn(edited: EditedFile, context: ReviewContext): readonly string[] {
  return [noteExecuted, noteProblems, checkSchemas].flatMap((check) => {
    try {
      return check(edited, context);
    } catch (error) {
      if (error instanceof Refusal) return [`${error.code}: ${error.message}.`];
      throw error;
    }
  });
}

/**
 * Throws PERMISSION_DENIED for a file that cannot be written, so that no one approves what cannot be applied. Nothing is checked by
 * a read-only server, or by a command on a machine without the files.
 */
function checkReplaceable({ path, base }: EditedFile, { policy, sandbox }: ReviewContext): readonly string[] {
  const isHere = !policy.readOnly && sandbox.hasRoots;
  if (isHere && base.stream.isAbsent !== true) requireReplaceable(sandbox, path);
  return [];
}

/** Throws ENCRYPTED_FILE for an edit that could break encrypted content. */
function checkEncrypted({ path, base, result }: EditedFile): readonly string[] {
  return refuseBroken(base, result, path.toString());
}

const isExecuted = lazily(() => compileAllow(EXECUTED_FILES, []));

/** Asks about a change of a file that programs execute, unless a pattern of the operator names it by more than a wildcard. */
function noteExecuted({ path }: EditedFile, { policy }: ReviewContext): readonly string[] {
  if (!isExecuted()(path.components)) return [];
  const own = policy.allow.filter((glob) => !DEFAULT_ALLOW.includes(glob) && !/(?:^|\/)[*?]+$/u.test(glob));
  if (compileAllow(own, policy.roots)(path.components)) return [];
  return ['Programs run what is in this file. Did you mean to change what they run?'];
}

/** Notes the remaining problems of a file that could not be parsed. */
function noteProblems({ path, base, result }: EditedFile, { policy }: ReviewContext): readonly string[] {
  if (base.stream.hasStructure !== false || base.format.name === 'text') return [];
  if (base.stream.isAbsent === true || result.stream.isAbsent === true) return [];
  const read = (text: string): ConfigFile => readEvenIfInvalid(path, text, policy.limits);
  const { unreadable, format } = read(result.stream.text);
  if (unreadable === undefined || unreadable.code === 'UNSUPPORTED_FORMAT') return [];
  const problems = unreadable.clues.problems ?? [];
  const [first] = problems;
  const place = first === undefined ? '' : `: line ${first.line}, column ${first.column}: ${first.message}`;
  const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const is = read(base.stream.text).unreadable === undefined ? 'is no longer' : 'is still not';
  return [`The file ${is} valid ${format.name}${place}${rest}.`];
}
