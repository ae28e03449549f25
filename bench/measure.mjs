// Times that can be compared: every contestant takes its turn in each round, so that a slow moment of the
// machine hits all of them, and the median is told.

/** @returns {number} milliseconds */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Runs each of `contestants` once a round. `before` of a contestant is not timed.
 * @param {Record<string, { before?: (round: number) => unknown, run: (round: number) => unknown }>} contestants
 * @returns {Promise<Record<string, number>>} the median of each, in milliseconds
 */
export async function race(contestants, rounds, warmUps = 2) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, { before, run }] of Object.entries(contestants)) {
      await before?.(round + warmUps);
      const ms = await timed(() => run(round + warmUps));
      if (round >= 0) times[name].push(ms);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** How many rounds fit what a job costs, and how many before them do not count: enough for a median, not more than patience. */
export function roundsFor(sizeBytes, isQuick) {
  const [rounds, warmUps] = sizeBytes <= 200_000 ? [60, 20] : sizeBytes <= 2_000_000 ? [15, 5] : [3, 1];
  return isQuick ? [Math.max(3, Math.floor(rounds / 4)), Math.ceil(warmUps / 2)] : [rounds, warmUps];
}
