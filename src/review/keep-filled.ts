// What a person has filled in is kept, as a preview in the place of another, and recorded without the value.
import {
  type AuditRecord,
  type Caller,
  type PreviewFile,
  Refusal,
  type State,
  type StoredPreview,
} from '../security/index.ts';
import { type FillRequest, fillPreview } from '../tools/index.ts';
import type { ViewContext } from './file-view.ts';

export interface Filler {
  /** As the audit trail names them. */
  readonly caller: Caller;
  /** All that are known of them: no approval under any of these counts. */
  readonly names: readonly string[];
}

/** Answers its id. Where the preview cannot be kept, neither is the value. */
export function keepFilled(
  stored: StoredPreview,
  request: FillRequest,
  { caller, names }: Filler,
  context: ViewContext & { readonly state: State },
): string {
  const { filled, previews } = context.state;
  const { draft, file, path, valueId } = fillPreview(stored, { ...request, by: names }, filled, context);
  const fill = { action: 'fill', paths: [path], preview: stored.id, caller };
  try {
    const saved = previews.save(draft, (preview) => [
      ...draft.files.map((one) => ({ ...recordOf(one), action: 'propose', preview, caller: draft.caller })),
      { ...recordOf(file), ...fill, filled_as: preview },
    ]);
    if (saved !== undefined) return saved.id;
    throw new Refusal('NO_SPACE', 'Cannot fill in this value: the preview is too large to be kept.');
  } catch (error) {
    filled.discard(valueId);
    throw error;
  }
}

function recordOf({ file, file_op, base_sha256, result_sha256, changes }: PreviewFile) {
  const paths = changes.map(({ path }) => path);
  return {
    outcome: 'kept',
    file,
    file_op,
    base_sha256,
    result_sha256,
    paths,
  } as const satisfies Partial<AuditRecord>;
}
