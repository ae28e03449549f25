// Names the rule that masks a value which an edit touches or writes, so that a refused caller can ask an operator to show it.
// It works on shown texts alone, in which another text stands for each secret.

import type { SafePath } from '../paths/safe-path.ts';
import type { MaskedBy } from '../secrets/found-secret.ts';
import type { Masking } from '../secrets/masking.ts';
import { SAMPLE_SECRET } from '../secrets/still-masked.ts';
import { holdsPlaceholder } from '../text/placeholders.ts';
import { type Edit, withInserted } from './edit.ts';

interface Planned {
  readonly path: SafePath;
  readonly shown: string;
  readonly edits: readonly Edit[];
  readonly after: string;
}

/** Returns the numbers of the lines of a new file that would be masked; none if it holds placeholders of other files. */
export function maskedLines(masking: Masking, { path, after }: Pick<Planned, 'path' | 'after'>): number[] {
  if (holdsPlaceholder(after)) return [];
  const lines = masking
    .spansIn(path, { text: after }, SAMPLE_SECRET)
    .map(({ start }) => after.slice(0, start).split('\n').length);
  return [...new Set(lines)];
}

/** Looks in the lines that an edit writes, then in those that it replaces; returns 'text' where neither names a rule. */
export function maskedBy(masking: Masking, { path, shown, edits, after }: Planned): MaskedBy {
  const written = withInserted(edits, shown.length).map(({ inserted }) => inserted);
  return byIn(after, written) ?? byIn(shown, edits) ?? 'text';

  function byIn(text: string, places: readonly Pick<Edit, 'start' | 'end'>[]): MaskedBy | undefined {
    const lines = places.map(({ start, end }) => {
      const next = text.indexOf('\n', end);
      return { start: text.lastIndexOf('\n', start - 1) + 1, end: next === -1 ? text.length : next };
    });
    const spans = masking.spansIn(path, { text }, SAMPLE_SECRET);
    return spans.find(({ start, end }) => lines.some((line) => line.start < end && start < line.end))?.by;
  }
}
