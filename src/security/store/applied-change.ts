// A change as it is kept: what is applied, who confirmed it, and all that is needed to complete or undo it. Plain data,
// read strictly.
import { type Origin, type PreviewFile, readOrigin, readPreviewFile } from '../approval/preview.ts';
import { resultIn } from '../approval/stored-preview.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { CONFIRMATIONS, type ConfirmedBy } from '../policy/policy.ts';
import { type Caller, readCaller } from '../records/caller.ts';
import { decodeRecord, readFields, SHA256 } from '../records/fields.ts';

export interface AppliedChange {
  readonly v: 1;
  readonly nonce: string;
  readonly at: string;
  /** The preview that was applied; a direct write has none. */
  readonly preview?: string;
  readonly confirmed_by: ConfirmedBy;
  readonly reviewer?: string;
  readonly caller: Caller;
  /** Fingerprint of the policy that it was applied under. */
  readonly policy: string;
  /** Hash of the roots that its files lie in. */
  readonly roots: string;
  readonly origin: Origin;
  /** Of the preview, or of the call that wrote at once. */
  readonly reason?: string;
  readonly files: readonly PreviewFile[];
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
    caller: readCaller(fields.raw('caller')),
    policy: fields.text('policy', SHA256),
    roots: fields.text('roots', SHA256),
    origin: readOrigin(fields.raw('origin')),
    files: fields.list('files', readPreviewFile),
  }));
}

function isTrue(file: PreviewFile): boolean {
  return ignoring('all', () => resultIn(file)) !== undefined;
}
