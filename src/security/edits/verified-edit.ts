// The proof that a result is the base with nothing but the stated edits, and that the format's adapter agreed that it is the
// intended change. A commit accepts nothing else. It does not promise that the file is still the base: that is checked when it
// is written.
import { sha256Hex } from '../../state/canonical.ts';
import { Refusal } from '../errors/refusal.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { requireMaskedSize, requireSize } from '../sandbox/file-size.ts';
import { exact, maskedIn, maskingOf, type Snapshot } from '../sandbox/snapshot.ts';
import type { MaskedBy } from '../secrets/found-secret.ts';
import { exactEdits, secretsIn } from '../secrets/masked-text.ts';
import type { Masking } from '../secrets/masking.ts';
import { requireStillMasked, SAMPLE_SECRET } from '../secrets/still-masked.ts';
import { holdsPlaceholder } from '../text/placeholders.ts';
import { type Change, compose, type Edit, type FileOp, splice, withInserted } from './edit.ts';

/** Returns all changes from the snapshot to this text. Throws unless the text is exactly the intended result. */
export type Check = (after: string) => readonly Change[];

export class VerifiedEdit {
  readonly snapshot: Snapshot;
  /** The spans that the whole chain of edits replaced, in coordinates of the snapshot. */
  readonly edits: readonly Edit[];
  readonly changes: readonly Change[];
  /** Undefined where the file exists before and after. */
  readonly fileOp: FileOp | undefined;
  /** The mode of the deleted file, or the mode that a created file must have. */
  readonly mode: number | undefined;
  readonly isNoop: boolean;
  /** The result as it is shown. */
  readonly after: string;
  #resultSha256: string | undefined;
  #exact: ExactEdit | undefined;

  /** @internal Made by `prove` and `and` only. */
  constructor(
    snapshot: Snapshot,
    edits: readonly Edit[],
    after: string,
    changes: readonly Change[],
    whole: WholeFile,
  ) {
    this.snapshot = snapshot;
    this.after = after;
    this.edits = Object.freeze(edits.map((edit) => Object.freeze({ ...edit })));
    this.changes = Object.freeze(changes.map((change) => Object.freeze({ ...change })));
    this.fileOp = whole.fileOp;
    this.isNoop = whole.fileOp === undefined && after === snapshot.text;
    this.mode = whole.mode;
    Object.freeze(this);
  }

  /** Proves edits that are in coordinates of the snapshot. Throws VALUE_INVALID, FILE_TOO_LARGE, or what `check` throws. */
  static prove(
    snapshot: Snapshot,
    edits: readonly Edit[],
    check: Check,
    { fileOp, mode }: Partial<WholeFile> = {},
  ): VerifiedEdit {
    if ((fileOp === 'create') !== (snapshot.absence !== undefined))
      throw new TypeError('a file is created where there is none, and nowhere else');
    const own = copied(edits);
    const after = splice(snapshot.text, own);
    if (fileOp === 'delete' && after !== '') throw new TypeError('nothing is left of a file that is deleted');
    const whole = { fileOp, mode: fileOp === 'delete' ? snapshot.mode : mode };
    return proven(snapshot, own, after, check, whole);
  }

  /** Adds the next operation of the same batch; `edits` are in coordinates of `after`. The result is still one change of the snapshot. */
  and(edits: readonly Edit[], check: Check): VerifiedEdit {
    const own = copied(edits);
    const after = splice(this.after, own);
    assertEqualOutside(this.after, after, own);
    const composed = compose(this.snapshot.text.length, this.edits, own);
    if (this.fileOp === 'delete') throw new TypeError('a file that is deleted has no next edit');
    return proven(this.snapshot, composed, after, check, this);
  }

  /** The hash of the result as it is shown, with secrets masked. */
  get resultSha256(): string {
    this.#resultSha256 ??= sha256Hex(this.after);
    return this.#resultSha256;
  }

  /** Throws SECRET_PLACEHOLDER where the edit carries a masked value, would show one, or writes one. It is called once more before anything is written. */
  requireStillMasked(): void {
    this.exact();
  }

