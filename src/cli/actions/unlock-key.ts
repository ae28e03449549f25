// A reviewer's key, opened with the passphrase that the person types: there is no option and no variable for it.
import { openReviewerKey, type ReviewerKey, readKeyFile, StartError } from '../../security/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

const MOST_TRIES = 3;

/** Throws StartError for a file that is no key of this user's, and after three wrong passphrases. */
export async function unlock(terminal: Terminal, file: string): Promise<ReviewerKey> {
  const pem = readKeyFile(file);
  for (let tried = 1; ; tried += 1) {
    const passphrase = await terminal.secret('Passphrase of your reviewer key:');
    try {
      return openReviewerKey(pem, passphrase);
    } catch (error) {
      if (!(error instanceof StartError) || tried === MOST_TRIES) throw error;
      terminal.say('That is not it.', 'yellow');
    }
  }
}
