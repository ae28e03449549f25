// A change that was kept says what was applied and on whose word, or it is none: every field strictly, and the files
// true to their hashes.
import { describe, expect, it } from 'vitest';
import { canonicalJson, contentId } from '../../../src/security/index.ts';
import { encodeRecord } from '../../../src/security/records/fields.ts';
import { changeIn } from '../../../src/security/store/applied-change.ts';
import { CHANGE_ID, changeOf, fileOf } from './ground.ts';

const CHANGE = changeOf(fileOf('a: 1\n'), fileOf('b: 1\n', 'b.yaml'));

/** As somebody would keep it who can write the folder: with an id that fits. */
function kept(record: object): unknown {
  const { id, text } = encodeRecord({ ...CHANGE, ...record });
  return changeIn(id, text);
}

describe('a change', () => {
  it.each([
    { why: 'of a direct write', more: {} },
    { why: 'of a preview', more: { confirmed_by: 'preview', preview: CHANGE_ID } },
    { why: 'of the person at the client', more: { confirmed_by: 'client', preview: CHANGE_ID } },
    { why: 'of a person at a terminal', more: { confirmed_by: 'terminal' } },
    { why: 'of a reviewer', more: { confirmed_by: 'human', preview: CHANGE_ID, reviewer: 'ann' } },
    { why: 'that takes one back', more: { origin: { kind: 'revert', change_id: CHANGE_ID } } },
  ])('is read as it was kept: $why', ({ more }) => {
    expect(kept(more)).toStrictEqual({ ...CHANGE, ...more });
  });

  it.each<{ why: string; more: object }>([
    { why: 'another version', more: { v: 2 } },
    { why: 'a short nonce', more: { nonce: 'n'.repeat(21) } },
    { why: 'a long nonce', more: { nonce: 'n'.repeat(23) } },
    { why: 'something behind the nonce', more: { nonce: `${'n'.repeat(22)}\n` } },
    { why: 'something before the nonce', more: { nonce: `.${'n'.repeat(22)}` } },
    { why: 'no time', more: { at: 'yesterday' } },
    { why: 'a preview that is no text', more: { preview: null } },
    { why: 'nobody who confirmed it', more: { confirmed_by: 'nobody' } },
    { why: 'a reviewer that is no text', more: { reviewer: 1 } },
    { why: 'nobody who asked', more: { caller: {} } },
    { why: 'a policy that is no hash', more: { policy: 'none' } },
    { why: 'roots that are no hash', more: { roots: 'none' } },
    { why: 'no origin', more: { origin: {} } },
    { why: 'a field that it does not have', more: { approval: 'direct' } },
  ])('is none with $why', ({ more }) => {
    expect(kept(more)).toBeUndefined();
  });

  const [good, second] = CHANGE.files;
  it.each([
    { why: 'whose base is another', file: { base_sha256: '0'.repeat(64) } },
    { why: 'whose result is another', file: { result_sha256: '0'.repeat(64) } },
    { why: 'whose edits overlap', file: { edits: [{ start: 2, end: 1, insert: '' }] } },
    { why: 'without a name', file: { file: 1 } },
  ])('is none with a file $why, wherever that stands', ({ file }) => {
    for (const files of [
      [{ ...good, ...file }],
      [good, { ...second, ...file }],
      [{ ...second, ...file }, good],
    ])
      expect(kept({ files })).toBeUndefined();
  });

  it('is none under another id, nor with other texts', () => {
    const { id, text } = encodeRecord(CHANGE);
    expect(changeIn(id, text)).toStrictEqual(CHANGE);
    expect(changeIn(contentId(text), text)).toBeUndefined();
    expect(changeIn(id, text.replace('b: 1', 'b: 2'))).toBeUndefined();
    expect(changeIn(contentId(canonicalJson({})), `${canonicalJson({})}\n`)).toBeUndefined();
  });
});
