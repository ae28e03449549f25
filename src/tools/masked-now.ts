// A recorded change of a file as it may be shown today: what is masked by today's rules is masked in it, whatever rules it was
// applied under.
import { recomputePreview } from '../adapters/index.ts';
import { maskedAgain, type PreviewFile, sha256Hex, splice } from '../security/index.ts';
import type { CallContext } from './tool.ts';

/** Masks it. Throws the refusals of reading the texts. */
export function maskedNow(
  file: PreviewFile,
  { sandbox, policy }: Pick<CallContext, 'sandbox' | 'policy'>,
): PreviewFile {
  const masked = maskedAgain(sandbox, sandbox.parse(file.file), file);
  if (masked === file) return file;
  const { base, edits, file_op: fileOp } = masked;
  const after = splice(base, edits);
  const recompute = recomputePreview((name) => sandbox.parse(name), policy.limits);
  const { changes, ...shown } = recompute(file.file, base, after, edits, fileOp);
  // Changes of comments cannot be computed again; the diff shows them.
  const comments = file.changes.flatMap(({ from: _, to: __, ...change }) =>
    change.op === 'comment' ? [change] : [],
  );
  const hashes = { base_sha256: sha256Hex(base), result_sha256: sha256Hex(after) };
  return { ...masked, ...hashes, ...shown, changes: [...changes, ...comments] };
}
