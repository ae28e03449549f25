// However bytes arrive, the same lines come out, and no length of line costs more than its length.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from '../../src/stdio/line-splitter.ts';

const LIMIT_BYTES = 100;
const OVERLONG = '(overlong)';
const NO_TEXT = '(no text)';

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

it('decodes what is longer than it holds as a decoder does that has all of it', () => {
  const unit = fc.constantFrom('a', 'é', '中', '😀', '\ufeff', ' ');
  const wound = fc.constantFrom([], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0x80, 0x80, 0x80, 0x80]);
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 9 }), wound, fc.nat(), (text, bytes, at) => {
      const whole = Buffer.from(text.repeat(Math.ceil(140_000 / Buffer.byteLength(text))));
      const cut = at % whole.length;
      const broken = Buffer.concat([whole.subarray(0, cut), Buffer.from(bytes), whole.subarray(cut)]);
      for (const size of [64 * 1024, 50_000, broken.length])
        expect(split(chunks(broken, [size]), broken.length)).toEqual([decoded(broken)]);
    }),
    { numRuns: 50 },
  );
});

it('gives back what stands behind a line that the next one has to wait for', () => {
  const lines: unknown[] = [];
  const splitter = new LineSplitter(LIMIT_BYTES, {
    line: (text) => lines.push(text) % 2 === 0,
    overlong: () => expect.unreachable(),
  });
  expect(splitter.push(Buffer.from('on')).toString()).toBe('');
  expect(splitter.push(Buffer.from('e\ntwo\nthr')).toString()).toBe('two\nthr');
  expect(splitter.push(Buffer.from('two\nthr')).toString()).toBe('');
  expect(splitter.push(Buffer.from('ee\n')).toString()).toBe('');
  expect(lines).toEqual(['one', 'two', 'three']);
});

it('takes five million single bytes without joining them on each (PROT-002)', () => {
  const splitter = new LineSplitter(10_000_000, {
    line: (text) => {
      expect(text).toHaveLength(5_000_000);
      return true;
    },
    overlong: () => expect.unreachable(),
  });
  const byte = Buffer.from('x');
  for (let count = 0; count < 5_000_000; count++) splitter.push(byte);
  splitter.push(Buffer.from('\n'));
  expect.assertions(1);
});

function split(parts: readonly Buffer[], limitBytes = LIMIT_BYTES): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(limitBytes, {
    line: (text) => lines.push(text ?? NO_TEXT) > 0,
    overlong: () => lines.push(OVERLONG),
  });
  for (const part of parts) splitter.push(part);
  splitter.end();
  return lines;
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return NO_TEXT;
  }
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
