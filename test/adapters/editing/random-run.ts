// Random operations of all kinds, several in a row on the same file, so that later ones meet what earlier
// ones made. Each result is proven, and compared line by line outside the touched entry.
import type { Operation } from '../../../src/adapters/index.ts';
import { Refusal } from '../../../src/security/index.ts';
import { type Random, randomFrom } from '../../harness/random.ts';
import { attemptOn, parse } from './attempt.ts';
import { operationsOn } from './operations.ts';
import type { JudgedEdit } from './oracle.ts';
import { strayLines } from './outside.ts';
import { placesIn } from './places.ts';
import { EXAMPLES, generated, type Source, SUITE_SOURCES } from './sources.ts';

export interface RandomRun {
  readonly edits: readonly JudgedEdit[];
  /** Operations done, by kind. */
  readonly done: ReadonlyMap<string, number>;
  /** Refused, by kind and code. */
  readonly refused: ReadonlyMap<string, number>;
  /** Refusals by our inability: see `suite-run.ts`. */
  readonly inability: readonly string[];
  readonly faults: readonly string[];
}

const LONGEST_CHAIN = 6;
/** Mutations can only grow so far: the parser would spend the time, not the editor. */
const LONGEST_TEXT = 8_000;

export function runRandomly(seed: number, operations: number): RandomRun {
  const random = randomFrom(seed);
  const edits: JudgedEdit[] = [];
  const [done, refused] = [new Map<string, number>(), new Map<string, number>()];
  const [inability, faults]: [string[], string[]] = [[], []];
  for (let count = 0; count < operations; ) {
    const source = sourceFor(random);
    let text = source.text;
    for (let link = random.below(LONGEST_CHAIN) + 1; link > 0 && count < operations; link--, count++) {
      const step = randomStep(random, source, text);
      const { operation, shown } = step;
      if (step.fault !== undefined) faults.push(`${shown}: ${step.fault}`);
      if (step.after === undefined) {
        add(refused, `${operation.op} ${step.code}`);
        if (step.code === 'VERIFICATION_FAILED' || step.code === 'VALUE_INVALID') inability.push(shown);
        continue;
      }
      add(done, operation.op);
      edits.push({ id: source.id, before: text, after: step.after, operation });
      if (step.after.length < LONGEST_TEXT) text = step.after;
    }
  }
  return { edits, done, refused, inability, faults };
}

function randomStep(random: Random, { id, language }: Source, text: string) {
  const stream = parse(text, language);
  const place = random.pick([...placesIn(stream)]);
  const operations = [...operationsOn(place, language)];
  const kind = random.pick([...new Set(operations.map(({ op }) => op))]);
  const operation: Operation = random.pick(operations.filter(({ op }) => op === kind));
  const shown = `${id} ${JSON.stringify(text)} ${JSON.stringify(operation)}`;
  try {
    const outcome = attemptOn(stream, operation, language);
    if (outcome instanceof Refusal)
      return { operation, shown, code: outcome.code, after: undefined, fault: undefined };
    const stray = strayLines(stream, place, operation, outcome.after);
    const fault =
      stray.length > 0 ? `=> ${JSON.stringify(outcome.after)} changed ${stray.join('|')}` : undefined;
    return { operation, shown, code: undefined, after: outcome.after, fault };
  } catch (error) {
    const fault = error instanceof Error ? error.stack : String(error);
    return { operation, shown, code: 'CRASH', after: undefined, fault };
  }
}

/** Half of them generated, a quarter from the suite, a quarter examples. */
function sourceFor(random: Random): Source {
  switch (random.below(4)) {
    case 0:
      return random.pick(EXAMPLES);
    case 1:
      return random.pick(SUITE_SOURCES);
    default:
      return generated(random.below(2 ** 31));
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Figures for people: operations by kind, refusals by code, what the second oracle said. */
export function figures({ done, refused }: RandomRun, counts: Readonly<Record<string, number>>): string {
  const list = (of: Iterable<readonly [string, number]>) =>
    [...of]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([what, count]) => `${what} ${count}`)
      .join(' · ');
  return `done: ${list(done)}\nrefused: ${list(refused)}\noracle: ${list(Object.entries(counts))}\n`;
}
