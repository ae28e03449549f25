// What the tests counted, for the table of `npm run test:security`: one JSON line each, into the file that
// TEST_FIGURES names. Without it nothing is written.
import { appendFileSync } from 'node:fs';

/** Whose figures: ours, the reference server's, or those of the usual check that a race must beat. */
export type Who = 'airlock' | 'naive';

/** Summed up over all tests. scripts/test-security.mjs prints them in this order, and knows which must be 0. */
export type Counted =
  | 'attacks'
  | 'refused'
  | 'escapes'
  | 'canaries leaked'
  | 'races'
  | 'race swaps'
  | 'race reads'
  | 'race reads that escaped'
  | 'race writes'
  | 'races with a write outside'
  | 'writes that went with a moved folder'
  | 'kills'
  | 'kills of a recovery'
  | 'torn files'
  | 'batches in halves'
  | 'wrong modes'
  | 'leftovers after the next start'
  | 'rounds of two writers'
  | 'rounds beside a third that is to be killed'
  | 'lost updates'
  | `${Finding}: ${'attacks' | 'escapes'}`;

/** What attackers found (issue 15); each has its tests in test/security, in the file of its name. */
type Finding =
  | 'flood'
  | 'patterns'
  | 'widths'
  | 'followers'
  | 'bounds'
  | 'trusted files'
  | 'key'
  | 'defaults';

export function count(figure: Counted, number: number, who: Who = 'airlock'): void {
  const file = process.env['TEST_FIGURES'];
  // One small append each: lines of several processes do not mix.
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify({ who, figure, number })}\n`);
}

/** Counts attacks of a kind, and gives back those that got through: there should be none. */
export function escapesOf<Escape>(
  finding: Finding,
  attacks: number,
  escapes: readonly Escape[],
): readonly Escape[] {
  count(`${finding}: attacks`, attacks);
  count(`${finding}: escapes`, escapes.length);
  return escapes;
}
