// Makes the refusal of an edit that would move, cut, show or write a masked value, or change its context. It does not depend on the bytes
// of the value, so that nobody can test guesses with it.
import { Refusal } from '../errors/refusal.ts';
import { quoted } from '../text/visible.ts';
import type { MaskedBy } from './found-secret.ts';

/** The edits that are possible instead. */
const ALTERNATIVES: readonly string[] = [
  'Set the whole value to CHANGEME, an empty text or a reference such as ${DB_PASSWORD}; a person enters the secret into the file',
  'In plain text, replace_text does that with the whole <secret:…> as old_text',
  'Editing the keys beside it, renaming its key to another name of a secret, and deleting the whole entry are possible too',
];

/** Makes the refusal. `rule` is a whole sentence that names the rule that masks the value, and how an operator can show it. */
export function secretTouched(rule?: string): Refusal {
  return new Refusal(
    'SECRET_PLACEHOLDER',
    'Cannot make this edit: it would move, copy, write or show a masked value, or change what stands around one',
    {},
    { advice: rule === undefined ? ALTERNATIVES : [...ALTERNATIVES, rule] },
  );
}

/** Makes the refusal of a new file. Its whole text comes from the caller, so that the lines tell nothing about other files. */
export function secretWritten([line, ...more]: readonly number[], rule: string): Refusal {
  const lines =
    more.length === 0
      ? `line ${line} of the new text holds`
      : `lines ${[line, ...more].join(', ')} of the new text hold`;
  return new Refusal(
    'SECRET_PLACEHOLDER',
    `Cannot create this file: ${lines} a plain secret, and no call writes one`,
    { line },
    {
      advice: [
        'Send the same content with CHANGEME, an empty text or a reference such as ${DB_PASSWORD} there; a person enters the secret into the file',
        rule,
      ],
    },
  );
}

/** Returns the sentence that names the rule. `place` is an argument for `--show-path`, if one is known. */
export function maskingReason(by: MaskedBy, place: string | undefined): string {
  const shown = `a person can start the server with --show-path ${place === undefined ? 'GLOB:PATH' : quoted(place)}`;
  switch (by) {
    case 'key':
      return `Its key has the name of a secret: where it is none, ${shown}`;
    case 'structure':
      return `What stands around it says that it is a secret: where it is none, ${shown}`;
    case 'operator':
      return 'An option --mask-key or --mask-path of the operator masks it';
    case 'text':
      return 'Its form alone says that it is a secret, as that of a token or of a password in a URL';
  }
}
