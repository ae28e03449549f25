// What a proof cannot be made of, what it tells where it refuses, and that a look-alike is none.
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, Snapshot, VerifiedEdit } from '../../../src/security/index.ts';
import { place, refusalOf } from '../fixture.ts';

function snapshotOf(text: string): Snapshot {
  const { open, write } = place();
  write('root/a.yaml', text);
  const sandbox = open('fd-walk', { limits: { ...DEFAULT_LIMITS, fileSizeBytes: 10 } });
  return sandbox.open(sandbox.parse('a.yaml')).read();
}

describe('a proof', () => {
  it('is made by proving only, and of a snapshot that was read', () => {
    const snapshot = snapshotOf('a: 1\n');
    expect(() => Reflect.construct(VerifiedEdit, [Symbol('VerifiedEdit'), snapshot, [], 'x', []])).toThrow(
      new TypeError('a VerifiedEdit is made by proving an edit only'),
    );
    expect(() => VerifiedEdit.prove(Object.create(Snapshot.prototype), [], () => [])).toThrow(
      new TypeError('only a Snapshot that was read can be edited'),
    );
  });

  it('is told from a look-alike', () => {
    const proof = VerifiedEdit.prove(snapshotOf('a: 1\n'), [], () => []);
    expect(VerifiedEdit.isGenuine(proof)).toBe(true);
    for (const other of [
      Object.create(VerifiedEdit.prototype),
      { ...proof },
      null,
      undefined,
      'text',
      () => 1,
    ])
      expect(VerifiedEdit.isGenuine(other)).toBe(false);
  });

  it('does not change any more', () => {
    const snapshot = snapshotOf('a: 1\n');
    const proof = VerifiedEdit.prove(snapshot, [{ start: 3, end: 4, insert: '2' }], () => [
      { op: 'replace', doc: 0, path: 'a', line: 1 },
    ]);
    for (const part of [proof, proof.edits, proof.changes, ...proof.edits, ...proof.changes])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('tells which file it is that half a character would be written to', () => {
    const edits = [{ start: 0, end: 0, insert: '\ud800' }];
    expect(refusalOf(() => VerifiedEdit.prove(snapshotOf('a: 1\n'), edits, () => []))).toMatchObject({
      code: 'VALUE_INVALID',
      message: 'Cannot write this value: it contains half of a surrogate pair. Send whole characters.',
      where: { file: 'a.yaml' },
    });
  });

  it('tells of a result that is too large, and lets the largest pass', () => {
    const snapshot = snapshotOf('a: 1\n');
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
