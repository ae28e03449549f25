// No terminal shows more columns than are counted, or it would wrap a row by itself, and its end would look like a row of
// its own (finding 15.3).
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxColumns, rowsWithin, usualColumns } from '../../src/security/text/columns.ts';
import { escapesOf } from '../harness/figures.ts';

function hex(code: number): string {
  return code.toString(16);
}

/** Every code point but for surrogates and what is shown as <U+XXXX>: controls, which no terminal gives a width. */
function* codes(): Generator<number> {
  for (let code = 0x20; code <= 0x10ffff; code++) {
    if (code < 0xd800 || code > 0xdfff) yield code;
  }
}

// A table of its own: Markus Kuhn's ranges of 2007, which many terminals began with, and the pictures of later ones.
const WIDE = (
  '1100-115f 2329-232a 2e80-303e 3041-a4cf a960-a97f ac00-d7a3 f900-faff fe10-fe19 fe30-fe6f ff00-ff60 ffe0-ffe6 ' +
  '17000-187f7 1b000-1b2fb 1f000-1faff 20000-2fffd 30000-3fffd e000-f8ff f0000-ffffd'
)
  .split(' ')
  .map((range) => range.split('-').map((code) => Number.parseInt(code, 16)));

/** By glibc, as far as it knows them: a digit for each code point, 9 for what it has no width for. */
const GLIBC = `
import ctypes, locale, sys
locale.setlocale(locale.LC_ALL, 'C.UTF-8')
libc = ctypes.CDLL(None)
sys.stdout.write(''.join(str(libc.wcwidth(ctypes.c_wchar(chr(c))) % 10) for c in range(0x110000) if not 0xd800 <= c <= 0xdfff))
`;

import { runs } from '../harness/runs.ts';

const glibc = spawnSync('python3', ['-c', GLIBC], { encoding: 'utf8', maxBuffer: 2 ** 24 });
const HAS_GLIBC = process.platform === 'linux' && glibc.status === 0;

describe('no character of Unicode is wider than it is counted [DIS-8]', () => {
  it('by a table of ranges', () => {
    const missed = WIDE.flatMap(([from = 0, to = 0]) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
        (code) => maxColumns(String.fromCodePoint(code)) < 2,
      ),
    );
    const asked = WIDE.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0);
    expect(escapesOf('widths', asked, missed.map(hex))).toEqual([]);
  });

  it.skipIf(!HAS_GLIBC)('by the C library', () => {
    const widths = Array.from(glibc.stdout, Number);
    expect(widths).toHaveLength(0x110000 - 0x800);
    expect(widths.filter((width) => width === 2).length).toBeGreaterThan(100_000);
    const missed = [...codes()].filter((code) => {
      const width = widths[code < 0xd800 ? code : code - 0x800] ?? 0;
      return width !== 9 && width > maxColumns(String.fromCodePoint(code));
    });
    expect(escapesOf('widths', widths.length, missed.map(hex))).toEqual([]);
  });

  it('and each takes one at least, two where terminals differ', () => {
    let doubtful = 0;
    for (const code of codes()) {
      const character = String.fromCodePoint(code);
      const width = maxColumns(character);
      if (width < 1 || width < usualColumns(character)) throw new Error(hex(code));
      if (!/[\p{Cn}\p{Co}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(character)) continue;
      doubtful += 1;
      if (width !== 2) throw new Error(hex(code));
    }
    expect(doubtful).toBeGreaterThan(800_000);
  });
});

describe('the rows of a line', () => {
  const letters = fc.oneof(
    fc.constantFrom('a', ' ', '|', '漢', '\u0301', '\u0903', '→', '🇦', '😀', '\u{3fffe}', '\u{10ffff}'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const lines = fc.array(letters, { maxLength: 200 }).map((parts) => parts.join(''));

  it('fit, are marked but for the first, and have all of it [DIS-8]', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 4, max: 90 }), fc.constantFrom('| ', '↪'), (line, most, mark) => {
        const rows = rowsWithin(line, most, mark);
        const widths = rows.map((row) => Array.from(row).reduce((sum, each) => sum + maxColumns(each), 0));
        expect(Math.max(...widths)).toBeLessThanOrEqual(most);
        const [first = '', ...more] = rows;
        expect(more.filter((row) => !row.startsWith(mark))).toEqual([]);
        expect(first + more.map((row) => row.slice(mark.length)).join('')).toBe(line);
      }),
      { numRuns: runs(500) },
    );
  });
});
