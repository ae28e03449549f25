// Undoes a change that was applied: the same spans, with what stood there before.
import { type Change, type Edit, inOrder, type Limits, type SafePath, splice } from '../../security/index.ts';
import { type Rebased, rebaseChange } from './rebase-change.ts';

export interface AppliedEdit {
  readonly base: string;
  readonly edits: readonly Edit[];
  /** All that was found to change, comments included. */
  readonly changes: readonly Change[];
}

/** Edits of `now` that take back this change and nothing else; none where it is undone already. */
export function undo(
  { base, edits, changes }: AppliedEdit,
  path: SafePath,
  now: string,
  limits: Limits,
): Rebased | 'undone already' {
  if (now === base) return 'undone already';
  const old = splice(base, edits);
  const comments = changes.filter(({ op }) => op === 'comment').map(reversed);
  return rebaseChange({ path, old, edits: inverse(base, edits), comments, now }, limits);
}

/** Edits of the result that give the base again. */
function inverse(base: string, edits: readonly Edit[]): readonly Edit[] {
  let shift = 0;
  return inOrder(edits, base.length).map(({ start, end, insert }) => {
    const back = {
      start: start + shift,
      end: start + shift + insert.length,
      insert: base.slice(start, end),
    };
    shift += insert.length - (end - start);
    return back;
  });
}

function reversed({ from, to, ...change }: Change): Change {
  return {
    ...change,
    ...(to === undefined ? {} : { from: to }),
    ...(from === undefined ? {} : { to: from }),
  };
}
