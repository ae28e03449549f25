// Opens a reviewer's key with the passphrase that the person types. There is no option and no variable for the passphrase.

import { readKeyFile } from '../../security/approval/key-file.ts';
import { claimedKeyId, openReviewerKey, type ReviewerKey } from '../../security/approval/reviewer-key.ts';
import { ignoring } from '../../security/errors/refusal.ts';
import { StartError } from '../../security/errors/start-error.ts';
import { KEY } from '../settings/command-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { defaultKeyFile } from '../settings/user-folders.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandContext } from './context.ts';

const MAX_TRIES = 3;

/** Opens the key. Throws StartError for a file that is no key of this user's, and after three wrong passphrases. */
export async function unlockKey(terminal: Terminal, context: CommandContext): Promise<ReviewerKey> {
  const sealed = readKeyFile(keyFile(context));
  for (let tries = 1; ; tries += 1) {
    const passphrase = await terminal.secret('Passphrase of your reviewer key:');
    try {
      return openReviewerKey(sealed, passphrase);
    } catch (error) {
      if (!(error instanceof StartError) || tries === MAX_TRIES) throw error;
      terminal.say('Wrong passphrase.', 'yellow');
    }
  }
}

/** Returns the key that the file names, unproven; undefined if there is no such file. It tells a person early what they cannot do. */
export function claimedKey(context: CommandContext): Pick<ReviewerKey, 'id'> | undefined {
  const id = ignoring('all', () => claimedKeyId(readKeyFile(keyFile(context))));
  return id === undefined ? undefined : { id };
}

/** Returns the path that --key gives, or the usual one of this user. Throws UsageError if there is neither. */
export function keyFile({ settings, env }: CommandContext): string {
  const file = settings.of(KEY).value ?? defaultKeyFile(env);
  if (file === undefined) throw new UsageError('the environment names no home directory: give --key FILE');
  return file;
}
