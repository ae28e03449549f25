// A table of texts, each labelled with what of it is secret: how many of the secrets are masked, and how many of the others are.
// `npm run figures:masking` prints both, also for values of public repositories.
import { describe, expect, it } from 'vitest';
import { spansIn } from '../../harness/masked.ts';
import table from '../../tables/masking.json' with { type: 'json' };

/** « and » stand around each secret; ¬ keeps what looks like a token from looking like one in the table. */
function labelled(row: string): { readonly text: string; readonly secrets: readonly (readonly number[])[] } {
  const secrets: (readonly number[])[] = [];
  let text = '';
  for (const [part = ''] of row.matchAll(/«[^»]*»|[^«]+/gu)) {
    const start = text.length;
    text += part.replaceAll(/[«»¬]/gu, '');
    if (part.startsWith('«')) secrets.push([start, text.length]);
  }
  return { text, secrets };
}

const rows = (kind: 'secret' | 'plain') =>
  table[kind].flatMap(({ class: why, file, texts }) => texts.map((row) => ({ why, file, row })));

describe('of a table of texts', () => {
  it('each secret is masked', () => {
    const missed = rows('secret').filter(({ file, row }) => {
      const { text, secrets } = labelled(row);
      const spans = spansIn(file, text);
      return secrets.some(([start = 0, end = 0]) => {
        const covered = spans.some((span) => span.start <= start && end <= span.end);
        return !covered;
      });
    });
    expect(missed).toEqual([]);
    expect(rows('secret').length).toBeGreaterThan(300);
  });

  it('nothing else is masked', () => {
    const masked = [...rows('plain'), ...rows('secret')].filter(({ file, row }) => {
      const { text, secrets } = labelled(row);
      return spansIn(file, text).some(
        (span) => !secrets.some(([start = 0, end = 0]) => span.start < end && start < span.end),
      );
    });
    expect(masked).toEqual([]);
    expect(rows('plain').length).toBeGreaterThan(300);
  });
});
