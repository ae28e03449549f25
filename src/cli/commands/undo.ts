// `undo ID`: a person undoes an applied change.
import { KEY, NO_COLOR } from '../settings/command-options.ts';
import type { Command } from './command.ts';
import { IDS, TERMINAL } from './help-texts.ts';

export const undo: Command = {
  name: 'undo',
  args: '<change_id>',
  summary: 'undo an applied change, after showing what that does',
  details: `${IDS}

${TERMINAL}

With --approval human it is signed with your key, like an approval.

Exit codes: 0 undone, 1 not undone, 2 error, 130 Ctrl-C.`,
  options: [KEY, NO_COLOR],
  run: async (context) => (await import('../actions/undo.ts')).undo(context),
};
