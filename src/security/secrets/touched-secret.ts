// The one answer to an edit that would carry, cut, show or write a masked value, or change what is around one. It says the same
// whatever the bytes are and wherever they stand, so that nobody can try guesses with it.
import { Refusal } from '../errors/refusal.ts';

/** What can be done instead. */
export const BESIDE_SECRETS: readonly string[] = [
  'Edit the keys beside it, rename its key to another name of a secret, or delete the whole entry',
  'Or set the whole value to CHANGEME, an empty text or a reference such as ${DB_PASSWORD}; a person enters the secret into the file',
];

export function touchesSecret(): Refusal {
  return new Refusal(
    'SECRET_PLACEHOLDER',
    'Cannot make this edit: it would move, copy, write or show a masked value, or change what stands around one',
    {},
    { advice: BESIDE_SECRETS },
  );
}
