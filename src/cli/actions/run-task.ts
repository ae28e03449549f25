// A command, from what was asked to its exit code.
import { audit } from './audit.ts';
import { approve, reject } from './decide.ts';
import { history } from './history.ts';
import { keygen } from './keygen.ts';
import { review } from './review.ts';
import { apply, preview } from './scripted.ts';
import type { Surroundings } from './context.ts';
import { undo } from './undo.ts';

type Run = (around: Surroundings) => number | Promise<number>;

const RUNS: { readonly [name in Surroundings['task']['name']]: Run } = {
  ...{ review, approve, reject, history, undo, audit, preview, apply, keygen },
};

/** Throws UsageError, StartError, Refusal or PersonLeft. */
export async function runTask(around: Surroundings): Promise<number> {
  return await RUNS[around.task.name](around);
}
