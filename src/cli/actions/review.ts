// `review`: all that waits, one by one. What was decided stays decided whenever the person leaves; nothing else is.
import { elsewhereText, type PreviewView, type ReviewService } from '../../review/index.ts';
import { Refusal, type ReviewerKey, visibleLine } from '../../security/index.ts';
import { stateDirOf } from '../settings/state-dir.ts';
import { UsageError } from '../settings/usage-error.ts';
import { previewLines, waitingLines } from '../show/preview-lines.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { MOST_NOTE, sayApproval } from './decide.ts';
import { keyFile } from './key-file.ts';
import { reviewOnPage } from './review-page.ts';
import { reviewParts } from './review-parts.ts';
import { openServices } from './services.ts';
import { unlock } from './unlock-key.ts';

export interface Sitting {
  readonly terminal: Terminal;
  readonly desk: ReviewService;
  /** Asked for the passphrase once, when the first decision is made. */
  readonly key: () => Promise<ReviewerKey>;
}

const HELP = [
  'a  approve it as a whole: the passphrase of your key signs exactly what was shown',
  'r  reject it, with a note for whoever asked',
  'p  go through it part by part, and approve some of them',
  'd  show it again',
  's  skip it: it goes on waiting',
  'q  leave: what was decided stays so',
];

export function review(context: CommandContext): Promise<number> {
  const { settings, env, task } = context;
  const { own } = task;
  if (own.has('web')) return reviewOnPage(context);
  if (own.has('port')) throw new UsageError('--port goes with --web');
  return atTerminal(context, async (terminal) => {
    const { desk } = await openServices(context);
    let opened: ReviewerKey | undefined;
    const key = async (): Promise<ReviewerKey> => {
      opened ??= await unlock(terminal, keyFile(context));
      return opened;
    };
    const waiting = desk.waiting();
    const open = waiting.filter(({ state }) => state === 'pending');
    if (waiting.length > 0) await terminal.page(waitingLines(waiting, new Date()));
    else terminal.say(`Nothing waits for you in ${visibleLine(stateDirOf(settings, env) ?? '')}`);
    const { length: elsewhere } = desk.waitingElsewhere();
    if (elsewhere > 0) terminal.say(elsewhereText(elsewhere), 'yellow');
    for (const [index, { id }] of open.entries()) {
      terminal.say();
      terminal.say(`${index + 1} of ${open.length} to decide`, 'dim');
      if (!(await decideOne(id, { terminal, desk, key }))) break;
    }
    return 0;
  });
}

/** False where the person wants to leave. */
async function decideOne(id: string, sitting: Sitting): Promise<boolean> {
  const { terminal, desk } = sitting;
  try {
    const plan = desk.open(id);
    if (!(await terminal.page(previewLines(plan, new Date())))) {
      terminal.say('Not read to its end: it goes on waiting.', 'yellow');
      return true;
    }
    return await answerOn(plan, sitting);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Applied, expired or gone in the meantime: the others still wait.
    terminal.say(`${error.code}: ${error.message}`, 'yellow');
    return true;
  }
}

async function answerOn(plan: PreviewView, sitting: Sitting): Promise<boolean> {
  const { terminal, desk, key } = sitting;
  for (;;) {
    switch (await terminal.line('[a]pprove [r]eject [p]arts [d]iff [s]kip [q]uit ?')) {
      case 'a':
        desk.approve(plan.id, await key());
        sayApproval(terminal, desk, plan.id);
        return true;
      case 'r': {
        const note = await terminal.line('A note for whoever asked (may be empty):');
        desk.reject(plan.id, note.slice(0, MOST_NOTE), await key());
        terminal.say('Rejected.', 'green');
        return true;
      }
      case 'p':
        if (await reviewParts(plan, sitting)) return true;
        break;
      case 'd':
        await terminal.page(previewLines(plan, new Date()));
        break;
      case 's':
        return true;
      case 'q':
        return false;
      default:
        for (const text of HELP) terminal.say(text);
    }
  }
}
