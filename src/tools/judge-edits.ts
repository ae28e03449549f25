// Tries the operator's rules on a batch: the edits are planned, proven and judged as in config_edit, but nothing is kept, written or
// denied. It is for the command line only: no list of tools has it, and no client can call it.
import type { Verdict } from '../security/policy/verdict.ts';
import { configEdit } from './config-edit.ts';
import { planEdits } from './edit.ts';
import { groupByFile } from './edit-batch.ts';
import { verdictOf } from './review-edit.ts';
import { type Tool, tool } from './tool.ts';

export const JUDGE_EDITS = 'judge_edits';

/** Makes the tool. `report` gets the verdict, or undefined if nothing changes. */
export function judgingTool(report: (verdict: Verdict | undefined) => void): Tool<typeof configEdit.input> {
  return tool({
    name: JUDGE_EDITS,
    title: 'Judge edits',
    description: 'Tells what the rules of the operator say of edits.',
    input: configEdit.input,
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ edits }, context) {
      const files = groupByFile(edits, undefined, context);
      report(verdictOf((await planEdits(files, { dryRun: true }, context)).reviewed));
      return { text: '', data: { ok: true } };
    },
  });
}
