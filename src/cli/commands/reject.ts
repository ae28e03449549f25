// `reject ID`: one pending preview, read first, then rejected with a signature.
import { KEY, NO_COLOR, NOTE } from '../settings/command-options.ts';
import type { Command } from './command.ts';
import { IDS, SIGNATURE, TERMINAL } from './help-texts.ts';

export const reject: Command = {
  name: 'reject',
  args: '<preview_id>',
  summary: 'read one pending preview, and sign that it may not be applied',
  details: `${IDS}\n\n${TERMINAL}\n\n${SIGNATURE}\n\nExit codes: 0 rejected, 1 not rejected, 2 error, 130 Ctrl-C.`,
  options: [NOTE, KEY, NO_COLOR],
  run: async (context) => (await import('../actions/decide.ts')).reject(context),
};
