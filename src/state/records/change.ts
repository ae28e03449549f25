// Defines the record of a change: what is applied, who confirmed it, and all that is needed to show or undo it.
import { z } from 'zod';
import { commonFields, type PreviewFile } from './preview.ts';
import { CONFIRMATIONS, editShape, idField, sha256Field, timeField } from './values.ts';

export const changeShape = z.strictObject({
  ...commonFields,
  at: timeField,
  /** The preview that was applied; a direct write has none. */
  preview: idField.exactOptional(),
  confirmed_by: z.enum(CONFIRMATIONS),
  reviewer: z.string().exactOptional(),
  /** The ids of the rules that asked for this confirmation, or `default`; left out where there was no policy. */
  by_rules: z.array(z.string()).readonly().exactOptional(),
});

export type Change = Readonly<Omit<z.infer<typeof changeShape>, 'files'>> & {
  readonly files: readonly PreviewFile[];
};

/**
 * The edit of the bytes of a file in which something is masked; it is never shown. `undo` leads from the result back to the
 * base, with the removed bytes, and only recovery reads it. `removed` holds the same texts as they were shown, for a person who
 * undoes the change later.
 */
const exactFileShape = z
  .strictObject({
    file: z.string(),
    base_sha256: sha256Field,
    result_sha256: sha256Field,
    undo: z.array(editShape).readonly(),
    removed: z.array(z.strictObject({ shown: z.string(), exact: z.string() }).readonly()).readonly(),
  })
  .readonly();
export type ExactFile = z.infer<typeof exactFileShape>;

export const exactShape = z.array(exactFileShape).readonly();
