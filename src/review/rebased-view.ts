// Makes the change of a preview for files that have changed since, and the view of the result for a reviewer.
import { canonicalJson, type PreviewDraft, type StoredPreview, sha256Hex } from '../security/index.ts';
import { rebasedDraft } from '../tools/index.ts';
import { type FileView, fileView, type ViewContext } from './file-view.ts';
import { type Folded, foldEqualChanges } from './folded-view.ts';

/** Tells a reviewer that the files have changed where the change is, so that it cannot be made for the present files. */
export const REBASE_CONFLICT = 'What has changed since is in the way: it can only be rejected.';

export interface RebasedView {
  readonly files: readonly FileView[];
  readonly folded: Folded;
  /** The hash of all files before and after. The reviewer's approval names it, so that it is about exactly these files. */
  readonly shown: string;
}

/** Answers the draft and its view; undefined where no file has changed, and where the change cannot be made for the present files. */
export async function rebasedPreview(
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
  return {
    draft,
    view: { files, folded: foldEqualChanges(draft.files), shown: sha256Hex(canonicalJson(versions)) },
  };
}
