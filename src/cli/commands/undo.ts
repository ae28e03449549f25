// `undo CHANGE_ID` lets a person at a terminal undo a change.

import { atTerminal, type CommandContext } from './context.ts';
import { previewLines } from './preview-lines.ts';
import { openRecovered, reviewOn } from './services.ts';
import { undoActions } from './undoing.ts';
import { unlockKey } from './unlock-key.ts';

const NOT_UNDONE = 1;

export async function undo(context: CommandContext): Promise<number> {
  const [changeId = ''] = context.args;
  return atTerminal(context, async (terminal) => {
    const airlock = await openRecovered(context);
    const service = reviewOn(airlock, context);
    const { propose, apply } = undoActions(airlock, context);
    const id = await propose(changeId);
    if (id === undefined) {
      terminal.say('Nothing to undo: the files are as they were before the change.', 'yellow');
      return NOT_UNDONE;
    }
    const shown = await service.open(id);
    // A rule asks for named or several reviewers. This person proposes the undo, so that their own approval does not count.
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
    // If a signature is needed, the confirmation at the terminal is not enough.
    const needsKey = shown.needs_reviewer;
    let isDecided = false;
    try {
      if (!(await terminal.confirm(previewLines(shown, new Date()), 'undo the change'))) return NOT_UNDONE;
      if (needsKey) await service.approve(id, await unlockKey(terminal, context));
      isDecided = true;
    } finally {
      // Nobody else waits for this preview, so that it is withdrawn.
      if (!isDecided) await service.withdraw(id);
    }
    terminal.say(`Undone, as change ${await apply(id, needsKey)}`, 'green');
    return 0;
  });
}
