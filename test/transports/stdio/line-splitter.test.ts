// However bytes arrive, the same lines come out, and no length of line costs more than its length.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter, type Overlong } from '../../../src/transports/stdio/line-splitter.ts';

const LIMIT_BYTES = 100;
const OVERLONG = 'overlong';

it('cuts at newlines wherever the chunks are cut', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '\r', ' '), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 30 })), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      expect(split(chunks(bytes, sizes))).toEqual(lines);
    }),
  );
});

it('gives a last line without its newline', () => {
  expect(split([Buffer.from('one\ntwo')])).toEqual(['one', 'two']);
});

it.each([
  { why: 'at the limit it is a line', bytes: LIMIT_BYTES, becomes: 'x'.repeat(LIMIT_BYTES) },
  { why: 'one more is too long', bytes: LIMIT_BYTES + 1, becomes: OVERLONG },
  { why: 'far more is reported once', bytes: LIMIT_BYTES * 50, becomes: OVERLONG },
])('a line of $bytes bytes: $why', ({ bytes, becomes }) => {
  const text = Buffer.from(`a\n${'x'.repeat(bytes)}\nb\n`);
  for (const size of [1, 7, text.length]) {
    expect(split(chunks(text, [size]))).toEqual(['a', becomes, 'b']);
  }
});

it('keeps both ends of a line that is too long, however it is cut, and also without its newline', () => {
  const bytes = Buffer.from(`a\n${'<'.repeat(4096)}${'x'.repeat(9_000)}${'>'.repeat(4096)}`);
  for (const size of [1, 7, 150, 5_000, bytes.length]) {
    const splitter = new LineSplitter(5_000);
    for (const part of chunks(bytes, [size]))
      for (const line of splitter.push(part)) expect(textOf(line)).toBe('a');
    const last = splitter.end();
    if (last === undefined || !('head' in last)) throw new Error('the line is too long');
    expect([String(last.head), String(last.tail)]).toEqual(['<'.repeat(4096), '>'.repeat(4096)]);
    expect(Array.from(splitter.push(Buffer.from('\nb\n')), textOf)).toEqual([OVERLONG, 'b']);
  }
});

it('takes five million single bytes without joining them on each (PROT-002)', () => {
  const splitter = new LineSplitter(10_000_000);
  const byte = Buffer.from('x');
  let lines = 0;
  for (let count = 0; count < 5_000_000; count++) for (const _ of splitter.push(byte)) lines++;
  expect(lines).toBe(0);
  const [line] = splitter.push(Buffer.from('\n'));
  expect(line).toHaveLength(5_000_000);
});

function split(parts: readonly Buffer[]): string[] {
  const splitter = new LineSplitter(LIMIT_BYTES);
  const lines = parts.flatMap((part) => Array.from(splitter.push(part), textOf));
  const last = splitter.end();
  return last === undefined ? lines : [...lines, textOf(last)];
}

function textOf(line: Buffer | Overlong): string {
  return 'head' in line ? OVERLONG : String(line);
}

/** Cuts to the given sizes in turn; the last size goes on to the end. */
function chunks(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[Math.min(turn, sizes.length - 1)] ?? bytes.length);
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}
