// How often a property is tried: a hundred times at each change, and as often as its test says before a release, where
// `npm run test:long` sets PROPERTY_RUNS=all. fast-check prints the seed and the path of what it finds.
const MOST = process.env['PROPERTY_RUNS'] === 'all' ? Number.POSITIVE_INFINITY : 100;

export function runs(count: number): number {
  return Math.min(count, MOST);
}

/** How often something that takes a process is tried: fewer times at each change than before a release. */
export function timesOf(usual: number, inFull: number): number {
  return Number.isFinite(MOST) ? usual : inFull;
}
