// A rehearsal in the moments before the first call, which would else pay for all that V8 sees for the first time:
// made-up texts are read, edited and proven as a call would do it. It touches no file, no state and no log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { planOperation, readConfigFile, unifiedDiff } from '../adapters/index.ts';
import { DEFAULT_LIMITS, splice } from '../security/index.ts';

/** Enough for V8 to have seen all of it, and little enough for a server that is started for one call. */
const BUDGET_MS = 40;
const ENTRIES = 12;

/** Stops as soon as there is real work. Never rejects. */
export async function warmUp(isNeeded: () => boolean): Promise<void> {
  const end = performance.now() + BUDGET_MS;
  for (let round = 0; performance.now() < end; round++) {
    // What arrived meanwhile is heard first.
    await nextTurn();
    if (!isNeeded()) return;
    try {
      rehearse(round);
    } catch {
      // On a machine that is too slow for it, the first call is slow as well, and says so.
      return;
    }
  }
}

function rehearse(round: number): void {
  const text = Array.from({ length: ENTRIES }, (_, index) => entry(index, round)).join('');
  const base = readConfigFile(undefined, text, DEFAULT_LIMITS);
  const progress = { base, current: base, earlierChanges: [] };
  const path = `entry${ENTRIES >> 1}.ports[0].port`;
  const operation = { op: 'set', path, value: { json: round }, create: false } as const;
  const { edits, check } = planOperation(progress, operation, DEFAULT_LIMITS);
  const after = splice(text, edits);
  check(after);
  unifiedDiff('warm-up.yaml', text, after, edits);
}

function entry(index: number, round: number): string {
  return `entry${index}:
  image: "registry.example/app:${round}"   # with a comment
  enabled: true
  ports:
    - name: http
      port: 8080
  labels: { tier: 'web', zone: [a, b] }
  notes: |
    Several lines,
    as they are.
`;
}
