import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { compose } from '../../../src/security/edits/edit.ts';
import { assertEqualOutside } from '../../../src/security/edits/verified-edit.ts';
import {
  type Change,
  DEFAULT_LIMITS,
  type Edit,
  Snapshot,
  splice,
  VerifiedEdit,
} from '../../../src/security/index.ts';
import { runs } from '../../harness/runs.ts';
import { codeOf, place, refusalOf } from '../fixture.ts';

const CHANGE: Change = { op: 'replace', doc: 0, path: 'a', from: '1', to: '2', line: 1 };

function snapshotOf(text: string, fileSizeBytes = DEFAULT_LIMITS.fileSizeBytes): Snapshot {
  const { open, write } = place();
  write('root/a.yaml', text);
  const sandbox = open('fd-walk', { limits: { ...DEFAULT_LIMITS, fileSizeBytes } });
  return sandbox.open(sandbox.parse('a.yaml')).read();
}

/** Texts of whole characters and edits that cut none. */
const characters = fc.constantFrom('a', 'b', ' ', '\n', '\r\n', 'ä', '😀', '\ufeff', '#');
const texts = fc.array(characters, { maxLength: 20 });

function editsOf(text: readonly string[], cuts: readonly (readonly [number, number, string])[]): Edit[] {
  const offsets = [0];
  for (const character of text) offsets.push((offsets.at(-1) ?? 0) + character.length);
  const edits: Edit[] = [];
  let end = 0;
  for (const [a, b, insert] of cuts) {
    const points = [a % offsets.length, b % offsets.length]
      .sort((x, y) => x - y)
      .map((index) => offsets[index] ?? 0);
    const [start = 0, stop = 0] = points;
    if (start < end) continue;
    edits.push({ start, end: stop, insert });
    end = stop;
  }
  return edits;
}

const cuts = fc.array(
  fc.tuple(
    fc.nat(20),
    fc.nat(20),
    texts.map((parts) => parts.join('')),
  ),
  { maxLength: 4 },
);

