// The proof of an edit: the new text is read from scratch, and its data must be the old data with the
// operation applied. It trusts no planner, and no parser's idea of what changed.
import { type Change, type Edit, Refusal } from '../../security/index.ts';
import type { Plan, PlanContext } from '../edit/plan.ts';
import type { Stream } from '../tree/span-tree.ts';
import { compareData } from './compare-data.ts';
import { StreamData } from './datum.ts';

export interface Proof {
  readonly edits: readonly Edit[];
  /** For `VerifiedEdit.prove`: throws VERIFICATION_FAILED or ANCHOR_IN_USE unless `after` is what was intended. */
  readonly check: (after: string) => readonly Change[];
}

export function proofOf(
  { stream, syntax, limits }: Pick<PlanContext, 'stream' | 'syntax' | 'limits'>,
  plan: Plan,
): Proof {
  return {
    edits: plan.edits,
    check: (after) => {
      const expected = new StreamData(stream);
      plan.apply(expected);
      compareData(expected.documents, new StreamData(reread(after)).documents);
      return plan.changes;
    },
  };

  function reread(after: string): Stream {
    try {
      return syntax.parse(after, limits);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'YAML_INVALID') throw error;
      throw new Refusal(
        'VERIFICATION_FAILED',
        `Cannot make this edit: the file would no longer be valid ${syntax.name}`,
        {},
        {
          advice: ['Quote the value, or send it as json, so that it is exactly one value where it stands'],
        },
      );
    }
  }
}
