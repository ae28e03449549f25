// `approve ID` and `reject ID`: one waiting change, read first, then signed.
import { elsewhereWords, type PlanView, type ReviewDesk } from '../../review/index.ts';
import { planLines } from '../show/plan-lines.ts';
import { UsageError } from '../usage-error.ts';
import { isAgreed } from './agree.ts';
import { keyPlace } from './key-place.ts';
import { atTerminal, type Surroundings } from './surroundings.ts';
import { unlock } from './unlock.ts';
import { openWorkshop } from './workshop.ts';

const NOT_DECIDED = 1;
export const MOST_NOTE = 500;

export function approve(around: Surroundings): Promise<number> {
  const [id = ''] = around.task.args;
  return atTerminal(around, async (terminal) => {
    const { desk } = await openWorkshop(around);
    const lines = planLines(waitingHere(id, desk), new Date());
    if (!(await isAgreed(terminal, lines, 'approve this'))) return NOT_DECIDED;
    desk.approve(id, await unlock(terminal, keyPlace(around)));
    terminal.say('Approved: it can be applied now, as it was shown, once.', 'green');
    return 0;
  });
}

export function reject(around: Surroundings): Promise<number> {
  const [id = ''] = around.task.args;
  const note = around.task.own.get('note') ?? '';
  if (note.length > MOST_NOTE) throw new UsageError(`a note has at most ${MOST_NOTE} characters`);
  return atTerminal(around, async (terminal) => {
    const { desk } = await openWorkshop(around);
    const lines = planLines(waitingHere(id, desk), new Date());
    if (!(await isAgreed(terminal, lines, 'reject this'))) return NOT_DECIDED;
    desk.reject(id, note, await unlock(terminal, keyPlace(around)));
    terminal.say('Rejected: whoever asked for it will read that.', 'green');
    return 0;
  });
}

/** Throws what `open` throws, and UsageError for a change that another set of options would show. */
function waitingHere(id: string, desk: ReviewDesk): PlanView {
  if (desk.waitingElsewhere().includes(id))
    throw new UsageError(`cannot open this preview: ${elsewhereWords(1)}`);
  return desk.open(id);
}
