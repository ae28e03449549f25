// The checker itself, under fault: wrong splices of every kind are handed to it as a planner's slip would,
// and each must be refused. The right splice of the same operation must pass, so that it cannot refuse all.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Edit, splice } from '../../src/security/edits/edit.ts';
import { VerifiedEdit } from '../../src/security/edits/verified-edit.ts';
import { Refusal } from '../../src/security/errors/refusal.ts';
import { refusalOf } from '../harness/refusals.ts';
import { place } from '../security/fixture.ts';
import { attempt, type Faults, type Operation, planned } from './editing/attempt.ts';

const SubjectShape = z.strictObject({
  name: z.string(),
  language: z.enum(['yaml', 'json']).default('yaml'),
  before: z.string(),
  operation: z.looseObject({
    op: z.enum(['append', 'comment', 'delete', 'insert', 'rename', 'set']),
    path: z.string(),
  }),
  after: z.string(),
  /** Why, what the right result holds once, and what stands there instead. */
  slips: z.array(z.tuple([z.string(), z.string(), z.string()])),
});

const SUBJECTS = z
  .array(SubjectShape)
  .parse(JSON.parse(readFileSync(new URL('../tables/proof-faults.json', import.meta.url), 'utf8')));

const ROWS = SUBJECTS.flatMap(({ slips, ...subject }) =>
  slips.map(([why, right, wrong]) => ({ ...subject, why, right, wrong })),
);

const REFUSED = /^(?:VERIFICATION_FAILED|ANCHOR_IN_USE)$/u;

type Subject = Pick<(typeof ROWS)[number], 'before' | 'operation' | 'language'>;
const proofFor = ({ before, operation, language }: Subject) => planned(before, operation, language);

function slipped({ why, after, right, wrong }: (typeof ROWS)[number]): string {
  expect(after.split(right), `the right result holds it once: ${why}`).toHaveLength(2);
  return after.replace(right, () => wrong);
}

/** One edit that makes `after` of `before`, as narrow as whole characters allow. */
function editBetween(before: string, after: string): Edit {
  const [old, next] = [[...before], [...after]];
  let start = 0;
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start += 1;
  let common = 0;
  const most = Math.min(old.length, next.length) - start;
  while (common < most && old.at(-1 - common) === next.at(-1 - common)) common += 1;
  const units = (characters: readonly string[]) => characters.join('').length;
  return {
    start: units(old.slice(0, start)),
    end: units(old.slice(0, old.length - common)),
    insert: next.slice(start, next.length - common).join(''),
  };
}

test.each(SUBJECTS)('the right splice passes: $name', (subject) => {
  const { edits, check } = proofFor(subject);
  expect(splice(subject.before, edits)).toBe(subject.after);
  // A comment is no change of data.
  const isData = subject.operation.op !== 'comment';
  expect(check(subject.after).length > 0).toBe(isData);
});

describe('a wrong splice is refused', () => {
  test('there are more than a hundred kinds [EDT-2]', () => {
    expect(ROWS.length).toBeGreaterThan(185);
    expect(new Set(ROWS.map(({ name, why }) => `${name}: ${why}`)).size).toBe(ROWS.length);
  });

  test.each(ROWS)('$name: $why', (row) => {
    const wrong = slipped(row);
    expect(refusalOf(() => proofFor(row).check(wrong))?.code, JSON.stringify(wrong)).toMatch(REFUSED);
  });

  test('before anything is written: no wrong splice becomes a VerifiedEdit [EDT-2]', () => {
    const { open, write } = place();
    for (const row of ROWS) {
      const file = `a.${row.language}`;
      write(`root/${file}`, row.before);
      const sandbox = open('fd-walk');
      const snapshot = sandbox.open(sandbox.parse(file)).read();
      const edit = editBetween(row.before, slipped(row));
      const refusal = refusalOf(() => VerifiedEdit.prove(snapshot, [edit], proofFor(row).check));
      expect(refusal?.code, row.why).toMatch(REFUSED);
    }
  });

  test('in an alias bomb, which is not set off', () => {
    const levels = Array.from({ length: 30 }, (_, i) => {
      const inner = i === 0 ? 'lol' : `*l${i - 1}`;
      return `l${i}: &l${i} [${Array.from({ length: 10 }, () => inner).join(', ')}]\n`;
    });
    const bomb = `${levels.join('')}last: 1\n`;
    const { edits, check } = planned(bomb, { op: 'set', path: 'last', value: '2' });
    const right = splice(bomb, edits);
    expect(check(right)).toHaveLength(1);
    const wrong = right.replace('&l29 [*l28', '&l29 [*l27');
    expect(refusalOf(() => check(wrong))?.code).toBe('VERIFICATION_FAILED');
  });
});

describe('a printer that writes other data than were asked for is refused:', () => {
  type Printer = (text: string) => string;
  test.each([
    ['a text comes without its quotes', { op: 'set', path: 'a', json: 'true' }, (text) => text],
    ['a text loses its end', { op: 'set', path: 'b', json: 'long enough' }, (text) => text.slice(0, -1)],
    ['a number becomes another', { op: 'set', path: 'a', json: 5 }, (text) => `${text}0`],
    ['a number becomes a text', { op: 'set', path: 'a', json: 5 }, (text) => `"${text}"`],
    ['within a new list', { op: 'set', path: 'n', json: ['no', 'null'] }, (text) => text],
    ['within a new mapping', { op: 'insert', path: '', key: 'n', json: { k: '1.0' } }, (text) => text],
    ['within an item', { op: 'append', path: 'l', json: { k: '0x1f' } }, (text) => text],
    ['below keys that are missing', { op: 'set', path: 'x.y', json: '~', create: true }, (text) => text],
  ] satisfies [string, Operation, Printer][])('%s', (_, operation, printer) => {
    const before = 'a: 1\nb: x\nl:\n  - k: 2\n';
    const writeScalar: Faults['writeScalar'] = (value) => printer(String(value));
    const refusal = refusalOf(() => {
      const { edits, check } = planned(before, operation, 'yaml', { writeScalar });
      check(splice(before, edits));
    });
    expect(refusal?.code).toBe('VERIFICATION_FAILED');
    expect(attempt(before, operation)).not.toBeInstanceOf(Refusal);
  });
});
