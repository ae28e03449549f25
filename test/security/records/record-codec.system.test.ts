// Previews and changes as they lie on the disk: the line that the id names, and the texts behind it, none of which can be
// shorter, longer or somewhere else than it says.
import { describe, expect, it } from 'vitest';
import { canonicalJson, contentId } from '../../../src/security/index.ts';
import { decodeRecord, encodeRecord } from '../../../src/security/records/fields.ts';
import { changeOf, fileOf } from '../store/ground.ts';

/** A line, and behind it the texts, under the id of the line. */
function read(record: unknown, texts: string, line = canonicalJson(record)): unknown {
  return decodeRecord(contentId(line), `${line}\n${texts}`, (value) => value);
}

const files = (...chars: readonly unknown[]) => ({ files: chars.map((base_chars) => ({ base_chars })) });

describe('a kept text', () => {
  it('is a line of canonical JSON and the texts behind it, one after the other', () => {
    const record = changeOf(fileOf('a: 1\n'), fileOf(''), fileOf('ä: 😀\r\n'));
    const { id, text } = encodeRecord(record);
    const [line = '', ...rest] = text.split('\n');
    expect(id).toBe(contentId(line));
    expect(rest.join('\n')).toBe('a: 1\nä: 😀\r\n');
    const kept: unknown = JSON.parse(line);
    expect(kept).toMatchObject(files(5, 0, 7));
    expect(line).toBe(canonicalJson(kept));
    expect(line).not.toContain('"base":');
    expect(decodeRecord(id, text, (value) => value)).toStrictEqual(record);
  });

  it.each([
    { why: 'a text that is longer than it says', record: files(1, 2), texts: 'abcd' },
    { why: 'a text that is shorter than it says', record: files(1, 2), texts: 'ab' },
    { why: 'halves of a character', record: files(0.5, 0.5), texts: 'a' },
    { why: 'a text that goes back', record: files(3, -1), texts: 'ab' },
    { why: 'no length', record: files(undefined), texts: '' },
    { why: 'a length that is no number', record: files('1'), texts: 'a' },
    { why: 'a text that it says itself', record: { files: [{ base_chars: 1, base: 'a' }] }, texts: 'a' },
    { why: 'a file that is none', record: { files: [null] }, texts: '' },
    { why: 'no files', record: {}, texts: '' },
    { why: 'files that are no list', record: { files: 'two' }, texts: '' },
    { why: 'no record', record: null, texts: '' },
  ])('is none with $why', ({ record, texts }) => {
    expect(read(record, texts)).toBeUndefined();
  });

  it('is cut where the line says', () => {
    expect(read(files(1, 0, 2), 'abc')).toEqual({ files: [{ base: 'a' }, { base: '' }, { base: 'bc' }] });
  });

  it('is none without the end of its line, of another line, or of a line that is not canonical', () => {
    const line = canonicalJson(files(0));
    expect(read(undefined, '', line)).toEqual({ files: [{ base: '' }] });
    expect(decodeRecord(contentId(line), line, (value) => value)).toBeUndefined();
    expect(decodeRecord(contentId(line.slice(0, -1)), line, (value) => value)).toBeUndefined();
    expect(decodeRecord(contentId('{}'), `${line}\n`, (value) => value)).toBeUndefined();
    for (const other of [`${line} `, '{', '']) expect(read(undefined, '', other)).toBeUndefined();
  });

  it('is read by nobody where it is none', () => {
    const line = canonicalJson(files(1));
    const bug = () => {
      throw new RangeError('asked');
    };
    expect(decodeRecord(contentId(line), `${line}\n`, bug)).toBeUndefined();
    expect(() => decodeRecord(contentId(line), `${line}\na`, bug)).toThrow(new RangeError('asked'));
  });
});
