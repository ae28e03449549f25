// Ensures that no edit shows a masked value or tests a guess of one. The result is masked anew, and must equal the result on the masked
// text. The secrets that remain must be masked because of their context, whatever their own bytes are.
import type { SafePath } from '../paths/safe-path.ts';
import { PLACEHOLDER_LENGTH } from '../text/placeholders.ts';
import { type KeptPlaceholder, keptPlaceholders } from './kept-placeholders.ts';
import type { SecretSpan } from './masked-text.ts';
import type { HashedText, Masking } from './masking.ts';
import { secretTouched } from './touched-secret.ts';

interface Planned {
  readonly path: SafePath;
  /** The shown text, its edits, and their result. */
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
  if (kept.length > 0) requireStillMaskedByContext(masking, planned, kept);
  if (masking.mask(path, result.text, result.sha256).shown !== after.text) throw secretTouched();
}

/** A text as long as a placeholder that is masked only because of its context. It is put in the place of each secret. */
export const SAMPLE_SECRET = 'Qz7wKp2mXv4Rt9LbN'.slice(0, PLACEHOLDER_LENGTH);

/**
 * Throws SECRET_PLACEHOLDER where the context of a secret would no longer mask the sample text, or would mask fewer kinds of texts. The
 * answer to the edit would then depend on the secret itself.
 */
function requireStillMaskedByContext(
  masking: Masking,
  { path, shown, after }: Planned,
  kept: readonly KeptPlaceholder[],
): void {
  const before = spansAround(
    masking.spansIn(path, shown, SAMPLE_SECRET),
    kept.map((one) => one.before),
  );
  if (before.every((span) => span === undefined)) return;
  const now = spansAround(
    masking.spansIn(path, after, SAMPLE_SECRET),
    kept.map((one) => one.after),
  );
  if (before.some((span, index) => span !== undefined && !masksAsMuch(now[index], span)))
    throw secretTouched();
}

function masksAsMuch(now: SecretSpan | undefined, before: SecretSpan): boolean {
  return (
    now?.start === before.start &&
    now.end === before.end &&
    (now.shows ?? []).every((kind) => before.shows?.includes(kind) === true)
  );
}

/** Returns the span around each place, relative to it, or undefined. Spans and places are ascending. */
function spansAround(
  spans: readonly SecretSpan[],
  places: readonly number[],
): readonly (SecretSpan | undefined)[] {
  let next = 0;
  return places.map((place) => {
    while ((spans[next]?.end ?? place + 1) <= place) next += 1;
    const span = spans[next];
    if (span === undefined || span.start > place) return undefined;
    return { ...span, start: span.start - place, end: span.end - place };
  });
}
