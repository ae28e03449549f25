// A small seeded generator (mulberry32), so that a failing test names the seed that brings it back.

export interface Random {
  readonly seed: number;
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** The seed from SEED where it is set, to repeat a run. */
export function seededRandom(fallback: number): Random {
  return randomFrom(Number(process.env['SEED'] ?? fallback) >>> 0);
}

/** One seed, one sequence. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    seed,
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}
