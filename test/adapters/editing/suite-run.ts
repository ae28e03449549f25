// Operations over the whole suite: each one proven, or refused with a code. Counts what was refused, by
// operation, code and reason.
import { Refusal } from '../../../src/security/index.ts';
import { VALID_SUITE } from '../../harness/yaml-suite.ts';
import { attemptOn, parse } from './attempt.ts';
import { operationsOn } from './operations.ts';
import { strayLines } from './outside.ts';
import { placesIn } from './places.ts';

export interface SuiteRun {
  readonly done: number;
  /** `op | code | reason` to how often. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Refusals of operations that make sense: our inability, not the file's. */
  readonly inability: readonly string[];
  /** What should never happen, with the operation that made it happen. */
  readonly faults: readonly string[];
}

/** `stride`: every so many operations one is carried out. */
export function runSuite(stride: number): SuiteRun {
  const refusals = new Map<string, number>();
  const inability: string[] = [];
  const faults: string[] = [];
  let counter = 0;
  let done = 0;
  for (const { id, text } of VALID_SUITE) {
    const stream = parse(text);
    for (const place of placesIn(stream)) {
      for (const operation of operationsOn(place)) {
        counter += 1;
        if (counter % stride !== 0) continue;
        const shown = `${id} ${JSON.stringify(text)} ${JSON.stringify(operation)}`;
        try {
          const outcome = attemptOn(stream, operation);
          if (outcome instanceof Refusal) {
            const key = `${operation.op} | ${outcome.code} | ${reasonOf(outcome)}`;
            refusals.set(key, (refusals.get(key) ?? 0) + 1);
            if (isInability(outcome)) inability.push(`${shown}: ${outcome.code} ${outcome.message}`);
            continue;
          }
          done += 1;
          const stray = strayLines(stream, place, operation, outcome.after);
          if (stray.length > 0)
            faults.push(`${shown} => ${JSON.stringify(outcome.after)}: ${stray.join('|')}`);
        } catch (error) {
          faults.push(`${shown}: ${error instanceof Error ? error.stack : error}`);
        }
      }
    }
  }
  return { done, refusals, inability, faults };
}

/** An operation of `operationsOn` makes sense unless the file itself is in its way. */
function isInability({ code }: Refusal): boolean {
  return code === 'VERIFICATION_FAILED' || code === 'VALUE_INVALID';
}

function reasonOf({ code, message }: Refusal): string {
  return code === 'VERIFICATION_FAILED' || code === 'VALUE_INVALID'
    ? message
    : message.slice(message.lastIndexOf(': ') + 2).replaceAll(/[&*]\S+/g, '…');
}

export function refusalTable({ done, refusals, inability }: SuiteRun): string {
  const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0);
  const rows = [...refusals]
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${String(count).padStart(6)}  ${what}`);
  const share = ((100 * inability.length) / (done + refused)).toFixed(2);
  return [
    `${done} done, ${refused} refused, ${inability.length} of them by inability (${share} %)`,
    ...rows,
  ].join('\n');
}
