// A preview whose parts agree with each other: the base has its hash, the edits make the result, and the shown diff follows
// from them when it is computed again. This does not promise that it may be applied, nor that the files still equal the base.

import {
  canonicalJson,
  type Preview,
  type PreviewFile,
  type PreviewStatus,
  sha256Hex,
} from '../../state/index.ts';
import { type Change, type Edit, type FileOp, splice } from '../edits/edit.ts';
import { assertEqualOutside } from '../edits/verified-edit.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { holdsTooLong } from './preview.ts';

const KEY: unique symbol = Symbol('StoredPreview');

export interface Shown {
  readonly diff: string;
  /** Changes that were found by comparing the data of both texts. Changes of comments are not among them. */
  readonly changes: readonly Change[];
  readonly removed_comments: readonly string[];
  readonly also_affects: readonly string[];
}

/** Computes what is shown of an edit; the format's adapter provides it. Throws where the text cannot be read. */
export type RecomputePreview = (
  file: string,
  base: string,
  after: string,
  edits: readonly Edit[],
  fileOp?: FileOp,
) => Shown;

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
  recompute: RecomputePreview,
): StoredPreview | undefined {
  const isTrueToItself = !holdsTooLong(preview) && preview.files.every((file) => isTrue(file, recompute));
  return isTrueToItself ? new StoredPreview(KEY, id, preview, status) : undefined;
}

/** The tool call that makes the same preview anew. */
export function askAgain({ tool, request }: Pick<Preview, 'tool' | 'request'>): {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
} {
  return { tool, arguments: { ...Object(request), dry_run: true } };
}

function isTrue(stored: PreviewFile, recompute: RecomputePreview): boolean {
  const { file, base, edits, diff, changes, removed_comments, also_affects } = stored;
  // Edits that overlap, or a text that is no longer readable, were never shown, so they count as inconsistent.
  const isShown = ignoring('all', () => {
    const after = resultIn(stored);
    if (after === undefined) return false;
    assertEqualOutside(base, after, edits);
    // A change of comments is in the diff, and cannot be found by comparing data.
    const found = changes.filter(({ op }) => op !== 'comment');
    return (
      canonicalJson(recompute(file, base, after, edits, stored.file_op)) ===
      canonicalJson({ diff, changes: found, removed_comments, also_affects })
    );
  });
  return isShown === true;
}

/** Applies the edits to the base. Answers undefined where one of the hashes differs, and throws where edits overlap. */
function resultIn({ base, edits, base_sha256, result_sha256 }: PreviewFile): string | undefined {
  const after = splice(base, edits);
  return sha256Hex(base) === base_sha256 && sha256Hex(after) === result_sha256 ? after : undefined;
}
