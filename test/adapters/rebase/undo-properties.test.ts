// What holds for the way back of every change on every file.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/adapters/index.ts';
import { changesThatMeet } from '../../../src/adapters/rebase/find-drift.ts';
import { Refusal } from '../../../src/security/index.ts';
import { attempt, parse } from '../editing/attempt.ts';
import { operationsOn } from '../editing/operations.ts';
import { placesIn } from '../editing/places.ts';
import { EXAMPLES, generated, type Source, SUITE_SOURCES } from '../editing/sources.ts';
import { type Applied, applied, undone } from './undoing.ts';

const SETTINGS = { seed: 21, numRuns: Number(process.env['RUNS'] ?? 200) } as const;

const sources: fc.Arbitrary<Source> = fc.oneof(
  { weight: 6, arbitrary: fc.nat().map(generated) },
  { weight: 2, arbitrary: fc.constantFrom(...SUITE_SOURCES) },
  { weight: 1, arbitrary: fc.constantFrom(...EXAMPLES.filter(({ language }) => language === 'yaml')) },
);

/** One operation of all that make sense on the file, by two numbers. */
function operationAt(text: string, [place, which]: readonly [number, number]): Operation | undefined {
  const stream = parse(text);
  const places = [...placesIn(stream)];
  const picked = places[place % places.length];
  const operations = picked === undefined ? [] : [...operationsOn(picked)];
  return operations[which % operations.length];
}

function tried(base: string, operation: Operation | undefined): Applied | undefined {
  const outcome = operation === undefined ? undefined : attempt(base, operation);
  if (outcome === undefined || outcome instanceof Refusal || outcome.after === base) return undefined;
  return { base, ...outcome };
}

const numbers = fc.tuple(fc.nat(), fc.nat());

describe('the way back', () => {
  test('gives the very bytes back where nothing came between [EDT-7]', () => {
    let count = 0;
    fc.assert(
      fc.property(sources, numbers, ({ text }, at) => {
        const change = tried(text, operationAt(text, at));
        if (change === undefined) return;
        count += 1;
        expect(undone(change, change.after)).toEqual({ after: text });
      }),
      SETTINGS,
    );
    expect(count).toBeGreaterThan(100);
  });

  test('leaves what came between, and nothing else [EDT-7]', () => {
    const came = { back: 0, refused: 0 };
    fc.assert(
      fc.property(sources, numbers, numbers, ({ text }, first, second) => {
        const change = tried(text, operationAt(text, first));
        if (change === undefined) return;
        const operation = operationAt(text, second);
        const alone = tried(text, operation);
        const later = tried(change.after, operation);
        if (alone === undefined || later === undefined || meet(change, alone)) return;
        // What an edit writes may depend on what stands around it.
        if (writtenBy(alone) !== writtenBy(later)) return;
        const outcome = undone(change, later.after);
        if ('reason' in outcome) {
          came.refused += 1;
          return;
        }
        came.back += 1;
        expect(outcome.after).toBe(alone.after);
      }),
      SETTINGS,
    );
    expect(came.back).toBeGreaterThan(50);
    expect(came.refused, 'refused for want of proof').toBeLessThan(came.back / 20);
  });

  test('takes changes back in any order, and never a byte of another [EDT-7]', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(2)), { maxLength: 14 }), (steps) => {
        const inForce = new Map<number, Applied>();
        let text = SHOP;
        for (const [number, kind] of steps) {
          const section = number % SECTIONS.length;
          const change = inForce.get(section);
          if (change === undefined) {
            const made = applied(text, operationIn(section, kind));
            inForce.set(section, made);
            text = made.after;
          } else {
            const outcome = undone(change, text);
            expect(outcome).toHaveProperty('after');
            inForce.delete(section);
            if ('after' in outcome) text = outcome.after;
          }
        }
        for (const [section, change] of inForce) {
          const outcome = undone(change, text);
          expect(outcome, `section ${section}`).toHaveProperty('after');
          if ('after' in outcome) text = outcome.after;
        }
        expect(text).toBe(SHOP);
      }),
      { ...SETTINGS, numRuns: 40 },
    );
  });
});

const SECTIONS = ['web', 'db', 'mail', 'jobs', 'logs', 'last'] as const;

/** Each section with something to set, to take away and to add to. */
const SHOP = SECTIONS.map(
  (name, i) =>
    `# about ${name}\n${name}:\n  replicas: ${i}   # why ${name}\n  # head ${name}\n  goes: { a: ${i}, b: [x, y] }\n  list:\n  - one\n  - two # ${name}\n`,
).join('');

function operationIn(section: number, kind: number): Operation {
  const at = (rest: string) => `${SECTIONS[section]}.${rest}`;
  switch (kind) {
    case 0:
      return { op: 'set', path: at('replicas'), value: '"many"', create: true };
    case 1:
      return { op: 'delete', path: at('goes') };
    default:
      return { op: 'append', path: at('list'), value: 'a: |\n  text\n' };
  }
}

function writtenBy({ base, edits }: Applied): string {
  return JSON.stringify(edits.map(({ start, end, insert }) => [base.slice(start, end), insert]));
}

function meet(one: Applied, other: Applied): boolean {
  const versions = { old: parse(one.base), now: parse(one.after), result: parse(other.after) };
  return changesThatMeet(versions, one.changes, other.changes).length > 0;
}
