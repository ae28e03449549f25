// `approve ID` and `reject ID`: one waiting change, read first, then signed.
import { approvalWords, elsewhereWords, type PlanView, type ReviewDesk } from '../../review/index.ts';
import { Refusal } from '../../security/index.ts';
import { planLines } from '../show/preview-lines.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../settings/usage-error.ts';
import { isAgreed } from './confirm.ts';
import { keyPlace } from './key-file.ts';
import { atTerminal, type Surroundings } from './context.ts';
import { unlock } from './unlock-key.ts';
import { openWorkshop } from './services.ts';

const NOT_DECIDED = 1;
export const MOST_NOTE = 500;

export function approve(around: Surroundings): Promise<number> {
  const [id = ''] = around.task.args;
  return atTerminal(around, async (terminal) => {
    const { desk } = await openWorkshop(around);
    const lines = planLines(waitingHere(id, desk), new Date());
    if (!(await isAgreed(terminal, lines, 'approve this'))) return NOT_DECIDED;
    desk.approve(id, await unlock(terminal, keyPlace(around)));
    sayApproval(terminal, desk, id);
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

/** What is so now: others decide as well, files move on, and a clock can be wrong. */
export function sayApproval(terminal: Terminal, desk: ReviewDesk, id: string): void {
  try {
    const { text, holds } = approvalWords(desk.open(id));
    terminal.say(text, holds ? 'green' : 'yellow');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Somebody was fast: it is applied already, or expired.
    terminal.say(`Approved. Since then: ${error.message}`, 'yellow');
  }
}

/** Throws what `open` throws, and UsageError for a change that another set of options would show. */
function waitingHere(id: string, desk: ReviewDesk): PlanView {
  if (desk.waitingElsewhere().includes(id))
    throw new UsageError(`cannot open this preview: ${elsewhereWords(1)}`);
  return desk.open(id);
}