describe('a proof', () => {
  it('holds what the edits make, and what the check says changed', () => {
    const snapshot = snapshotOf('a: 1 # one\n');
    const edit = VerifiedEdit.prove(snapshot, [{ start: 3, end: 4, insert: '2' }], () => [CHANGE]);
    expect([edit.after, edit.changes, edit.isNoop]).toEqual(['a: 2 # one\n', [CHANGE], false]);
    expect(edit.snapshot).toBe(snapshot);
    expect(edit.resultSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('asks the check about exactly the text that will be written, even for a no-op', () => {
    const snapshot = snapshotOf('a: 1\n');
    const check = vi.fn(() => []);
    const edit = VerifiedEdit.prove(snapshot, [{ start: 3, end: 4, insert: '1' }], check);
    expect(check.mock.calls).toEqual([['a: 1\n']]);
    expect([edit.isNoop, edit.resultSha256]).toEqual([true, snapshot.sha256]);
  });

  it('does not come about where the check objects [EDT-5]', () => {
    const snapshot = snapshotOf('a: 1\n');
    const objection = new RangeError('not what was meant');
    expect(
      codeOf(() =>
        VerifiedEdit.prove(snapshot, [], () => {
          throw objection;
        }),
      ),
    ).toBe('RangeError');
  });

  it.each([
    {
      edits: [{ start: 0, end: 0, insert: '\ud800' }],
      code: 'VALUE_INVALID',
      why: 'half a character has no bytes',
    },
    {
      edits: [{ start: 4, end: 4, insert: '\udc00' }],
      code: 'VALUE_INVALID',
      why: 'the other half has none either',
    },
    {
      edits: [{ start: 0, end: 0, insert: 'x'.repeat(100) }],
      code: 'FILE_TOO_LARGE',
      why: 'FILE-006 above the size limit',
    },
    {
      edits: [{ start: 0, end: 0, insert: 'ä'.repeat(47) }],
      code: 'FILE_TOO_LARGE',
      why: 'bytes count, not characters',
    },
    { edits: [{ start: 3, end: 2, insert: '' }], code: 'Error', why: 'a span backwards' },
    { edits: [{ start: 0, end: 99, insert: '' }], code: 'Error', why: 'a span beyond the end' },
    { edits: [{ start: -1, end: 1, insert: '' }], code: 'Error', why: 'a span before the start' },
    {
      edits: [
        { start: 0, end: 3, insert: '' },
        { start: 2, end: 4, insert: '' },
      ],
      code: 'Error',
      why: 'overlapping spans',
    },
    {
      edits: [{ start: 6, end: 7, insert: '\ude01' }],
      code: 'Error',
      why: "half of the base's character: its other bytes would change",
    },
  ])('is refused with $code: $why', ({ edits, code }) => {
    const snapshot = snapshotOf('a: 1 😀\n', 100);
    expect(codeOf(() => VerifiedEdit.prove(snapshot, edits, () => []))).toBe(code);
    expect(codeOf(() => VerifiedEdit.prove(snapshot, [], () => []).and(edits, () => []))).toBe(code);
  });

  it('keeps the edits as they were when it was made', () => {
    const edits = [{ start: 3, end: 4, insert: '2' }];
    const proof = VerifiedEdit.prove(snapshotOf('a: 1\n'), edits, () => {
      edits.splice(0, 1, { start: 0, end: 0, insert: 'evil: 1\n' });
      return [];
    });
    expect([proof.after, proof.edits]).toEqual(['a: 2\n', [{ start: 3, end: 4, insert: '2' }]]);
    proof.resultBytes.fill(0);
    expect(Buffer.from(proof.resultBytes).toString()).toBe('a: 2\n');
  });

  it('of a chain is about the base, and holds what the last check says differs from it', () => {
    const snapshot = snapshotOf('a: 1\nb: 2\n');
    const second: Change = { ...CHANGE, path: 'b' };
    const proof = VerifiedEdit.prove(snapshot, [{ start: 3, end: 4, insert: '100' }], () => [CHANGE]).and(
      [{ start: 10, end: 11, insert: '200' }],
      () => [CHANGE, second],
    );
    expect(proof.after).toBe('a: 100\nb: 200\n');
    expect(proof.edits).toEqual([
      { start: 3, end: 4, insert: '100' },
      { start: 8, end: 9, insert: '200' },
    ]);
    expect(proof.changes).toEqual([CHANGE, second]);
    expect(proof.snapshot).toBe(snapshot);
  });

  it('is made by proving only, and of a snapshot that was read', () => {
    const snapshot = snapshotOf('a: 1\n', 10);
    expect(() => Reflect.construct(VerifiedEdit, [Symbol('VerifiedEdit'), snapshot, [], 'x', []])).toThrow(
      new TypeError('a VerifiedEdit is made by proving an edit only'),
    );
    expect(() => VerifiedEdit.prove(Object.create(Snapshot.prototype), [], () => [])).toThrow(
      new TypeError('only a Snapshot that was read can be edited'),
    );
  });

  it('does not change any more', () => {
    const snapshot = snapshotOf('a: 1\n', 10);
    const proof = VerifiedEdit.prove(snapshot, [{ start: 3, end: 4, insert: '2' }], () => [
      { op: 'replace', doc: 0, path: 'a', line: 1 },
    ]);
    for (const part of [proof, proof.edits, proof.changes, ...proof.edits, ...proof.changes])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('tells which file it is that half a character would be written to', () => {
    const edits = [{ start: 0, end: 0, insert: '\ud800' }];
    expect(refusalOf(() => VerifiedEdit.prove(snapshotOf('a: 1\n', 10), edits, () => []))).toMatchObject({
      code: 'VALUE_INVALID',
      message: 'Cannot write this value: it contains half of a surrogate pair. Send whole characters.',
      where: { file: 'a.yaml' },
    });
  });

  it('tells of a result that is too large, and lets the largest pass', () => {
    const snapshot = snapshotOf('a: 1\n', 10);
    const longer = (by: number) => [{ start: 3, end: 3, insert: '1'.repeat(by) }];
    expect(VerifiedEdit.prove(snapshot, longer(5), () => []).after).toBe('a: 111111\n');
    expect(refusalOf(() => VerifiedEdit.prove(snapshot, longer(6), () => []))).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message:
        'Cannot make this edit: the result has 11 bytes, and 10 are allowed. The operator can raise --max-file-size.',
      where: { file: 'a.yaml' },
      clues: { limit: { name: 'file_size', allowed: 10, actual: 11, unit: 'bytes' } },
    });
  });
});

describe('edits', () => {
  it('compose to the same text as one after the other, in the coordinates of the base', () => {
    fc.assert(
      fc.property(texts, cuts, cuts, (text, first, second) => {
        const base = text.join('');
        const one = editsOf(text, first);
        const middle = splice(base, one);
        const two = editsOf([...middle], second);
        const composed = compose(base.length, one, two);
        expect(splice(base, composed)).toBe(splice(middle, two));
        assertEqualOutside(base, splice(middle, two), composed);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('are told from any other change by the second opinion [EDT-5]', () => {
    fc.assert(
      fc.property(texts, cuts, fc.nat(), characters, (text, spans, at, other) => {
        const base = text.join('');
        const edits = editsOf(text, spans);
        const after = splice(base, edits);
        assertEqualOutside(base, after, edits);
        const place = at % (after.length + 1);
        for (const tampered of [
          after.slice(0, place) + other + after.slice(place),
          after.slice(0, place) + after.slice(place + 1),
        ]) {
          if (tampered !== after) expect(() => assertEqualOutside(base, tampered, edits)).toThrow();
        }
      }),
      { numRuns: runs(5000) },
    );
  });
});
