// What the tests counted, for the table of `npm run test:security`: one JSON line each, into the file that
// AIRLOCK_FIGURES names. Without it nothing is written.
import { appendFileSync } from 'node:fs';

/** Whose figures: ours, the reference server's, or those of the usual check that a race must beat. */
export type Who = 'airlock' | 'peer' | 'naive';

/** Summed up over all tests. */
export type Counted =
  | 'attacks'
  | 'refused'
  | 'escapes'
  | 'canaries leaked'
  | 'race reads'
  | 'race writes'
  | 'race swaps'
  | 'reads that escaped'
  | 'writes that escaped'
  | 'writes that went with a moved folder'
  | 'kills'
  | 'torn files'
  | 'half batches'
  | 'leftover temps'
  | 'wrong modes'
  | 'rounds of two writers'
  | 'lost updates';

export function count(figure: Counted, number: number, who: Who = 'airlock'): void {
  const file = process.env['AIRLOCK_FIGURES'];
  // One small append each: lines of several processes do not mix.
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify({ who, figure, number })}\n`);
}
