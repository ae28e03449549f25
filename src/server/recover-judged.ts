// Completes what killed processes left, as the rules of now judge it. Apart, so that a start does not load the formats.
import { type EngineContext, servedSandbox } from '../engine/index.ts';
import { loadEngines, recoverRoots } from '../security/index.ts';
import { judgeAgain } from '../tools/index.ts';

export async function recoverJudged(context: EngineContext): Promise<void> {
  const { policy, state } = context;
  const sandbox = servedSandbox(context);
  await loadEngines(policy.changes);
  recoverRoots(sandbox, state, state && judgeAgain({ policy, sandbox, state }));
}
