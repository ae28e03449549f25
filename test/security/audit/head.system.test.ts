// The head is read without the lock while others write it, and nothing but a head is taken for one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readHead, trailName, trailNumbers, writeHead } from '../../../src/security/audit/record.ts';
import { trailGround } from './ground.ts';

const SHA256 = 'a'.repeat(64);
const HEAD = { seq: 7, sha256: SHA256, file: 1, size: 70 };
const TEXT = `{"file":1,"seq":7,"sha256":"${SHA256}","size":70,"v":1}`;

describe('the head of the trail', () => {
  it('is a line of one length whatever it says, so that it can be written over', () => {
    const { folder, head } = trailGround();
    writeHead(folder, HEAD);
    expect(readFileSync(head, 'utf8')).toBe(`${TEXT.padEnd(255)}\n`);
    writeHead(folder, { ...HEAD, seq: 1_234_567, size: 9_999_999 });
    expect(readFileSync(head, 'utf8')).toHaveLength(256);
    writeHead(folder, HEAD);
    expect(readHead(folder)).toEqual(HEAD);
  });

  it('is missing before the first record, and unreadable where something else stands there', () => {
    const { folder, head } = trailGround();
    expect(readHead(folder)).toBe(undefined);
    // Longer than any head, so that it is not even read.
    writeFileSync(head, ' '.repeat(1_001), { mode: 0o600 });
    expect(readHead(folder)).toBe('unreadable');
  });

  it.each([
    { why: 'no JSON', text: '{"v":1' },
    { why: 'nothing', text: '' },
    { why: 'not to the byte what was written', text: TEXT.replace(':7', ': 7') },
    { why: 'no object', text: '7' },
    { why: 'without a version', text: TEXT.replace(',"v":1', '') },
    { why: 'of another version', text: TEXT.replace('"v":1', '"v":2') },
    { why: 'without a hash', text: TEXT.replace(SHA256, '') },
    { why: 'without a number', text: TEXT.replace('"seq":7', '"seq":"7"') },
    { why: 'without a file', text: TEXT.replace('"file":1,', '') },
    { why: 'without a size', text: TEXT.replace('"size":70', '"size":-1') },
    { why: 'with a field that is none', text: TEXT.replace('"v":1', '"v":1,"w":1') },
  ])('is unreadable where it is $why', ({ text }) => {
    const { folder, head } = trailGround();
    writeFileSync(head, text, { mode: 0o600 });
    expect(readHead(folder)).toBe('unreadable');
  });

  it.each([
    { torn: 2, why: 'is looked at again', found: HEAD },
    { torn: 3, why: 'is looked at three times and no more', found: 'unreadable' },
  ])('$why while somebody writes it', ({ torn, found }) => {
    const { folder } = trailGround();
    writeHead(folder, HEAD);
    const read = vi.spyOn(folder, 'read');
    for (let n = 0; n < torn; n += 1) read.mockReturnValueOnce(TEXT.slice(0, 20));
    expect(readHead(folder)).toEqual(found);
  });
});

it('only files that are named to the letter belong to the trail', () => {
  const { folder, dir } = trailGround();
  const strange = ['audit-1.jsonl', 'audit-0000003.jsonl', 'audit-000004.jsonl.bak', 'xaudit-000005.jsonl'];
  for (const name of [trailName(12), trailName(2), ...strange]) writeFileSync(join(dir, 'audit', name), '');
  expect(trailNumbers(folder)).toEqual([2, 12]);
});
