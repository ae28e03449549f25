// A preview whose texts and edits agree with each other. This does not promise that it may be applied, that the files still equal
// the base, or that its diff follows from its edits: whoever decides about it is shown what is computed anew.
import { type Preview, type PreviewFile, type PreviewStatus, sha256Hex } from '../../state/index.ts';
import { splice } from '../edits/edit.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { holdsTooLong } from './preview.ts';

const KEY: unique symbol = Symbol('StoredPreview');

export class StoredPreview {
  readonly #isGenuine = true;
  readonly id: string;
  readonly record: Preview;
  /** The decisions as they were when the preview was loaded. */
  readonly status: PreviewStatus;

  /** @internal Made by `storedPreview` only. */
  constructor(key: typeof KEY, id: string, record: Preview, status: PreviewStatus) {
    if (key !== KEY) throw new TypeError('a StoredPreview is made by loading a preview only');
    this.id = id;
    this.record = record;
    this.status = status;
    Object.freeze(this);
  }

  /** True only for an object that this module made; a look-alike answers false. */
  static isGenuine(value: unknown): value is StoredPreview {
    return typeof value === 'object' && value !== null && #isGenuine in value;
  }

  /** The tool call that makes the same preview anew. */
  get askAgain(): ReturnType<typeof askAgain> {
    return askAgain(this.record);
  }

  isExpired(now: Date): boolean {
    // A creation time in the future means that the clock was set back; the age is then unknown, and it counts as
    // expired.
    return this.record.expires_at <= now.toISOString() || this.record.created_at > now.toISOString();
  }
}

/** For this layer only: answers undefined unless the preview that the id names is consistent. */
export function storedPreview(
  id: string,
  preview: Preview,
  status: PreviewStatus,
): StoredPreview | undefined {
  const isConsistent = !holdsTooLong(preview) && preview.files.every(makesResult);
  return isConsistent ? new StoredPreview(KEY, id, preview, status) : undefined;
}

/** The tool call that makes the same preview anew. */
export function askAgain({ tool, request }: Pick<Preview, 'tool' | 'request'>): {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
} {
  return { tool, arguments: { ...Object(request), dry_run: true } };
}

/** True where the base has its hash, and the edits make the result of it. */
function makesResult({ base, edits, base_sha256, result_sha256 }: PreviewFile): boolean {
  // Edits that overlap make nothing.
  const after = ignoring('all', () => splice(base, edits));
  return after !== undefined && sha256Hex(base) === base_sha256 && sha256Hex(after) === result_sha256;
}
