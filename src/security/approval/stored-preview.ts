// A preview whose texts and edits agree with each other. It may still be one that must not be applied, or whose files have
// changed since. Its recorded diff is not checked either: whoever decides about it is shown a diff that is computed anew.
import { type Preview, type PreviewFile, type PreviewStatus, sha256Hex } from '../../state/index.ts';
import { splice } from '../edits/edit.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { hasWrongExpiry } from './preview.ts';

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
  get repeatedCall(): ReturnType<typeof repeatedCallOf> {
    return repeatedCallOf(this.record);
  }

  isExpired(now: Date): boolean {
    // A creation time in the future means that the clock was set back. The age is then unknown, and it counts as expired.
    return this.record.expires_at <= now.toISOString() || this.record.created_at > now.toISOString();
  }
}

/** Answers the preview; undefined unless its texts, hashes and times are consistent. Only this layer uses it. */
export function storedPreview(
  id: string,
  preview: Preview,
  status: PreviewStatus,
): StoredPreview | undefined {
  const isConsistent = !hasWrongExpiry(preview) && preview.files.every(isConsistentFile);
  return isConsistent ? new StoredPreview(KEY, id, preview, status) : undefined;
}

/** Answers the tool call that makes the same preview anew. */
export function repeatedCallOf({ tool, request }: Pick<Preview, 'tool' | 'request'>): {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
} {
  return { tool, arguments: { ...Object(request), dry_run: true } };
}

/** True if the edits make the result of the base, which has its hash. */
function isConsistentFile({ base, edits, result_sha256 }: PreviewFile): boolean {
  // Splicing fails where edits overlap.
  const after = ignoring('all', () => splice(base, edits));
  return after !== undefined && sha256Hex(after) === result_sha256;
}
