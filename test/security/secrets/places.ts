// One file for each kind of place in which a secret is masked, of test/tables/masked-places.yaml; its text is made anew for each canary.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

export interface MaskedPlace {
  readonly why: string;
  readonly file: string;
  /** With one secret in it. */
  readonly text: (secret: string) => string;
  /** Where it stands, in a file that has paths. */
  readonly path?: string | undefined;
}

/** A secret that tells where it leaked from, and could be a password, a token or a number of base64. */
export const CANARY = 'kanari7Bq2xX9wLm4';

const Place = z.strictObject({
  ...{ why: z.string(), file: z.string(), text: z.string() },
  path: z.string().optional(),
});
const TABLE = z
  .strictObject({ places: z.array(Place), no_secrets: z.string() })
  .parse(parse(readFileSync(new URL('../../tables/masked-places.yaml', import.meta.url), 'utf8')));

export const PLACES: readonly MaskedPlace[] = TABLE.places.map(({ text, ...place }) => ({
  ...place,
  text: (secret) => text.replaceAll('¬', '').replaceAll('§', () => secret),
}));

/** Values below such a name that are no secrets, and are shown. */
export const NO_SECRETS = TABLE.no_secrets;

export const FLAGS = ['--allow', '**', '--mask-path', 'asked.yaml:spec.license', '--mask-key', 'DOOR_*'];