  /** Returns the edit of the bytes. Throws as `requireStillMasked` does. */
  exact(): ExactEdit {
    this.#exact ??= exactEdit(this);
    return this.#exact;
  }

  /** Names the rule that masks what the edit may not touch or write; 'text' where only the form of the value does. */
  maskedBy(): MaskedBy {
    const masking = maskingOf(this.snapshot);
    const { snapshot, edits, after } = this;
    return masking === undefined
      ? 'text'
      : maskedBy(masking, { path: snapshot.path, shown: snapshot.text, edits, after });
  }

  /** Returns the lines of a new file that would be masked; none for a file that exists, where nothing may tell of them. */
  maskedLines(): readonly number[] {
    const masking = maskingOf(this.snapshot);
    if (masking === undefined || this.fileOp !== 'create') return [];
    return maskedLines(masking, { path: this.snapshot.path, after: this.after });
  }
}

/** A proven edit as data for the writer. The hashes of exact texts never leave this process. */
export interface FileWrite {
  readonly file: string;
  readonly fileOp: FileOp | undefined;
  readonly mode: number | undefined;
  /** The hashes of the texts as they are shown, by which a preview names them. */
  readonly base_sha256: string;
  readonly result_sha256: string;
  /** The hashes and spans of the bytes themselves. */
  readonly exact: { readonly base: string; readonly edits: readonly Edit[]; readonly result: string };
}

/** Returns what is to be written. Throws as `requireStillMasked` does. */
export function fileWriteOf(edit: VerifiedEdit): FileWrite {
  const { snapshot, fileOp, mode, resultSha256 } = edit;
  const { edits, after } = edit.exact();
  return {
    ...{ file: snapshot.path.toString(), fileOp, mode },
    ...{ base_sha256: snapshot.sha256, result_sha256: resultSha256 },
    exact: {
      base: exact(snapshot).sha256,
      edits,
      result: after === edit.after ? resultSha256 : sha256Hex(after),
    },
  };
}

/** The edit of the bytes themselves, which differ from the shown text where something is masked. */
interface ExactEdit {
  readonly base: string;
  readonly edits: readonly Edit[];
  readonly after: string;
}

/** Returns the edit of the bytes, for writing and for a reviewer who asks for it. Throws as `requireStillMasked` does. */
export function exactEdit(edit: VerifiedEdit): ExactEdit {
  const { snapshot, edits, after, fileOp } = edit;
  const masking = maskingOf(snapshot);
  if (masking === undefined) return { base: snapshot.text, edits, after };
  const { path, limitBytes } = snapshot;
  const own = exactEdits(maskedIn(snapshot), edits);
  const base = exact(snapshot).text;
  // Where nothing is masked, it is what was proven.
  const isAsShown = maskedIn(snapshot).isUnmasked;
  const result = isAsShown ? after : splice(base, own);
  if (!isAsShown) assertEqualOutside(base, result, own);
  const planned = { text: after, sha256: edit.resultSha256 };
  const made = result === after ? planned : { text: result };
  if (fileOp !== 'delete')
    requireStillMasked(masking, { path, shown: snapshot, edits, after: planned, result: made });
  if (!isAsShown && fileOp !== 'delete') requireRoomFor(edit, base);
  requireSize(Buffer.byteLength(result), limitBytes, path.toString(), 'result');
  return { base, edits: own, after: result };
}

function requireRoomFor({ snapshot, after }: VerifiedEdit, base: string): void {
  const hidden = secretsIn(maskedIn(snapshot)).reduce(
    (sum, { start, end }) => sum + Buffer.byteLength(base.slice(start, end)),
    0,
  );
  const shown = Math.max(Buffer.byteLength(snapshot.text), Buffer.byteLength(after));
  requireMaskedSize({ hidden, shown }, snapshot.maskedLimitBytes, snapshot.path.toString());
}

