// What tells that a value is masked which an edit touches, or that one is which it writes: for whoever is refused, and would ask an
// operator to show it. Asked of shown texts alone, with another text in the place of each secret.

import type { SafePath } from '../paths/safe-path.ts';
import type { MaskedBy } from '../secrets/found-secret.ts';
import type { Masking } from '../secrets/masking.ts';
import { STAND } from '../secrets/still-masked.ts';
import { PLACEHOLDERS } from '../text/placeholders.ts';
import { type Edit, withInserted } from './edit.ts';

interface Planned {
  readonly path: SafePath;
  readonly shown: string;
  readonly edits: readonly Edit[];
  readonly after: string;
}

/** Of the lines that an edit writes, else of those that it replaces; 'text' where neither says anything else. */
export function maskedBy(masking: Masking, { path, shown, edits, after }: Planned): MaskedBy {
  const written = withInserted(edits, shown.length).map(({ inserted }) => inserted);
  return byIn(after, written) ?? byIn(shown, edits) ?? 'text';

  function byIn(text: string, places: readonly Pick<Edit, 'start' | 'end'>[]): MaskedBy | undefined {
    const lines = places.map(({ start, end }) => {
      const next = text.indexOf('\n', end);
      return { start: text.lastIndexOf('\n', start - 1) + 1, end: next === -1 ? text.length : next };
    });
    const spans = masking.spansIn(path, text.replaceAll(PLACEHOLDERS, STAND));
    return spans.find(({ start, end }) => lines.some((line) => line.start < end && start < line.end))?.by;
  }
}
