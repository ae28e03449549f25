// A preview: all that was shown of a change, and all that is needed to apply exactly that. It never changes: its id is the hash of
// its body. The events about it say what became of it.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { contentId, isContentId, parsedJson, sha256Hex } from './canonical.ts';
import { Turns } from './driver.ts';

/**
 * The levels of confirmation, from the most lenient to the strictest. `direct` writes with `dry_run: false`, and `preview`
 * needs a preview. `client` also needs the agreement of the person at the client, and `human` the signature of a reviewer.
 */
export const APPROVALS = ['direct', 'preview', 'client', 'human'] as const;
/** All levels; what is denied can be approved by nobody. */
export const LEVELS = [...APPROVALS, 'deny'] as const;

export const sha256Field = z.string().regex(/^[0-9a-f]{64}$/u);
export const idField = z.string().refine(isContentId);
export const countField = z.number().int().nonnegative();
/** A time as this program writes it: `2026-11-21T12:00:00.000Z`. */
export const timeField = z.string().refine((text) => {
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === text;
});

/** The caller: the client in its own words and, where a transport has verified one, the principal behind it. */
export const callerShape = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    principal: z.string().exactOptional(),
    scopes: z.array(z.string()).readonly().exactOptional(),
    /** The trace of the client, in which the call was made. */
    trace_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/u)
      .exactOptional(),
  })
  .readonly();
export type Caller = z.infer<typeof callerShape>;

/** Spans of the base text in UTF-16 units, `end` exclusive, and the text that replaces them. */
const editShape = z.strictObject({ start: countField, end: countField, insert: z.string() }).readonly();

const changeShape = z
  .strictObject({
    op: z.enum(['add', 'replace', 'remove', 'rename', 'text', 'create', 'delete']),
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

export const originShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('edit') }).readonly(),
  /** `part`: without some files of the change. */
  z
    .strictObject({ kind: z.literal('revert'), change_id: idField, part: z.boolean().exactOptional() })
    .readonly(),
  /** A part of another preview. `kept` has the indexes of the edits that the reviewer selected. */
  z.strictObject({ kind: z.literal('part'), of: idField, kept: z.array(countField).readonly() }).readonly(),
]);
export type Origin = z.infer<typeof originShape>;

const bodyShape = z.strictObject({
  v: z.literal(1),
  /** 128 random bits, so that nobody can guess the id from the contents. */
  nonce: z.string().regex(/^[\w-]{22}$/u),
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
type Body = Readonly<z.infer<typeof bodyShape>>;

/** A preview; each of its files has its base if a person has to look at it, or once its write was begun. */
export type Preview = Omit<Body, 'files'> & { readonly files: readonly KeptFile[] };
export type WholePreview = Omit<Body, 'files'> & { readonly files: readonly PreviewFile[] };

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

/** Encodes a preview with its version and a nonce. Other work of this thread goes on between its files, of which there may be thousands. */
export async function encodePreview(draft: Omit<Preview, 'v' | 'nonce'>): Promise<EncodedPreview> {
  const preview: Preview = { ...draft, v: 1, nonce: randomBytes(16).toString('base64url') };
  const turns = new Turns();
  const { files, ...head } = preview;
  const texts: string[] = [];
  for (const { base: _, ...file } of files) {
    texts.push(JSON.stringify(file));
    await turns.next();
  }
  const body = `${JSON.stringify(head).slice(0, -1)},"files":[${texts.join(',')}]}`;
  await turns.next();
  const bases = files.map(({ base = '' }) => base);
  return { id: contentId(body), body, preview, sizeBytes: Buffer.byteLength(body) + bytesOf(bases) };
}

/** Returns the size of texts in UTF-8. */
export function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** Decodes a body; undefined unless it has the hash in the id. */
export function decodeBody(id: string, body: string): Preview | undefined {
  return contentId(body) === id ? bodyShape.safeParse(parsedJson(body)).data : undefined;
}

/** Returns the preview with the bases of its files, a list in JSON; undefined unless each is there and has its hash. */
export function withBases(preview: Preview, text: string): WholePreview | undefined {
  const bases = parsedJson(text);
  if (!Array.isArray(bases)) return undefined;
  const files = preview.files.flatMap((file, index) => {
    const base: unknown = bases[index];
    return typeof base === 'string' && sha256Hex(base) === file.base_sha256 ? [{ ...file, base }] : [];
  });
  return files.length === preview.files.length ? { ...preview, files } : undefined;
}
