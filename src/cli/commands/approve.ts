// `approve ID`: one pending preview, read first, then signed.
import { KEY, NO_COLOR } from '../settings/command-options.ts';
import type { Command } from './command.ts';
import { IDS, SIGNATURE, TERMINAL } from './help-texts.ts';

export const approve: Command = {
  name: 'approve',
  args: '<preview_id>',
  summary: 'read one pending preview, and sign that it may be applied',
  details: `${IDS}\n\n${TERMINAL}\n\n${SIGNATURE}\n\nExit codes: 0 approved, 1 not approved, 2 error, 130 Ctrl-C.`,
  options: [KEY, NO_COLOR],
  run: async (context) => (await import('../actions/decide.ts')).approve(context),
};
