// `preview_id` of an edit: its edits join those of a preview of the same caller that was not applied yet. All of them are planned
// and proven anew, as one batch on the files as they are now, and what comes out takes the place of that preview.
import { type Preview, proposersOf, Refusal } from '../security/index.ts';
import { runEdits } from './edit.ts';
import { type EditInput, groupByFile, MOST_EDITS, recordedEdits } from './edit-batch.ts';
import { loadOpenPreview } from './own.ts';
import type { CallContext, Reply } from './tool.ts';

export interface JoiningCall {
  readonly previewId: string;
  readonly edits: readonly EditInput[];
  readonly expected: Parameters<typeof groupByFile>[1];
  readonly dryRun: boolean;
  readonly reason: string | undefined;
}

/**
 * Returns the preview of all edits. Throws what loading the preview throws, APPROVAL_DECLINED for one that was rejected, and the
 * refusals of every step; the preview stays as it is then.
 */
export async function joinPreview(call: JoiningCall, context: CallContext): Promise<Reply> {
  const { previewId, edits, expected, dryRun, reason } = call;
  if (!dryRun)
    throw new Refusal(
      'ARGUMENT_INVALID',
      'Cannot write at once with preview_id: leave out dry_run, and apply the preview that this answers',
    );
  const stored = await loadOpenPreview(previewId, 'add to', context);
  const earlier = editsOf(stored.record);
  if (earlier.length + edits.length > MOST_EDITS)
    throw new Refusal(
      'LIMIT_EXCEEDED',
      `Cannot add to this preview: it would hold more than ${MOST_EDITS} edits`,
      {},
      {
        limit: {
          name: 'edits of a preview',
          allowed: MOST_EDITS,
          actual: earlier.length + edits.length,
          unit: 'edits',
        },
      },
    );
  const all = [...earlier, ...edits];
  try {
    const joined = {
      ...{ dryRun, tool: 'config_edit', request: { edits: all }, replaces: stored.id },
      ...{ reason: reason ?? stored.record.reason, proposers: proposersOf(stored.record) },
    };
    return await runEdits(groupByFile(all, expected, context), joined, context);
  } catch (error) {
    throw error instanceof Refusal ? inOwnWords(error, earlier.length) : error;
  }
}

/** The edits that the call of a preview has asked for. Throws ARGUMENT_INVALID for one that no edit has asked for. */
function editsOf(preview: Preview): readonly EditInput[] {
  const edits = preview.origin.kind === 'edit' ? recordedEdits(preview) : undefined;
  if (edits !== undefined) return edits;
  throw new Refusal(
    'ARGUMENT_INVALID',
    'Cannot add to this preview: it undoes a change, or a person has made it of a part of another one',
    {},
    { advice: ['Apply it as it is, and preview the edits without preview_id'] },
  );
}

/** The caller counts its own edits only; those of the preview come before them. */
function inOwnWords({ code, message, where, clues }: Refusal, earlier: number): Refusal {
  const { edit_index: index } = where;
  if (index === undefined || index >= earlier)
    return new Refusal(
      code,
      message,
      { ...where, edit_index: index === undefined ? undefined : index - earlier },
      clues,
    );
  const advice = [
    'It is an edit that the preview holds, and no longer fits the file as it is now: preview the rest without preview_id',
    ...(clues.advice ?? []),
  ];
  return new Refusal(code, message, { ...where, edit_index: undefined }, { ...clues, advice });
}
