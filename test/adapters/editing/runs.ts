// Runs of operations on many files. Each result is proven, and compared line by line outside the touched entry; each
// refusal has a code. Counts what came of them.
import { findRemovedComments } from '../../../src/adapters/review/describe-edit.ts';
import { Refusal } from '../../../src/security/errors/refusal.ts';
import { type Random, randomFrom } from '../../harness/random.ts';
import { attemptOn, type Operation, parse } from './attempt.ts';
import { operationsOn, transfersOn } from './operations.ts';
import type { JudgedEdit } from './oracle.ts';
import { strayLines } from './outside.ts';
import { type PlaceInFile, placesIn } from './places.ts';
import { EXAMPLES, generated, generatedJsonc, type Source, SUITE_SOURCES, TOML_SOURCES } from './sources.ts';

export class Run {
  readonly edits: JudgedEdit[] = [];
  /** Refused, by operation, code and reason. */
  readonly refused = new Map<string, number>();
  /** Refusals of operations that make sense: our inability, not the file's. */
  readonly inability: string[] = [];
  /** What should never happen, with the operation that made it happen. */
  readonly faults: string[] = [];

  /** The text afterwards; undefined where the operation was refused. */
  carryOut(source: Source, place: PlaceInFile, operation: Operation): string | undefined {
    const { id, text, language } = source;
    const stream = parse(text, language);
    const shown = `${id} ${JSON.stringify(text)} ${JSON.stringify(operation)}`;
    try {
      const outcome = attemptOn(stream, operation, language);
      if (outcome instanceof Refusal) {
        this.#refuse(operation, outcome, shown);
        return undefined;
      }
      const { after } = outcome;
      const removed = findRemovedComments(stream, parse(after, language), outcome.edits);
      this.edits.push({ id, language: language ?? 'yaml', before: text, after, operation, removed });
      const isTransfer = operation.op === 'move' || operation.op === 'copy';
      const isApart = language === 'toml' || language === 'template';
      const stray = isTransfer || isApart ? [] : strayLines(stream, place, operation, after);
      if (stray.length > 0) this.faults.push(`${shown} => ${JSON.stringify(after)}: ${stray.join('|')}`);
      return after;
    } catch (error) {
      this.faults.push(`${shown}: ${error instanceof Error ? error.stack : error}`);
      return undefined;
    }
  }

  /** An operation of `operationsOn` makes sense unless the file itself is in its way. */
  #refuse({ op }: Operation, { code, message }: Refusal, shown: string): void {
    const isInability = code === 'VERIFICATION_FAILED' || code === 'VALUE_INVALID';
    if (isInability) this.inability.push(`${shown}: ${code} ${message}`);
    const reason = message.slice(message.lastIndexOf(': ') + 2).replaceAll(/[&*]\S+/g, '…');
    const key = `${op} | ${code} | ${isInability ? message : reason}`;
    this.refused.set(key, (this.refused.get(key) ?? 0) + 1);
  }

  get total(): number {
    return this.edits.length + [...this.refused.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Figures for people. */
  toString(): string {
    const rows = [...this.refused].sort(([, a], [, b]) => b - a);
    return [
      `${this.total} operations, ${this.edits.length} done, ${this.inability.length} refused by inability`,
      ...rows.map(([what, count]) => `${String(count).padStart(6)}  ${what}`),
    ].join('\n');
  }
}

/** Every operation on every node of the suite; `stride`: of so many operations one is carried out. */
export function runSuite(stride: number): Run {
  const run = new Run();
  let counter = 0;
  for (const source of SUITE_SOURCES) {
    for (const place of placesIn(parse(source.text))) {
      for (const operation of operationsOn(place)) {
        counter += 1;
        if (counter % stride === 0) run.carryOut(source, place, operation);
      }
    }
  }
  return run;
}

const LONGEST_CHAIN = 6;
/** Mutations can only grow so far: the parser would spend the time, not the editor. */
const LONGEST_TEXT = 8_000;

/** Random operations, several in a row on the same file, so that later ones meet what earlier ones made. */
export function runRandomly(seed: number, operations: number): Run {
  const random = randomFrom(seed);
  const run = new Run();
  for (let count = 0; count < operations; ) {
    let source = sourceFor(random);
    for (let link = random.below(LONGEST_CHAIN) + 1; link > 0 && count < operations; link--, count++) {
      const places = [...placesIn(parse(source.text, source.language))];
      const place = random.pick(places);
      const all = [...operationsOn(place, source.language), ...transfersOn(place, places)];
      const kind = random.pick([...new Set(all.map(({ op }) => op))]);
      const operation = random.pick(all.filter(({ op }) => op === kind));
      const after = run.carryOut(source, place, operation);
      if (after !== undefined && after.length < LONGEST_TEXT) source = { ...source, text: after };
    }
  }
  return run;
}

/** A third of them generated YAML. */
function sourceFor(random: Random): Source {
  switch (random.below(6)) {
    case 0:
      return random.pick(EXAMPLES);
    case 1:
      return random.pick(SUITE_SOURCES);
    case 2:
      return random.pick(TOML_SOURCES);
    case 3:
      return generatedJsonc(random.below(2 ** 31));
    default:
      return generated(random.below(2 ** 31));
  }
}
