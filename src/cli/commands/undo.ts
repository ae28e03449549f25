// `undo CHANGE_ID` lets a person undo a change: the tool previews it, the person reads it, the tool applies it.

import { textIn } from '../show/members.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { previewLines } from './preview-lines.ts';
import { callTool, openRecovered, reviewOn } from './services.ts';
import { unlockKey } from './unlock-key.ts';

const NOT_UNDONE = 1;

export async function undo(context: CommandContext): Promise<number> {
  const [changeId] = context.args;
  return atTerminal(context, async (terminal) => {
    const airlock = await openRecovered(context);
    const service = reviewOn(airlock, context);
    // A person calls it here, who may restore what is masked.
    const revert = {
      ...{ tool: 'config_revert', args: { change_id: changeId, dry_run: true } },
      confirmed: 'terminal',
    } as const;
    const preview = async (by?: string) => textIn(await callTool(airlock, context, revert, by), 'preview_id');
    const id = await preview();
    if (id === undefined) {
      terminal.say('Nothing to undo: the files are as they were before the change.', 'yellow');
      return NOT_UNDONE;
    }
    const shown = await service.open(id);
    // The proposer of a change is not one of the reviewers whom a rule asks for.
    if (shown.progress !== undefined) {
      await service.withdraw(id);
      if (!(await terminal.confirm(previewLines(shown, new Date()), 'propose this'))) return NOT_UNDONE;
      const waiting = (await preview(service.nameOf(await unlockKey(terminal, context)))) ?? '';
      terminal.say(
        `Not undone yet: ${waiting} waits, with ${(await service.open(waiting)).progress}.`,
        'yellow',
      );
      return NOT_UNDONE;
    }
    // Where a signature is needed, a yes at a terminal is not enough.
    const needsKey = shown.needs_reviewer;
    let isDecided = false;
    try {
      if (!(await terminal.confirm(previewLines(shown, new Date()), 'undo the change'))) return NOT_UNDONE;
      if (needsKey) await service.approve(id, await unlockKey(terminal, context));
      isDecided = true;
    } finally {
      // The person who wanted it is here, so the preview is withdrawn and waits for nobody.
      if (!isDecided) await service.withdraw(id);
    }
    const apply = { tool: 'config_apply', args: { preview_id: id } };
    const confirmed = needsKey ? apply : { ...apply, confirmed: 'terminal' as const };
    const applied = await callTool(airlock, context, confirmed);
    terminal.say(`Undone, as change ${textIn(applied, 'change_id') ?? ''}`, 'green');
    return 0;
  });
}
