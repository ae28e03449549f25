// `approve ID` and `reject ID`: one waiting change, read first, then signed.
import { approvalText, elsewhereText, type PreviewView, type ReviewService } from '../../review/index.ts';
import { Refusal } from '../../security/index.ts';
import { UsageError } from '../settings/usage-error.ts';
import { previewLines } from '../show/preview-lines.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isConfirmed } from './confirm.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { keyFile } from './key-file.ts';
import { openServices } from './services.ts';
import { unlock } from './unlock-key.ts';

const NOT_DECIDED = 1;
export const MOST_NOTE = 500;

export function approve(context: CommandContext): Promise<number> {
  const [id = ''] = context.task.args;
  return atTerminal(context, async (terminal) => {
    const { desk } = await openServices(context);
    const lines = previewLines(waitingHere(id, desk), new Date());
    if (!(await isConfirmed(terminal, lines, 'approve this'))) return NOT_DECIDED;
    desk.approve(id, await unlock(terminal, keyFile(context)));
    sayApproval(terminal, desk, id);
    return 0;
  });
}

export function reject(context: CommandContext): Promise<number> {
  const [id = ''] = context.task.args;
  const note = context.task.own.get('note') ?? '';
  if (note.length > MOST_NOTE) throw new UsageError(`a note has at most ${MOST_NOTE} characters`);
  return atTerminal(context, async (terminal) => {
    const { desk } = await openServices(context);
    const lines = previewLines(waitingHere(id, desk), new Date());
    if (!(await isConfirmed(terminal, lines, 'reject this'))) return NOT_DECIDED;
    desk.reject(id, note, await unlock(terminal, keyFile(context)));
    terminal.say('Rejected: whoever asked for it will read that.', 'green');
    return 0;
  });
}

/** What is so now: others decide as well, files move on, and a clock can be wrong. */
export function sayApproval(terminal: Terminal, desk: ReviewService, id: string): void {
  try {
    const { text, holds } = approvalText(desk.open(id));
    terminal.say(text, holds ? 'green' : 'yellow');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Somebody was fast: it is applied already, or expired.
    terminal.say(`Approved. Since then: ${error.message}`, 'yellow');
  }
}

/** Throws what `open` throws, and UsageError for a change that another set of options would show. */
function waitingHere(id: string, desk: ReviewService): PreviewView {
  if (desk.waitingElsewhere().includes(id))
    throw new UsageError(`cannot open this preview: ${elsewhereText(1)}`);
  return desk.open(id);
}
