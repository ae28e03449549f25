// Completes what killed processes left, as the rules of now judge it.
import { loadEngines, recoverRoots } from '../security/index.ts';
import { judgeAgain } from '../tools/index.ts';
import type { EngineContext } from './engine.ts';

/** `sandbox`: as calls see it, with its secrets masked. */
export async function recoverJudged({
  policy,
  sandbox,
  state,
}: Pick<EngineContext, 'policy' | 'sandbox' | 'state'>): Promise<void> {
  await loadEngines(policy.changes);
  recoverRoots(sandbox, state, state && judgeAgain({ policy, sandbox }));
}
