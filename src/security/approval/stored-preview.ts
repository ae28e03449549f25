// A preview whose texts and edits agree with each other. It may still be one that must not be applied, or whose files have
// changed since. Its recorded diff is not checked either: whoever decides about it is shown a diff that is computed anew.
import { type Preview, type PreviewFile, type PreviewStatus, sha256Hex } from '../../state/index.ts';
import { splice } from '../edits/edit.ts';
import { ignoring } from '../errors/io-refusal.ts';

/** Its class is not exported, so that no other module can make one. */
class LoadedPreview {
  /** It makes objects of the same shape another type. */
  protected readonly isGenuine = true;
  readonly id: string;
  readonly record: Preview;
  /** The decisions as they were when the preview was loaded. */
  readonly status: PreviewStatus;

  constructor(id: string, record: Preview, status: PreviewStatus) {
    this.id = id;
    this.record = record;
    this.status = status;
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

export type StoredPreview = LoadedPreview;

/** Returns the preview; undefined unless its texts have the hashes that it names. */
export function storedPreview(
  id: string,
  preview: Preview,
  status: PreviewStatus,
): StoredPreview | undefined {
  return preview.files.every(isConsistentFile) ? new LoadedPreview(id, preview, status) : undefined;
}

/** Returns the tool call that makes the same preview anew. */
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
