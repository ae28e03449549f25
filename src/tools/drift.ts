// What is said where a file is not the one that a preview was made for.
import { Refusal, type Snapshot, type StoredPlan } from '../security/index.ts';
import type { Desk } from './tool.ts';

/** Files of the plan as they are now, not all of which are its base. Answers what is to be thrown. */
export async function driftOf(plan: StoredPlan, now: readonly Snapshot[], _desk: Desk): Promise<Refusal> {
  const moved = now.find(({ sha256 }, index) => sha256 !== plan.plan.files[index]?.base_sha256);
  return new Refusal(
    'FILE_CHANGED',
    'Cannot apply this preview: the file has changed since. Preview the change again.',
    { file: moved?.path.toString() },
    {
      again: plan.askAgain,
      ...(moved === undefined ? {} : { actualSha256: moved.sha256 }),
      advice: ['Preview the change again, and apply what that answers'],
    },
  );
}
