// config_set changes one value. It only describes the edit; edit.ts carries it out.
import { z } from 'zod';
import { runEdits } from './edit.ts';
import { fileOfSet } from './edit-batch.ts';
import { joinPreview } from './plan-stored.ts';
import {
  docField,
  dryRunField,
  jsonField,
  previewField,
  reasonField,
  runEvenIfInvalid,
  sha256Field,
  tool,
} from './tool.ts';

export const configSet = tool({
  name: 'config_set',
  title: 'Set one value',
  description:
    'Sets one value and changes no other byte: comments, quoting and layout stay. Returns a preview for config_apply. Give either value or json.',
  input: z
    .strictObject({
      file: z.string(),
      path: z.string().describe('As in config_get'),
      value: z
        .string()
        .optional()
        .describe(
          'As the file writes it: 1.10 becomes a number, keep quotes yourself. No leading "- " for one list item, no repeated key',
        ),
      json: jsonField
        .optional()
        .describe('Typed: false, 3, "1.10", ["a"], objects too; quoted as needed. First choice'),
      doc: docField.describe('As in config_get'),
      create: z.boolean().optional().describe('Create missing keys; default true'),
      preview_id: previewField.describe('A preview to add this to'),
      dry_run: dryRunField,
      expected_sha256: sha256Field.optional().describe('It must have this sha256'),
      reason: reasonField.describe('What it is for, shown to people'),
    })
    .refine(({ value, json }) => (value === undefined) !== (json === undefined), {
      message: 'give exactly one of value and json',
      path: ['value'],
      ...runEvenIfInvalid,
    }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run({ preview_id: previewId, reason, dry_run: dryRun, expected_sha256, ...edit }, context) {
    const { file, path, doc, value, json, create } = edit;
    if (previewId !== undefined) {
      const edits = [{ op: 'set' as const, ...edit }];
      return joinPreview({ previewId, edits, expected: expected_sha256, dryRun, reason }, context);
    }
    const selected = doc === undefined ? {} : { doc };
    const written = value === undefined ? { json: json ?? null } : { value };
    const request = { file, path, ...selected, ...written, ...(create === undefined ? {} : { create }) };
    const files = [fileOfSet(request, expected_sha256)];
    return runEdits(files, { dryRun, reason, tool: 'config_set', request }, context);
  },
});
