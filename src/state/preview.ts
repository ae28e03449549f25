// A preview: all that was shown of a change, and all that is needed to apply exactly that. It never changes: its id is the hash of
// its body. What became of it stands in the events about it.
import { z } from 'zod';
import { parsedJson, randomNonce } from './canonical-json.ts';
import { contentId } from './content-id.ts';
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

/** One file of a preview; its masked base is kept beside the body, where it is kept. */
const fileShape = z.strictObject({
  file: z.string(),
  base_sha256: sha256Field,
  result_sha256: sha256Field,
  /** `create` or `delete`: the base or the result does not exist, and is an empty text here. */
  file_op: z.enum(['create', 'delete']).exactOptional(),
  /** The permissions of a file that is deleted, or created again. */
  mode: countField.exactOptional(),
  /** The folders that are made with the file. */
  folders: z.array(z.string()).readonly().exactOptional(),
  edits: z.array(editShape).readonly(),
  changes: z.array(changeShape).readonly(),
  /** For each change a hash of the place that it is about, by which it is known in a later version of the file. */
  places: z.array(z.string()).readonly(),
  diff: z.string(),
  removed_comments: z.array(z.string()).readonly(),
  also_affects: z.array(z.string()).readonly(),
});

/** One file of a preview. `base` is the whole text that was read, as it was shown. */
export type KeptFile = Readonly<z.infer<typeof fileShape>> & { readonly base?: string };
export type PreviewFile = KeptFile & { readonly base: string };

/** A rule, or the default, and its level for changes of one file. */
const ruleNoteShape = z
  .strictObject({
    /** The id of the rule; `default` where no rule names the change. */
    rule: z.string(),
    level: z.enum(LEVELS),
    file: z.string(),
    /** The path of the first of these changes. */
    path: z.string(),
    count: countField,
    /** The rule marks what it names as dangerous. */
    risk: z.literal('high').exactOptional(),
    /** The rule's explanation in the operator's words. */
    say: z.string().exactOptional(),
  })
  .readonly();
export type RuleNote = z.infer<typeof ruleNoteShape>;

export const needShape = z
  .strictObject({
    rule: z.string(),
    count: countField,
    approvers: z.array(z.string()).readonly().exactOptional(),
  })
  .readonly();

const skippedShape = z.strictObject({ file: z.string(), reason: z.string() }).readonly();
/** A file that a pattern of the call has matched, and that was not edited. */
export type SkippedFile = z.infer<typeof skippedShape>;

const originShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('edit') }).readonly(),
  /** `part`: without some files of the change. */
  z
    .strictObject({ kind: z.literal('revert'), change_id: idField, part: z.boolean().exactOptional() })
    .readonly(),
  /** A part of another preview. `kept` has the indexes of the edits that the reviewer selected. */
  z.strictObject({ kind: z.literal('part'), of: idField, kept: z.array(countField).readonly() }).readonly(),
]);
export type Origin = z.infer<typeof originShape>;

const previewShape = z.strictObject({
  v: z.literal(1),
  nonce: nonceField,
  caller: callerShape,
  /** The fingerprint of the options in force about which files are seen, and what is masked in them. */
  policy: sha256Field,
  /** The hash of the roots that hold its files. */
  roots: sha256Field,
  origin: originShape,
  /** The reason in the agent's words, which people see as such and nothing relies on. */
  reason: z.string().exactOptional(),
  files: z.array(fileShape).readonly(),
  created_at: timeField,
  expires_at: timeField,
  /** The level that it needs, which is that of its strictest change. */
  approval: z.enum(APPROVALS),
  /** The rules behind that level, in the order of its files. */
  rules: z.array(ruleNoteShape).readonly(),
  /** The call that made it, for making it again where a file has changed since. */
  tool: z.string().regex(/^[a-z_]{1,64}$/u),
  request: z.unknown(),
  warnings: z.array(z.string()).readonly(),
  /** The files that patterns have matched and that could not be edited, with the reasons; left out if there are none. */
  skipped: z.array(skippedShape).readonly().exactOptional(),
  /** The callers who asked for the preview that this one replaces. */
  proposers: z.array(z.string()).readonly().exactOptional(),
  /** The needs of rules that ask for several or for named reviewers; left out where any reviewer is enough. */
  needs: z.array(needShape).readonly().exactOptional(),
});

/** A preview as its body has it, without the texts of its files. */
export type PreviewBody = Readonly<z.infer<typeof previewShape>>;

/** A preview; each of its files has its base if a person has to look at it, or once its write was begun. */
export type Preview = Omit<PreviewBody, 'files'> & { readonly files: readonly KeptFile[] };
export type WholePreview = Omit<PreviewBody, 'files'> & { readonly files: readonly PreviewFile[] };

/** A preview before it gets its version and its nonce. */
export type PreviewDraft = Omit<Preview, 'v' | 'nonce'>;

export function isWhole(preview: Preview): preview is WholePreview {
  return preview.files.every(({ base }) => base !== undefined);
}

/** A preview as a store keeps it. */
export interface EncodedPreview {
  readonly id: string;
  readonly body: string;
  readonly preview: Preview;
  /** The size of the body and the texts, in UTF-8. */
  readonly sizeBytes: number;
}

/** Encodes a preview with a nonce, so that nobody can guess its id. */
export function encodePreview(draft: PreviewDraft): EncodedPreview {
  const preview: Preview = { ...draft, v: 1, nonce: randomNonce() };
  const body = JSON.stringify({ ...preview, files: preview.files.map(({ base: _, ...file }) => file) });
  const sizeBytes = preview.files.reduce(
    (sum, { base = '' }) => sum + Buffer.byteLength(base),
    Buffer.byteLength(body),
  );
  return { id: contentId(body), body, preview, sizeBytes };
}

/** Decodes a body; undefined unless it has the hash in the id. */
export function decodeBody(id: string, body: string): PreviewBody | undefined {
  return contentId(body) === id ? previewShape.safeParse(parsedJson(body)).data : undefined;
}
