// Ensures that no edit shows a masked value or tests a guess of one. The result, masked anew, must be what was planned on the
// masked text. The secrets that remain must be masked by their context, whatever their own bytes are.
import type { SafePath } from '../paths/safe-path.ts';
import { PLACEHOLDER_LENGTH } from '../text/placeholders.ts';
import { type KeptPlaceholder, keptPlaceholders } from './kept-placeholders.ts';
import type { SecretSpan } from './masked-text.ts';
import type { HashedText, Masking } from './masking.ts';
import { touchesSecret } from './touched-secret.ts';

interface Planned {
  readonly path: SafePath;
  /** The text as it is shown, the edits of it, and the result of these. */
  readonly shown: HashedText;
  readonly edits: Parameters<typeof keptPlaceholders>[1];
  readonly after: HashedText;
  /** The result in the real text. */
  readonly result: HashedText;
}

/** Throws SECRET_PLACEHOLDER where the edit would reveal something. */
export function requireStillMasked(masking: Masking, planned: Planned): void {
  const { path, shown, edits, after, result } = planned;
  const kept = keptPlaceholders(shown.text, edits);
  for (const stand of kept.length === 0 ? [] : STANDS) requireStillTold(masking, planned, kept, stand);
  if (masking.of(path, result.text, result.sha256).shown !== after.text) throw touchesSecret();
}

/**
 * Texts as long as a placeholder, put in the place of each secret. The first is a secret by its context only. The second, a
 * path, is none below a secret key, but is one in the data of a Secret. Both must be masked as before, or the answer to an edit
 * would depend on which of them the secret resembles.
 */
const STANDS = ['Qz7wKp2mXv4Rt9LbN', '/run/aaaaaaaaaaaa'].map((stand) => stand.slice(0, PLACEHOLDER_LENGTH));
/** The first of them. */
export const [STAND = ''] = STANDS;

function requireStillTold(
  masking: Masking,
  { path, shown, after }: Planned,
  kept: readonly KeptPlaceholder[],
  stand: string,
): void {
  const before = spansAround(
    masking.spansIn(path, shown, stand),
    kept.map((one) => one.before),
  );
  if (before.every((span) => span === undefined)) return;
  const now = spansAround(
    masking.spansIn(path, after, stand),
    kept.map((one) => one.after),
  );
  if (before.some((span, index) => span !== undefined && span !== now[index])) throw touchesSecret();
}

/** Answers the span around each place, relative to it, or undefined. Spans and places are ascending. */
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
