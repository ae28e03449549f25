// A recorded change as it may be shown today: masked by today's rules, whatever rules were in force when it was applied.
import { shownAnew } from '../adapters/review/describe-edit.ts';
import { maskedAgain, splice } from '../security/edits/edit.ts';
import { sha256Hex } from '../state/canonical.ts';
import type { PreviewFile } from '../state/preview.ts';
import type { CallContext } from './tool.ts';

/** Masks it. Throws the refusals of reading the texts. */
export function maskedNow(
  file: PreviewFile,
  { sandbox, policy }: Pick<CallContext, 'sandbox' | 'policy'>,
): PreviewFile {
  const path = sandbox.parse(file.file);
  const masked = maskedAgain(sandbox, path, file);
  if (masked === file) return file;
  const { base, edits } = masked;
  const hashes = { base_sha256: sha256Hex(base), result_sha256: sha256Hex(splice(base, edits)) };
  return { ...masked, ...hashes, ...shownAnew(path, masked, policy.limits) };
}
