// Counts the values that a search finds, and keeps the first place of each.
import type { Match } from '../adapters/index.ts';
import { cutSentence } from './tool.ts';

export interface ValueCount {
  readonly value: string;
  readonly count: number;
  /** The first match with it, as a search shows it. */
  readonly example: string;
}

/** More are counted together: nobody reads them, and each takes memory. */
const MAX_VALUES = 10_000;

export class ValueCounts {
  readonly #values = new Map<string, { count: number; readonly example: string }>();
  found = 0;

  add(matches: readonly Match[], lineOf: (match: Match) => string): void {
    for (const match of matches) {
      this.found += 1;
      const value = cutSentence(match.value);
      const known = this.#values.get(value);
      if (known !== undefined) known.count += 1;
      else if (this.#values.size < MAX_VALUES) this.#values.set(value, { count: 1, example: lineOf(match) });
    }
  }

  /** Returns the most frequent values, and how many are left out. */
  top(most: number): { readonly values: readonly ValueCount[]; readonly left: number } {
    const all = [...this.#values].map(([value, counted]) => ({ value, ...counted }));
    const values = all.sort((a, b) => b.count - a.count).slice(0, most);
    return { values, left: all.length - values.length };
  }
}
