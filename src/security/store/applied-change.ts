// A change as it is kept: what is applied, who confirmed it, and all that is needed to complete or undo it. Plain data,
// read strictly.
import { type Origin, type PreviewFile, readEdit, readOrigin, readPreviewFile } from '../approval/preview.ts';
import { resultIn } from '../approval/stored-preview.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { CONFIRMATIONS, type ConfirmedBy } from '../policy/levels.ts';
import { type Caller, readCaller } from '../records/caller.ts';
import { decodeRecord, readFields, SHA256 } from '../records/fields.ts';
import type { Removed } from '../secrets/removed-text.ts';

export interface AppliedChange {
  readonly v: 1;
  readonly nonce: string;
  readonly at: string;
  /** The preview that was applied; a direct write has none. */
  readonly preview?: string;
  readonly confirmed_by: ConfirmedBy;
  readonly reviewer?: string;
  /** The ids of the rules that asked for that, or `default`; none where there was no policy. */
  readonly by_rules?: readonly string[];
  readonly caller: Caller;
  /** Fingerprint of the policy that it was applied under. */
  readonly policy: string;
  /** Hash of the roots that its files lie in. */
  readonly roots: string;
  readonly origin: Origin;
  /** Of the preview, or of the call that wrote at once. */
  readonly reason?: string;
  readonly files: readonly PreviewFile[];
  /** Of those of them in which something is masked; none of it is shown. */
  readonly exact?: readonly ExactChange[];
}

/** What is done to the bytes themselves, for completing the change, and what it removed that was masked, for a person who undoes it. */
export interface ExactChange extends Pick<PreviewFile, 'file' | 'base_sha256' | 'result_sha256' | 'edits'> {
  readonly removed: readonly Removed[];
}

/** Undefined for a text that is not the one that the id names, or whose files are not what their hashes say. */
export function changeIn(id: string, text: string): AppliedChange | undefined {
  const change = decodeRecord(id, text, readChange);
  return change?.files.every(isTrue) === true ? change : undefined;
}

function readChange(value: unknown): AppliedChange {
  return readFields(value, (fields) => ({
    v: fields.version(),
    nonce: fields.text('nonce', /^[\w-]{22}$/u),
    at: fields.time('at'),
    confirmed_by: fields.oneOf('confirmed_by', CONFIRMATIONS),
    ...fields.optionalTexts('preview', 'reviewer', 'reason'),
    ...(fields.has('by_rules') ? { by_rules: fields.texts('by_rules') } : {}),
    caller: readCaller(fields.raw('caller')),
    policy: fields.text('policy', SHA256),
    roots: fields.text('roots', SHA256),
    origin: readOrigin(fields.raw('origin')),
    files: fields.list('files', readPreviewFile),
    ...(fields.has('exact') ? { exact: fields.list('exact', readExact) } : {}),
  }));
}

function readExact(value: unknown): ExactChange {
  return readFields(value, (fields) => ({
    file: fields.text('file'),
    base_sha256: fields.text('base_sha256', SHA256),
    result_sha256: fields.text('result_sha256', SHA256),
    edits: fields.list('edits', readEdit),
    removed: fields.list('removed', readRemoved),
  }));
}

function readRemoved(value: unknown): Removed {
  return readFields(value, (fields) => ({ shown: fields.text('shown'), exact: fields.text('exact') }));
}

function isTrue(file: PreviewFile): boolean {
  return ignoring('all', () => resultIn(file)) !== undefined;
}
