// A preview whose texts and edits agree with each other. It may still be one that must not be applied, or whose files have
// changed since. Its recorded diff is not checked either: whoever decides about it is shown a diff that is computed anew.
import { sha256Hex } from '../../state/canonical.ts';
import type { PreviewStatus } from '../../state/event.ts';
import { isWhole, type KeptFile, type Preview, type WholePreview } from '../../state/preview.ts';
import { splice } from '../edits/edit.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';

export interface StoredPreview {
  readonly id: string;
  readonly record: Preview;
  /** The decisions as they were when the preview was loaded. */
  readonly status: PreviewStatus;
}

/** True if its texts have the hashes that it names. Only this layer uses it. */
export function isConsistent({ files }: Preview): boolean {
  return files.every(isConsistentFile);
}

/** True if it is too old. A creation time in the future means that the clock was set back. The age is then unknown, and it counts as too old. */
export function isExpired({ expires_at, created_at }: Preview, now: Date): boolean {
  return expires_at <= now.toISOString() || created_at > now.toISOString();
}

/** Returns the preview with the texts of its files. Throws ARGUMENT_INVALID for one that waits for nobody, and is kept without them. */
export function requireWhole(preview: Preview): WholePreview {
  if (isWhole(preview)) return preview;
  throw new Refusal(
    'ARGUMENT_INVALID',
    'Cannot look at this preview: it needs no reviewer, and its texts are not kept.',
  );
}

/** Returns the tool call that makes the same preview anew. */
export function repeatedCallOf({ tool, request }: Pick<Preview, 'tool' | 'request'>): {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
} {
  return { tool, arguments: { ...Object(request), dry_run: true } };
}

/** True if the edits make the result of the base, which has its hash. Without a base it is found when the preview is applied. */
function isConsistentFile({ base, edits, result_sha256 }: KeptFile): boolean {
  if (base === undefined) return true;
  // Splicing fails where edits overlap.
  const after = ignoring('all', () => splice(base, edits));
  return after !== undefined && sha256Hex(after) === result_sha256;
}
