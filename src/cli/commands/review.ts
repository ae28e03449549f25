// `review`: all pending previews, one by one, at the terminal or in a browser.
import { KEY, NO_COLOR, PORT, WEB } from '../settings/command-options.ts';
import type { Command } from './command.ts';
import { SIGNATURE, TERMINAL } from './help-texts.ts';

export const review: Command = {
  name: 'review',
  args: '',
  summary: 'read pending previews and approve or reject them, whole or part by part',
  details: `${TERMINAL}

${SIGNATURE}

Exit codes: 0 done or quit, 1 left with Ctrl-D, 2 error, 130 Ctrl-C. Whatever was not decided stays
pending.

With --web the passphrase is asked here, and the rest is done in a browser on this machine: a page on
127.0.0.1 that opens with a link from this terminal, once, and closes after half an hour without use.
If you are logged in from another machine, choose a port and forward it from there:
  ssh -L 8400:127.0.0.1:8400 HOST     and on HOST: config-airlock review --web --port 8400 ...
Both numbers must be the same, or the page refuses the browser.`,
  options: [WEB, PORT, KEY, NO_COLOR],
  run: async (context) => (await import('../actions/review.ts')).review(context),
};
