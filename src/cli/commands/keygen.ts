// `keygen NAME` makes a new reviewer key. The passphrase is asked twice at the terminal and never shown; no option and no variable
// gives it.
import { createKeyFile, hasKeyFile } from '../../security/approval/key-file.ts';
import { makeReviewerKey, sealReviewerKey } from '../../security/approval/reviewer-key.ts';
import { quoted } from '../../security/text/visible.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { keyFile } from './unlock-key.ts';

/** The minimum length of a passphrase, which protects the key if the file is copied. */
const MIN_CHARACTERS = 12;

export async function keygen(context: CommandContext): Promise<number> {
  forgetEnvironment();
  const [name = ''] = context.args;
  const file = keyFile(context);
  return atTerminal(context, async (terminal) => {
    // The file and the name are checked before a passphrase is asked.
    if (hasKeyFile(file))
      throw new UsageError(
        `${quoted(file)} exists already, and a key is never overwritten; name another --key FILE`,
      );
    const { key, line } = makeReviewerKey(name);
    createKeyFile(file, sealReviewerKey(key, await newPassphrase(terminal)));
    terminal.say(`Key saved to ${quoted(file)}.`);
    terminal.say('The operator adds this line to the reviewers file of the server:');
    terminal.say(line, 'bold');
    return 0;
  });
}

async function newPassphrase(terminal: Terminal): Promise<string> {
  for (;;) {
    const passphrase = await terminal.secret(`Passphrase, at least ${MIN_CHARACTERS} characters:`);
    if (Array.from(passphrase).length < MIN_CHARACTERS) terminal.say('That is too short.', 'yellow');
    else if ((await terminal.secret('The same passphrase again:')) === passphrase) return passphrase;
    else terminal.say('The passphrases differ.', 'yellow');
  }
}
