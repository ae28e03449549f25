// The end of a line, however long it is, however little the disk gives at a time, and wherever the pieces end in which
// it is read.
import { closeSync, openSync } from 'node:fs';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { scanLineTail } from '../../../src/security/fs/scan-line-tail.ts';
import { place } from '../fixture.ts';
import { slowDisk } from '../store/disk.ts';

afterEach(() => vi.restoreAllMocks());

const PIECE = 65_536;

function lastIn(text: string): string | undefined {
  const fd = openSync(place().write('text', text), 'r');
  onTestFinished(() => closeSync(fd));
  return scanLineTail(fd, '"r":', 10);
}

it.each([1, 2, 3, 7, 100])('is what stands behind the last mark: %d bytes at a time', (most) => {
  slowDisk(most);
  expect(lastIn('"r":111111, ä 😀 "r":222222,"s"}\n"r":333333\n')).toBe('"r":222222');
  expect(lastIn('"r":1\n"r":2\n')).toBe('"r":1');
  expect(lastIn('"r":1')).toBeUndefined();
  expect(lastIn('"r":1"r"\n')).toBe('"r":1"r"');
  expect(lastIn('nothing of it\n"r":2\n')).toBeUndefined();
  expect([lastIn(''), lastIn('\n')]).toEqual([undefined, undefined]);
});

it('is found wherever a piece ends', () => {
  for (let before = PIECE - 12; before <= PIECE + 2; before++)
    expect([before, lastIn(`${'x'.repeat(before)}"r":222222,${'y'.repeat(PIECE)}\n`)]).toEqual([
      ...[before, '"r":222222'],
    ]);
});
