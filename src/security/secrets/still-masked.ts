// No edit may show a masked value, and none may say what it is: the result, masked anew, must be what was planned on the masked
// text, and what is left in it must be masked by what stands around it, whatever its own bytes are.
import type { SafePath } from '../paths/safe-path.ts';
import { PLACEHOLDER_LENGTH, PLACEHOLDERS } from '../text/placeholders.ts';
import { type KeptPlaceholder, keptPlaceholders } from './kept-placeholders.ts';
import type { SecretSpan } from './masked-text.ts';
import type { Masking } from './masking.ts';
import { touchesSecret } from './touched-secret.ts';

interface Planned {
  readonly path: SafePath;
  /** The text as it is shown, what is done to it, and what that makes of it. */
  readonly shown: string;
  readonly edits: Parameters<typeof keptPlaceholders>[1];
  readonly after: string;
  /** What it makes of the text itself. */
  readonly result: string;
}

/** Throws the answer of `touchesSecret`. */
export function requireStillMasked(masking: Masking, { path, shown, edits, after, result }: Planned): void {
  const kept = keptPlaceholders(shown, edits);
  for (const stand of kept.length === 0 ? [] : STANDS)
    requireStillTold(masking, path, [shown, after], kept, stand);
  if (masking.of(path, result).shown !== after) throw touchesSecret();
}

/**
 * As long as a placeholder: a text that only what is around it tells to be a secret, and one that below the name of a secret is
 * none, as a path is, but in the data of a Secret is one. What is told of each must still be told afterwards, or the answer to an edit would
 * depend on which of them the secret is more like.
 */
const STANDS = ['Qz7wKp2mXv4Rt9LbN', '/run/aaaaaaaaaaaa'].map((stand) => stand.slice(0, PLACEHOLDER_LENGTH));
/** The first of them. */
export const [STAND = ''] = STANDS;

function requireStillTold(
  masking: Masking,
  path: SafePath,
  [shown, after]: readonly [string, string],
  kept: readonly KeptPlaceholder[],
  stand: string,
): void {
  const told = (text: string, places: readonly number[]) =>
    spansAround(masking.spansIn(path, text.replaceAll(PLACEHOLDERS, stand)), places);
  const before = told(
    shown,
    kept.map((one) => one.before),
  );
  if (before.every((span) => span === undefined)) return;
  const now = told(
    after,
    kept.map((one) => one.after),
  );
  if (before.some((span, index) => span !== undefined && span !== now[index])) throw touchesSecret();
}

/** Of each place the span that holds it, as seen from there. Both in ascending order. */
function spansAround(
  spans: readonly SecretSpan[],
  places: readonly number[],
): readonly (string | undefined)[] {
  let next = 0;
  return places.map((place) => {
    while ((spans[next]?.end ?? place + 1) <= place) next += 1;
    const span = spans[next];
    return span === undefined || span.start > place ? undefined : `${span.start - place} ${span.end - place}`;
  });
}
