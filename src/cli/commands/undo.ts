// `undo CHANGE_ID`: a person undoes a change. The tool previews it, the person reads it, the tool applies it.

import { atTerminal, type CommandContext } from './context.ts';
import { textIn } from './output.ts';
import { previewLines } from './preview-lines.ts';
import { callTool, openAirlockFor, reviewOn } from './services.ts';
import { unlockKey } from './unlock-key.ts';

const NOT_UNDONE = 1;

export async function undo(context: CommandContext): Promise<number> {
  const [changeId] = context.args;
  return atTerminal(context, async (terminal) => {
    const airlock = await openAirlockFor(context, 'now');
    const service = reviewOn(airlock, context);
    const revert = { tool: 'config_revert', args: { change_id: changeId, dry_run: true } };
    const preview = await callTool(airlock, context, revert);
    const id = textIn(preview, 'preview_id');
    if (id === undefined) {
      terminal.say('Nothing to undo: the files are as they were before the change.', 'yellow');
      return NOT_UNDONE;
    }
    const shown = service.open(id);
    // Where a signature is needed, a yes at a terminal is none.
    const needsKey = shown.needs_reviewer;
    let isDecided = false;
    try {
      if (!(await terminal.confirm(previewLines(shown, new Date()), 'undo the change'))) return NOT_UNDONE;
      if (needsKey) service.approve(id, await unlockKey(terminal, context));
      isDecided = true;
    } finally {
      // Whoever wanted it is here: it need not wait for anybody.
      if (!isDecided) service.withdraw(id);
    }
    const apply = { tool: 'config_apply', args: { preview_id: id } };
    const confirmed = needsKey ? apply : { ...apply, confirmed: 'terminal' as const };
    const applied = await callTool(airlock, context, confirmed);
    terminal.say(`Undone, as change ${textIn(applied, 'change_id') ?? ''}`, 'green');
    return 0;
  });
}
