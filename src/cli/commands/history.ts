// `history`: what was applied, newest first; or one change with its diff.
import { JSON_OUTPUT, NO_COLOR } from '../settings/command-options.ts';
import type { Command } from './command.ts';
import { IDS } from './help-texts.ts';

export const history: Command = {
  name: 'history',
  args: '[change_id]',
  summary: 'list applied changes, or show one with its diff',
  details: `${IDS}\n\nExit codes: 0 shown, 2 error.`,
  options: [JSON_OUTPUT, NO_COLOR],
  run: async (context) => (await import('../actions/history.ts')).history(context),
};
