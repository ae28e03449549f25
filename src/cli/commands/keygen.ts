// `keygen NAME`: a new reviewer key.
import { KEY } from '../settings/command-options.ts';
import type { Command } from './command.ts';

export const keygen: Command = {
  name: 'keygen',
  args: '<name>',
  summary: 'make a reviewer key, and print its line for the reviewers file',
  details: `An Ed25519 key, encrypted with a passphrase of at least 12 characters that is asked at the terminal.
The file gets mode 0600, and an existing file is never overwritten. Keep the reviewers file where no
agent can write, and the passphrase where no agent can read.

Exit codes: 0 made, 2 error, 130 Ctrl-C.`,
  options: [KEY],
  run: async (context) => (await import('../actions/keygen.ts')).keygen(context),
};
