// A preview as it is kept: everything that was shown, and everything that is needed to apply exactly that. Plain data;
// what it claims is checked by security/approval.
import { z } from 'zod';
import {
  APPROVALS,
  callerShape,
  countField,
  editShape,
  idField,
  LEVELS,
  nonceField,
  sha256Field,
  timeField,
} from './values.ts';

const changeShape = z
  .strictObject({
    op: z.enum(['add', 'replace', 'remove', 'rename', 'comment', 'text', 'create', 'delete']),
    doc: countField,
    path: z.string(),
    from: z.string().exactOptional(),
    to: z.string().exactOptional(),
    line: countField,
  })
  .readonly();

/** The text that was read stands beside the record, under its hash. */
const fileShape = z.strictObject({
  file: z.string(),
  base_sha256: sha256Field,
  result_sha256: sha256Field,
  /** `create` or `delete`: the base or the result is no file, and an empty text here. */
  file_op: z.enum(['create', 'delete']).exactOptional(),
  /** Permissions of a file that is deleted, or created again. */
  mode: countField.exactOptional(),
  /** Folders that are made with the file. */
  folders: z.array(z.string()).readonly().exactOptional(),
  edits: z.array(editShape).readonly(),
  changes: z.array(changeShape).readonly(),
  diff: z.string(),
  removed_comments: z.array(z.string()).readonly(),
  also_affects: z.array(z.string()).readonly(),
});

/** One file of a preview or a change, with the whole text that was read. */
export type PreviewFile = Readonly<z.infer<typeof fileShape>> & { readonly base: string };

/** A rule, or the default, and what it says of changes of one file. */
const ruleNoteShape = z
  .strictObject({
    /** Its id; `default` for what no rule names. */
    rule: z.string(),
    level: z.enum(LEVELS),
    file: z.string(),
    /** Of the first of these changes. */
    path: z.string(),
    count: countField,
    /** In the operator's words. */
    say: z.string().exactOptional(),
  })
  .readonly();
export type RuleNote = z.infer<typeof ruleNoteShape>;

const needShape = z
  .strictObject({
    rule: z.string(),
    count: countField,
    approvers: z.array(z.string()).readonly().exactOptional(),
  })
  .readonly();

const originShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('edit') }).readonly(),
  z.strictObject({ kind: z.literal('revert'), change_id: idField }).readonly(),
  /** A reviewer kept some edits (by their index) of another preview. */
  z.strictObject({ kind: z.literal('part'), of: idField, kept: z.array(countField).readonly() }).readonly(),
]);
export type Origin = z.infer<typeof originShape>;

/** What a preview and a change both record. */
export const commonFields = {
  v: z.literal(1),
  nonce: nonceField,
  caller: callerShape,
  /** Fingerprint of the policy in force. */
  policy: sha256Field,
  /** Hash of the roots that its files lie in. */
  roots: sha256Field,
  origin: originShape,
  /** What it is for, in the agent's words: shown to people as such, and believed by nobody. */
  reason: z.string().exactOptional(),
  files: z.array(fileShape).readonly(),
};

export const previewShape = z.strictObject({
  ...commonFields,
  created_at: timeField,
  expires_at: timeField,
  /** What it needs: the level of its strictest change. */
  approval: z.enum(APPROVALS),
  /** Why, in the order of its files. */
  rules: z.array(ruleNoteShape).readonly(),
  /** The call that asked for it, for asking again where a file has changed since. */
  tool: z.string().regex(/^[a-z_]{1,64}$/u),
  request: z.unknown(),
  warnings: z.array(z.string()).readonly(),
  /** Who asked for the preview that it stands in for. */
  proposers: z.array(z.string()).readonly().exactOptional(),
  /** Of the rules that ask for several reviewers, or for certain ones; none where any one is enough. */
  needs: z.array(needShape).readonly().exactOptional(),
});

export type Preview = Readonly<Omit<z.infer<typeof previewShape>, 'files'>> & {
  readonly files: readonly PreviewFile[];
};
