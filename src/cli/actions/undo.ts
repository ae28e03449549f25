// `undo CHANGE_ID`: a change taken back by a person. The tool plans it, the person reads it, the tool applies it.
import { previewLines } from '../show/preview-lines.ts';
import { isConfirmed } from './confirm.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { keyFile } from './key-file.ts';
import { answered, textIn } from './output.ts';
import { openServices } from './services.ts';
import { unlock } from './unlock-key.ts';

const NOT_UNDONE = 1;

export function undo(context: CommandContext): Promise<number> {
  const [changeId] = context.task.args;
  return atTerminal(context, async (terminal) => {
    const { policy, desk, call } = await openServices(context);
    const planned = answered(context, await call('config_revert', { change_id: changeId, dry_run: true }));
    const id = textIn(planned, 'preview_id');
    if (id === undefined) {
      terminal.say('There is nothing to take back: the files are as they were before.', 'yellow');
      return NOT_UNDONE;
    }
    // Where the policy wants a signature, a yes at a terminal is none.
    const needsKey = policy.approval === 'human';
    let isDecided = false;
    try {
      if (!(await isConfirmed(terminal, previewLines(desk.open(id), new Date()), 'undo the change')))
        return NOT_UNDONE;
      if (needsKey) desk.approve(id, await unlock(terminal, keyFile(context)));
      isDecided = true;
    } finally {
      // Whoever wanted it is here: it need not wait for anybody.
      if (!isDecided) desk.withdraw(id);
    }
    const confirmed = needsKey ? undefined : 'terminal';
    const applied = answered(context, await call('config_apply', { preview_id: id }, confirmed));
    terminal.say(`Undone, as change ${textIn(applied, 'change_id') ?? ''}`, 'green');
    return 0;
  });
}
