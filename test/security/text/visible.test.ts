import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  displayDiff,
  displayLine,
  displayText,
  visible,
  visibleLine,
  visibleLineOnce,
} from '../../../src/security/text/visible.ts';
import { runs } from '../../harness/runs.ts';

// Written out again here, code point by code point, so that the class in the source is not its own judge.
const RISKY = [
  ...[0x00, 0x08, 0x0b, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160],
  ...[0x1680, 0x17b4],
  ...[0x180b, 0x180e, 0x2000, 0x200a, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a],
  ...[0x202e, 0x202f],
  ...[0x205f, 0x2060, 0x2066, 0x2069, 0x206f, 0x2800, 0x3000, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0],
  ...[0xfff9, 0xfffe],
  ...[0xd800, 0xdfff, 0x1d173, 0xe0001, 0xe0020, 0xe007f, 0xe0100, 0xe01ef],
  ...[0x2d7f, 0xfffc, 0x1107f, 0x13441, 0x13442, 0x16fe4, 0x1d159],
];

describe('visible', () => {
  it.each(RISKY.map((code) => code.toString(16).toUpperCase().padStart(4, '0')))(
    'shows U+%s [DIS-8]',
    (hex) => {
      const character = String.fromCodePoint(Number.parseInt(hex, 16));
      expect(visible(`a${character}b`)).toBe(`a<U+${hex}>b`);
      expect(visibleLine(`a${character}b`)).toBe(`a<U+${hex}>b`);
    },
  );

  it.each([
    { text: 'a\n\tb: c\r\n', shown: 'a\n\tb: c\r\n', why: 'ordinary lines stay as they are' },
    {
      text: 'replicas: 1\rreplicas: 9',
      shown: 'replicas: 1<U+000D>replicas: 9',
      why: 'a bare CR hides what stands before it',
    },
    { text: '\r\r\n', shown: '<U+000D>\r\n', why: 'only the CR of a line end is one' },
    { text: 'äöü € 漢字 😀', shown: 'äöü € 漢字 😀', why: 'letters stay letters' },
    { text: '<U+202E>', shown: '<U+003C>U+202E>', why: 'a spelled-out escape is no escape' },
    { text: '<<U+', shown: '<<U+003C>U+', why: 'only the < that could begin an escape' },
    { text: '\u001b]8;;http://x\u0007y', shown: '<U+001B>]8;;http://x<U+0007>y', why: 'a terminal link' },
  ])('$why', ({ text, shown }) => {
    expect(visible(text)).toBe(shown);
  });

  it('as one line has no line end at all [DIS-8]', () => {
    expect(visibleLine('a\r\n\tb')).toBe('a<U+000D><U+000A><U+0009>b');
  });

  const risky = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<U+', '<', 'U+202E>', '\r', '\n', '\u202e', '\ud800', '\udc00', '<U+003C>'),
    ),
    { maxLength: 6 },
  );
  const texts = risky.map((parts) => parts.join(''));

  it.each([
    { name: 'visible', show: visible },
    { name: 'visibleLine', show: visibleLine },
  ])('$name can be read back, so no two texts look the same', ({ show }) => {
    const readBack = (shown: string) =>
      shown.replace(/<U\+([0-9A-F]{4,6})>/g, (_, hex: string) =>
        String.fromCodePoint(Number.parseInt(hex, 16)),
      );
    fc.assert(
      fc.property(texts, (text) => {
        expect(readBack(show(text))).toBe(text);
        expect([...show(text)].filter((character) => RISKY.includes(character.codePointAt(0) ?? 0))).toEqual(
          [],
        );
        expect(show(text).isWellFormed()).toBe(true);
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe('for a person, who may approve it (finding 3 of the attacks)', () => {
  it('a letter keeps the marks that a script may want; those that would cover its neighbours are spelled out', () => {
    const stacked = (count: number) => `e${'\u0301'.repeat(count)}f`;
    for (const show of [displayText, displayLine, displayDiff]) {
      expect(show(stacked(8))).toBe(stacked(8));
      expect(show(stacked(10))).toBe(`e${'\u0301'.repeat(8)}<U+0301><U+0301>f`);
    }
  });

  it.each([
    { diff: '+a: 1 \n', shown: '+a: 1<U+0020>\n', why: 'a blank at the end of an added row' },
    { diff: '-a: 1  \n', shown: '-a: 1 <U+0020>\n', why: 'the last of two, of a removed row' },
    { diff: '+a: 1\t\n', shown: '+a: 1<U+0009>\n', why: 'a tab' },
    { diff: '+a \r\n+b\t\r\n', shown: '+a<U+0020>\r\n+b<U+0009>\r\n', why: 'before line ends of Windows' },
    { diff: '+   ', shown: '+  <U+0020>', why: 'a row of blanks, which is the last one' },
    {
      diff: '+\n-\n \n a \n',
      shown: '+\n-\n \n a \n',
      why: 'a row that stays is no news, an empty one has no blank',
    },
    { diff: '+<U+0020>', shown: '+<U+0020>', why: 'what was escaped before' },
    { diff: '-\u20d2a: 1\n', shown: '-<U+20D2>a: 1\n', why: 'a bar on a minus would make it a plus' },
    { diff: '+\u0338\u0338\n', shown: '+<U+0338><U+0338>\n', why: 'and a stroke would cover the sign' },
    { diff: '+a\tb⇥c\n', shown: '+a\tb<U+21E5>c\n', why: 'what poses as a tab' },
  ])('shows $why [DIS-8]', ({ diff, shown }) => {
    expect(displayDiff(diff)).toBe(shown);
  });

  it('shows the blanks that end the lines of a value or a name', () => {
    expect(displayText('a \nb\t\n c')).toBe('a<U+0020>\nb<U+0009>\n c');
    expect(displayLine('a.yaml ')).toBe('a.yaml<U+0020>');
    expect(displayLine('\u0338a\n')).toBe('<U+0338>a<U+000A>');
  });
});

it('escapes once what was escaped before', () => {
  expect(visibleLineOnce(visibleLine('a\u001bb'))).toBe('a<U+001B>b');
  expect(visibleLineOnce('a\u001bb<U+')).toBe('a<U+001B>b<U+003C>U+');
});
