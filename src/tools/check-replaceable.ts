// Whether the file could be written at all, so that nobody approves what cannot be applied.
import { requireReplaceable } from '../security/index.ts';
import type { EditCheck } from './edit-check.ts';

/** Throws PERMISSION_DENIED. Where nothing is ever written, nothing is asked. */
export const checkReplaceable: EditCheck = ({ path, base, result }, { policy, sandbox }) => {
  const isWritten = !policy.readOnly && base.stream.text !== result.stream.text;
  if (isWritten) requireReplaceable(sandbox, path);
  return [];
};
