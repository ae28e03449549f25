// `approve ID` and `reject ID`: one pending preview, read first, then signed.
import { approvalText, elsewhereText, type ReviewService } from '../../review/index.ts';
import { Refusal, type ReviewerKey } from '../../security/index.ts';
import { NOTE } from '../settings/command-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { previewLines } from './preview-lines.ts';
import { openAirlockFor, reviewOn } from './services.ts';
import { unlockKey } from './unlock-key.ts';

const NOT_DECIDED = 1;

export function approve(context: CommandContext): Promise<number> {
  return decide(context, async (terminal, service, id, key) => {
    await service.approve(id, key);
    await sayApproval(terminal, service, id);
  });
}

export async function reject(context: CommandContext): Promise<number> {
  const note = context.settings.of(NOTE).value ?? '';
  return decide(context, async (terminal, service, id, key) => {
    await service.reject(id, note, key);
    terminal.say('Rejected.', 'green');
  });
}

function decide(
  context: CommandContext,
  sign: (terminal: Terminal, service: ReviewService, id: string, key: ReviewerKey) => Promise<void>,
): Promise<number> {
  const [id = ''] = context.args;
  return atTerminal(context, async (terminal) => {
    const service = reviewOn(await openAirlockFor(context), context);
    // Only that there is one: what it holds is not for these options.
    if (await service.isElsewhere(id)) throw new UsageError(`cannot open this preview: ${elsewhereText(1)}`);
    const preview = await service.open(id);
    // Nobody should read all of it in vain.
    if (!preview.needs_reviewer) throw new UsageError('this preview needs no reviewer: nobody can decide it');
    if (context.name === 'approve' && preview.state === 'rejected')
      throw new UsageError(
        'this preview was rejected, and one rejection is final: have the agent request the change again',
      );
    if (!(await terminal.confirm(previewLines(preview, new Date()), `${context.name} this`)))
      return NOT_DECIDED;
    await sign(terminal, service, id, await unlockKey(terminal, context));
    return 0;
  });
}

/** As things are by now: others decide as well, files change, and a clock can be wrong. */
export async function sayApproval(terminal: Terminal, service: ReviewService, id: string): Promise<void> {
  try {
    const { text, isApplicable } = approvalText(await service.open(id));
    terminal.say(text, isApplicable ? 'green' : 'yellow');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It has been applied already, or has expired.
    terminal.say(`Approved. Since then: ${error.message}`, 'yellow');
  }
}
