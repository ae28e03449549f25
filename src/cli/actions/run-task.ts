// A command, from what was asked to its exit code.
import { audit } from './audit.ts';
import type { CommandContext } from './context.ts';
import { approve, reject } from './decide.ts';
import { history } from './history.ts';
import { keygen } from './keygen.ts';
import { review } from './review.ts';
import { apply, preview } from './scripted.ts';
import { undo } from './undo.ts';

type Run = (context: CommandContext) => number | Promise<number>;

const RUNS: { readonly [name in CommandContext['task']['name']]: Run } = {
  ...{ review, approve, reject, history, undo, audit, preview, apply, keygen },
};

/** Throws UsageError, StartError, Refusal or PromptAborted. */
export async function runTask(context: CommandContext): Promise<number> {
  return await RUNS[context.task.name](context);
}