/** The facts of an edit that are not in the text of the file. */
interface WholeFile {
  readonly fileOp: FileOp | undefined;
  readonly mode: number | undefined;
}

function proven(
  snapshot: Snapshot,
  edits: readonly Edit[],
  after: string,
  check: Check,
  whole: WholeFile,
): VerifiedEdit {
  const file = snapshot.path.toString();
  assertEqualOutside(snapshot.text, after, edits);
  // A lone surrogate has no bytes: writing it would put U+FFFD into the file.
  if (!after.isWellFormed()) {
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot write this value: it contains half of a surrogate pair. Send whole characters.',
      { file },
    );
  }
  requireSize(Buffer.byteLength(after), snapshot.limitBytes, file, 'result');
  return new VerifiedEdit(snapshot, edits, after, check(after), whole);
}

/** Copies the edits, because the caller's array could change between the splice and the proof. */
function copied(edits: readonly Edit[]): readonly Edit[] {
  return edits.map(({ start, end, insert }) => ({ start, end, insert }));
}

/** Checks by other code than made the result. Throws a plain Error (a bug of ours) where a character outside the edits differs. */
export function assertEqualOutside(before: string, after: string, edits: readonly Edit[]): void {
  let oldEnd = before.length;
  let newEnd = after.length;
  // It goes from the back, so that it cannot share a mistake with `splice`, which goes from the front.
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end).reverse()) {
    if (splitsCharacter(before, edit.start) || splitsCharacter(before, edit.end)) {
      throw new Error('an edit cuts a character in half');
    }
    const kept = oldEnd - edit.end;
    if (kept < 0 || edit.start < 0 || edit.end < edit.start)
      throw new Error('edits overlap or leave the text');
    if (before.slice(edit.end, oldEnd) !== after.slice(newEnd - kept, newEnd)) differ();
    newEnd -= kept + edit.insert.length;
    // Where the result is too short, this slice is too short as well and differs, so `newEnd` never goes below
    // zero.
    if (after.slice(newEnd, newEnd + edit.insert.length) !== edit.insert) differ();
    oldEnd = edit.start;
  }
  if (before.slice(0, oldEnd) !== after.slice(0, newEnd)) differ();
}

function differ(): never {
  throw new Error('the result differs outside the edits');
}

// True if the offset is within a surrogate pair. Half a pair has no bytes of its own, so the other half's bytes would change
// with it.
function splitsCharacter(text: string, offset: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(offset - 1)) && /[\udc00-\udfff]/.test(text.charAt(offset));
}

interface Planned {
  readonly path: SafePath;
  readonly shown: string;
  readonly edits: readonly Edit[];
  readonly after: string;
}

/** Returns the numbers of the lines of a new file that would be masked; none if it holds placeholders of other files. */
function maskedLines(masking: Masking, { path, after }: Pick<Planned, 'path' | 'after'>): number[] {
  if (holdsPlaceholder(after)) return [];
  const lines = masking
    .spansIn(path, { text: after }, SAMPLE_SECRET)
    .map(({ start }) => after.slice(0, start).split('\n').length);
  return [...new Set(lines)];
}

/**
 * Returns the rule that masks what an edit writes, else what it replaces, so that a refused caller can ask an operator to show
 * it; 'text' if neither names a rule. Works on shown texts alone.
 */
function maskedBy(masking: Masking, { path, shown, edits, after }: Planned): MaskedBy {
  const written = withInserted(edits, shown.length).map(({ inserted }) => inserted);
  return byIn(after, written) ?? byIn(shown, edits) ?? 'text';

  function byIn(text: string, places: readonly Pick<Edit, 'start' | 'end'>[]): MaskedBy | undefined {
    const lines = places.map(({ start, end }) => {
      const next = text.indexOf('\n', end);
      return { start: text.lastIndexOf('\n', start - 1) + 1, end: next === -1 ? text.length : next };
    });
    const spans = masking.spansIn(path, { text }, SAMPLE_SECRET);
    return spans.find(({ start, end }) => lines.some((line) => line.start < end && start < line.end))?.by;
  }
}
