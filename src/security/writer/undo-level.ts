// Computes the more lenient level for an undo. With `undo: preview` in the policy, the principal who made a change alone may undo it
// once, for some time, without the people whom the rules ask for. This applies only if the undo restores exactly the text before
// the change.
import type { KeptChange } from '../../state/event.ts';
import type { PreviewFile } from '../../state/preview.ts';
import { isStricter, strictest } from '../policy/levels.ts';
import type { Policy } from '../policy/policy.ts';
import type { Verdict } from '../policy/verdict.ts';

/**
 * Returns the verdict on the undo of a file: one at the level `preview` if the policy allows that, and otherwise `verdict` itself.
 * A change that the rules deny stays denied. `change` is the change of the caller that is undone; `now` is in milliseconds since 1970.
 */
export function verdictOnUndo(
  verdict: Verdict,
  undone: Pick<PreviewFile, 'file' | 'base_sha256' | 'result_sha256'>,
  change: Pick<KeptChange, 'at' | 'state' | 'files' | 'origin' | 'confirmed_by' | 'undoneBy'>,
  { changes, approval }: Pick<Policy, 'changes' | 'approval'>,
  now: number = Date.now(),
): Verdict {
  const { undoWithinMs = 0 } = changes;
  const level = strictest('preview', approval);
  const isMoreLenient = verdict.level !== 'deny' && isStricter(verdict.level, level);
  const isRecent = change.state === 'applied' && now - Date.parse(change.at) < undoWithinMs;
  const restored = change.files.some(
    ({ file, base_sha256, result_sha256 }) =>
      file === undone.file && base_sha256 === undone.result_sha256 && result_sha256 === undone.base_sha256,
  );
  if (!isMoreLenient || !isRecent || !isOfOne(change) || !restored) return verdict;
  return { level, needs: [], findings: [] };
}

/** True for a change that no other person approved, made a part of or undid, and that is no undo itself. */
function isOfOne({
  origin,
  confirmed_by,
  undoneBy,
}: Pick<KeptChange, 'origin' | 'confirmed_by' | 'undoneBy'>): boolean {
  const isUnasked = confirmed_by === 'direct' || confirmed_by === 'preview';
  return origin.kind === 'edit' && isUnasked && undoneBy === undefined;
}
