// A change whose files have changed since, made for the files as they are now: what a reviewer is shown of it, and by what
// the reviewer names exactly that.
import { canonicalJson, type PreviewDraft, type StoredPreview, sha256Hex } from '../security/index.ts';
import { rebasedDraft } from '../tools/index.ts';
import { type FileView, fileView, type ViewContext } from './file-view.ts';

export interface RebasedView {
  readonly files: readonly FileView[];
  /** The files before and after: who agrees says to what. */
  readonly shown: string;
}

/** Undefined where no file has changed, and where what came since is in the way. */
export async function rebasedOf(
  stored: StoredPreview,
  context: ViewContext,
): Promise<{ readonly draft: PreviewDraft; readonly view: RebasedView } | undefined> {
  const draft = await rebasedDraft(stored, context);
  if (draft === undefined) return undefined;
  const versions = draft.files.map(({ file, base_sha256, result_sha256 }) => [
    file,
    base_sha256,
    result_sha256,
  ]);
  const files = draft.files.map((file) => fileView(context, file));
  return { draft, view: { files, shown: sha256Hex(canonicalJson(versions)) } };
}
