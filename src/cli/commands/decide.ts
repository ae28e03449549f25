// `approve ID` and `reject ID` show one pending preview, and then sign the decision about it.
import { approvalText } from '../../review/approval-text.ts';
import { elsewhereText, isCurrent, type PreviewView } from '../../review/preview-view.ts';
import type { ReviewService } from '../../review/review-service.ts';
import type { ReviewerKey } from '../../security/approval/reviewer-key.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { NOTE } from '../settings/command-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { previewLines } from './preview-lines.ts';
import { openReview } from './services.ts';
import { claimedKey, unlockKey } from './unlock-key.ts';

const NOT_DECIDED = 1;

export function approve(context: CommandContext): Promise<number> {
  return decide(context, (terminal, service, preview, key) => approveShown(terminal, service, preview, key));
}

/** Approves the preview that a person has read. */
export async function approveShown(
  terminal: Terminal,
  service: ReviewService,
  { id }: PreviewView,
  key: ReviewerKey,
): Promise<void> {
  await service.approve(id, key);
  await printApprovalState(terminal, service, id);
}

/** Returns why the preview cannot be approved; undefined if it can. */
export function reasonAgainst(preview: PreviewView): string | undefined {
  return isCurrent(preview) ? preview.unapprovable : 'its files have changed since, or cannot be read';
}

export async function reject(context: CommandContext): Promise<number> {
  const note = context.settings.of(NOTE).value ?? '';
  return decide(context, async (terminal, service, { id }, key) => {
    await service.reject(id, note, key);
    terminal.say('Rejected.', 'green');
  });
}

function decide(
  context: CommandContext,
  sign: (terminal: Terminal, service: ReviewService, preview: PreviewView, key: ReviewerKey) => Promise<void>,
): Promise<number> {
  const [id = ''] = context.args;
  return atTerminal(context, async (terminal) => {
    const { service } = await openReview(context);
    // Only the existence of such a preview is reported, because its contents belong to a server with other options.
    if (await service.isElsewhere(id)) throw new UsageError(`cannot open this preview: ${elsewhereText(1)}`);
    const preview = await service.open(id, claimedKey(context));
    // This is checked before the preview is shown, so that nobody reads a preview that cannot be decided.
    if (!preview.needs_reviewer) throw new UsageError('this preview needs no reviewer: nobody can decide it');
    if (context.name === 'approve' && preview.state === 'rejected')
      throw new UsageError(
        'this preview was rejected, and one rejection is final: have the agent request the change again',
      );
    const reason = context.name === 'approve' ? reasonAgainst(preview) : undefined;
    if (reason !== undefined) throw new UsageError(`cannot approve this: ${reason}`);
    if (!(await terminal.confirm(previewLines(preview, new Date()), `${context.name} this`)))
      return NOT_DECIDED;
    await sign(terminal, service, preview, await unlockKey(terminal, context));
    return 0;
  });
}

/** Prints the present state of the approval, because others may have decided as well, and files may have changed. */
export async function printApprovalState(
  terminal: Terminal,
  service: ReviewService,
  id: string,
): Promise<void> {
  try {
    const { text, isApplicable } = approvalText(await service.open(id));
    terminal.say(text, isApplicable ? 'green' : 'yellow');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The preview was applied already, or has expired.
    terminal.say(`Approved. Since then: ${error.message}`, 'yellow');
  }
}
