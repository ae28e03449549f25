// config_edit takes a batch of edits in one or many files, all or nothing. It only collects them; edit.ts carries them out.
import { z } from 'zod';
import { runEdits } from './edit.ts';
import { editFields, groupByFile, MOST_EDITS } from './edit-batch.ts';
import { joinPreview } from './plan-stored.ts';
import { dryRunField, previewField, reasonField, sha256Field, tool } from './tool.ts';

export const configEdit = tool({
  name: 'config_edit',
  title: 'Edit in a batch',
  description:
    'Edits files in order, all or nothing; later edits see earlier ones. Returns a preview for config_apply.',
  input: z.strictObject({
    edits: z.array(editFields).min(1).max(MOST_EDITS),
    preview_id: previewField,
    dry_run: dryRunField,
    expected_sha256: z
      .union([sha256Field, z.array(z.strictObject({ file: z.string(), sha256: sha256Field }))])
      .optional(),
    reason: reasonField,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  run({ edits, reason, preview_id: previewId, dry_run: dryRun, expected_sha256: expected }, context) {
    if (previewId !== undefined) return joinPreview({ previewId, edits, expected, dryRun, reason }, context);
    const files = groupByFile(edits, expected, context);
    return runEdits(files, { dryRun, reason, tool: 'config_edit', request: { edits } }, context);
  },
});
