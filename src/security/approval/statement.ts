// Encodes and decodes the text that a reviewer signs: an in-toto statement about one change. Whoever has the reviewers' public
// keys can check it without the server and its state. Its digests are those of the masked texts, because a digest of a text with
// a secret in it could be used to test guesses of the secret.
import { z } from 'zod';
import { canonicalJson, parsedJson } from '../../state/canonical.ts';
import { type Decision, decisionShape } from '../../state/event.ts';
import { callerShape, LEVELS, needShape, type Preview, sha256Field, timeField } from '../../state/preview.ts';
import { holdsPlaceholder } from '../text/placeholders.ts';
import { proposersOf } from './preview.ts';

const TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE = 'https://github.com/config-airlock/config-airlock/approval/v1';

const fileShape = z
  .strictObject({
    file: z.string(),
    /** Each hash is left out where the file does not exist at that time. */
    before_sha256: sha256Field.exactOptional(),
    after_sha256: sha256Field.exactOptional(),
    /** True if a value of the file is masked, so that the digests are not those of its bytes. */
    is_masked: z.literal(true).exactOptional(),
  })
  .readonly();
export type StatedFile = z.infer<typeof fileShape>;

const changeShape = z
  .strictObject({
    files: z.array(fileShape).readonly(),
    caller: callerShape,
    proposers: z.array(z.string()).readonly(),
    requested_at: timeField,
    /** The rules that asked for a reviewer, and whom they ask for, as the reviewer was shown them. */
    rules: z.array(z.strictObject({ rule: z.string(), level: z.enum(LEVELS) }).readonly()).readonly(),
    needs: z.array(needShape).readonly(),
  })
  .readonly();
export type StatedChange = z.infer<typeof changeShape>;

const statementShape = z
  .strictObject({
    _type: z.literal(TYPE),
    subject: z.array(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: sha256Field }) })),
    predicateType: z.literal(PREDICATE),
    predicate: z.strictObject({ decision: decisionShape, change: changeShape }).readonly(),
  })
  .readonly();
export type Statement = z.infer<typeof statementShape>['predicate'];

/** Returns what a statement says of the change that a preview makes; its rules are those that the reviewer is shown. */
export function statedChange(preview: Preview): StatedChange {
  const { files, caller, created_at, rules, needs = [] } = preview;
  const named = new Map(rules.map(({ rule, level }) => [rule, { rule, level }]));
  return {
    files: files.map(({ file, file_op, base_sha256, result_sha256, diff, base }) => ({
      file,
      ...(file_op === 'create' ? {} : { before_sha256: base_sha256 }),
      ...(file_op === 'delete' ? {} : { after_sha256: result_sha256 }),
      ...(holdsPlaceholder(base) || holdsPlaceholder(diff) ? { is_masked: true } : {}),
    })),
    caller,
    proposers: proposersOf(preview),
    requested_at: created_at,
    rules: [...named.values()],
    needs,
  };
}

/** True if a statement is about what the preview makes of its files. The rules and needs may have been edited since. */
export function isAbout(change: StatedChange, preview: Preview): boolean {
  const { rules, needs } = change;
  return canonicalJson({ ...statedChange(preview), rules, needs }) === canonicalJson(change);
}

/** Encodes a statement as canonical JSON. */
export function encodeStatement(decision: Decision, change: StatedChange): string {
  const subject = subjectOf(change);
  return canonicalJson({ _type: TYPE, subject, predicateType: PREDICATE, predicate: { decision, change } });
}

/** Decodes a statement; undefined for a text that this program did not write to the byte. */
export function decodeStatement(text: string): Statement | undefined {
  const { predicate } = statementShape.safeParse(parsedJson(text)).data ?? {};
  if (predicate === undefined) return undefined;
  return encodeStatement(predicate.decision, predicate.change) === text ? predicate : undefined;
}

/** Returns the files with their digests: the text after the change, or before it where it deletes the file. */
function subjectOf({ files }: StatedChange) {
  return files.map(({ file, before_sha256, after_sha256 = before_sha256 }) => ({
    name: file,
    digest: { sha256: after_sha256 },
  }));
}
