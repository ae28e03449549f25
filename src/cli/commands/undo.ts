// `undo CHANGE_ID` lets a person at a terminal undo a change.

import { atTerminal, type CommandContext } from './context.ts';
import { previewLines } from './preview-lines.ts';
import { openRecovered, reviewOn } from './services.ts';
import { undoingOn } from './undoing.ts';
import { unlockKey } from './unlock-key.ts';

const NOT_UNDONE = 1;

export async function undo(context: CommandContext): Promise<number> {
  const [changeId = ''] = context.args;
  return atTerminal(context, async (terminal) => {
    const airlock = await openRecovered(context);
    const service = reviewOn(airlock, context);
    const { propose, apply } = undoingOn(airlock, context);
    const id = await propose(changeId);
    if (id === undefined) {
      terminal.say('Nothing to undo: the files are as they were before the change.', 'yellow');
      return NOT_UNDONE;
    }
    const shown = await service.open(id);
    // The proposer of a change is not one of the reviewers whom a rule asks for.
    if (shown.progress !== undefined) {
      await service.withdraw(id);
      if (!(await terminal.confirm(previewLines(shown, new Date()), 'propose this'))) return NOT_UNDONE;
      const reviewer = service.nameOf(await unlockKey(terminal, context));
      const waiting = (await propose(changeId, reviewer)) ?? '';
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
    terminal.say(`Undone, as change ${await apply(id, needsKey)}`, 'green');
    return 0;
  });
}
