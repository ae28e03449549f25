// A text with its secrets replaced, and edits of what is shown carried over to the text itself: where each secret goes, and
// every edit that would have to write one that is not known, or that would read otherwise, refused.
import { describe, expect, it } from 'vitest';
import {
  MaskedText,
  type Secret,
  type SecretSpan,
  secretsIn,
  secretsWithin,
  unmaskedEdits,
} from '../../../src/security/secrets/masked-text.ts';
import { placeholdersBy } from '../../../src/security/secrets/placeholder.ts';
import { refusalOf } from '../fixture.ts';

const KEY = 'k'.repeat(32);
const P = placeholdersBy(KEY);
const BARE = (number: string) => P(`\0${number}`);

/** A text in which secrets are marked: «x» one, «=1» one without the quotes that its format needs. */
function masked(marked: string): { readonly text: string; readonly masked: MaskedText } {
  const spans: { start: number; end: number; isBare?: true }[] = [];
  let text = '';
  for (const part of marked.split(/(«[^»]*»)/u)) {
    const [, bare = '', secret] = /^«(=?)([^»]*)»$/u.exec(part) ?? [];
    const start = text.length;
    text += secret ?? part;
    if (secret !== undefined)
      spans.push({ start, end: text.length, ...(bare === '' ? {} : { isBare: true }) });
  }
  return { text, masked: new MaskedText(text, spans, P) };
}

describe('what is shown', () => {
  it.each([
    { why: 'no secret', text: 'a: 1\n', shown: 'a: 1\n' },
    { why: 'one', text: 'a: «x» # b\n', shown: `a: ${P('x')} # b\n` },
    { why: 'two, and equal ones alike', text: '«x»-«y»-«x»', shown: `${P('x')}-${P('y')}-${P('x')}` },
    { why: 'all of it', text: '«x»', shown: P('x') },
    { why: 'one in quotes', text: '"«x»"', shown: `"${P('x')}"` },
    { why: 'a number in a format that needs quotes', text: '{"a": «=12»}', shown: `{"a": "${BARE('12')}"}` },
    { why: 'nothing of no length', text: 'a: «»', shown: 'a: ' },
    {
      why: 'lines as if they were not indented',
      text: 'a: |\n  «b\n  c»\n',
      shown: `a: |\n  ${P('b\nc')}\n`,
    },
    { why: 'deeper lines with what is more', text: '  «b\n    c»', shown: `  ${P('b\n  c')}` },
    { why: 'blanks that are its own', text: 'x\n  « b\n  c»', shown: `x\n  ${P(' b\nc')}` },
    { why: 'lines that are indented less', text: '  x: «b\n c»', shown: `  x: ${P('b\n c')}` },
    {
      why: 'lines by the indentation of their line',
      text: 'x\n   y: «b\n   c»',
      shown: `x\n   y: ${P('b\nc')}`,
    },
  ])('is the text with placeholders: $why', ({ text, shown }) => {
    const made = masked(text).masked;
    expect(made.shown).toBe(shown);
    expect(made.isWhole).toBe(shown === masked(text).text);
    expect(Object.isFrozen(made)).toBe(true);
  });

  it.each([
    {
      why: 'those that overlap become one',
      spans: [
        [1, 3],
        [2, 5],
      ],
      secrets: ['bcde'],
    },
    {
      why: 'in any order',
      spans: [
        [2, 5],
        [1, 3],
      ],
      secrets: ['bcde'],
    },
    {
      why: 'one within another is a part of it',
      spans: [
        [1, 5],
        [2, 3],
      ],
      secrets: ['bcde'],
    },
    {
      why: 'the longer of two from one place',
      spans: [
        [1, 2],
        [1, 4],
      ],
      secrets: ['bcd'],
    },
    {
      why: 'those that touch stay two',
      spans: [
        [1, 3],
        [3, 5],
      ],
      secrets: ['bc', 'de'],
    },
    {
      why: 'the same twice is one',
      spans: [
        [1, 3],
        [1, 3],
      ],
      secrets: ['bc'],
    },
    { why: 'one of no length is none', spans: [[2, 2]], secrets: [] },
    { why: 'nor one that ends before it begins', spans: [[3, 2]], secrets: [] },
    {
      why: 'three of which each overlaps the next',
      spans: [
        [0, 2],
        [1, 4],
        [3, 6],
      ],
      secrets: ['abcdef'],
    },
  ])('takes spans together: $why', ({ spans, secrets }) => {
    const made = new MaskedText(
      'abcdef',
      spans.map(([start = 0, end = 0]) => ({ start, end })),
      P,
    );
    expect(secretsIn(made).map(({ text }) => text)).toEqual(secrets);
  });

  it('says of two that overlap that they stand in a text', () => {
    const bare = { isBare: true } as const;
    const made = new MaskedText(
      'abcdef',
      [
        { start: 0, end: 3, ...bare },
        { start: 2, end: 5, ...bare },
      ],
      P,
    );
    expect(secretsIn(made)).toMatchObject([{ text: 'abcde', isBare: false }]);
    const apart = new MaskedText(
      'abcdef',
      [
        { start: 0, end: 3, ...bare },
        { start: 1, end: 2 },
      ],
      P,
    );
    expect(secretsIn(apart)).toMatchObject([{ text: 'abc', isBare: true }]);
    const first = [
      { start: 0, end: 3, ...bare },
      { start: 0, end: 2 },
    ];
    for (const spans of [
      first,
      first.toReversed(),
      [
        { start: 0, end: 3, ...bare },
        { start: 1, end: 3 },
      ],
    ])
      expect(secretsIn(new MaskedText('abcdef', spans, P))).toMatchObject([{ text: 'abc', isBare: true }]);
  });

  it('keeps of each its quotes', () => {
    expect(secretsIn(masked(`'«a»' "«b»" «c» x"«d»`).masked).map(({ text, quote }) => [text, quote])).toEqual(
      [
        ...[
          ['a', "'"],
          ['b', '"'],
          ['c', ''],
          ['d', '"'],
        ],
      ],
    );
  });
});

/** `old` is replaced by `next` in what is shown. */
function edited(
  marked: string,
  old: string,
  next: string,
  recall: (placeholder: string, quote: string) => Secret | undefined = () => undefined,
): string {
  const { text, masked: made } = masked(marked);
  const start = made.shown.indexOf(old);
  const edits = unmaskedEdits(made, [{ start, end: start + old.length, insert: next }], recall);
  return edits.reduce((all, edit) => all.slice(0, edit.start) + edit.insert + all.slice(edit.end), text);
}

const TWO = 'a: «x» b: "«yy»" c: #';
const NUMBER = '{"a": «=12», "b": #}';
const BLOCK = 'a: |\n  «b\n  c»\nd: 1';

describe('an edit of what is shown', () => {
  it.each([
    { why: 'before a secret', text: TWO, old: 'a: ', next: 'aa:  ', is: 'aa:  x b: "yy" c: #' },
    { why: 'between two', text: TWO, old: ' b: ', next: '\n', is: 'a: x\n"yy" c: #' },
    { why: 'behind them', text: TWO, old: '#', next: '2', is: 'a: x b: "yy" c: 2' },
    { why: 'of nothing', text: TWO, old: '" c', next: '" c', is: 'a: x b: "yy" c: #' },
    { why: 'that takes a secret away', text: TWO, old: `${P('x')} `, next: '', is: 'a: b: "yy" c: #' },
    { why: 'that takes away exactly one', text: TWO, old: P('x'), next: 'z', is: 'a: z b: "yy" c: #' },
    {
      why: 'that keeps one within it',
      text: TWO,
      old: `a: ${P('x')}`,
      next: `z: ${P('x')}!`,
      is: 'z: x! b: "yy" c: #',
    },
    {
      why: 'that moves one',
      text: TWO,
      old: ` b: "${P('yy')}"`,
      next: ` q: "${P('yy')}"`,
      is: 'a: x q: "yy" c: #',
    },
    {
      why: 'that writes one twice',
      text: TWO,
      old: ' b',
      next: ` ${P('x')} ${P('x')}`,
      is: 'a: x x x: "yy" c: #',
    },
    {
      why: 'that writes one without quotes beside what has some',
      text: TWO,
      old: ' b',
      next: ` "q" ${P('x')} 'r'`,
      is: `a: x "q" x 'r': "yy" c: #`,
    },
    { why: 'beside a number', text: NUMBER, old: '"b": #', next: '"b": 2', is: '{"a": 12, "b": 2}' },
    {
      why: 'that moves a number with the quotes of its placeholder',
      text: NUMBER,
      old: `"a": "${BARE('12')}"`,
      next: `"z": "${BARE('12')}"`,
      is: '{"z": 12, "b": #}',
    },
    {
      why: 'that writes a number again',
      text: NUMBER,
      old: '"b": #',
      next: `"b": "${BARE('12')}"`,
      is: '{"a": 12, "b": 12}',
    },
    {
      why: 'that moves lines, which are indented as the new place is',
      text: BLOCK,
      old: 'd: 1',
      next: `d: |\n    ${P('b\nc')}`,
      is: 'a: |\n  b\n  c\nd: |\n    b\n    c',
    },
    {
      why: 'that writes lines where nothing is indented',
      text: BLOCK,
      old: 'd: 1',
      next: P('b\nc'),
      is: 'a: |\n  b\n  c\nb\nc',
    },
    {
      why: 'that leaves an empty line empty',
      text: '«b\n\nc»\nd',
      old: '\nd',
      next: `\n  ${P('b\n\nc')}`,
      is: 'b\n\nc\n  b\n\n  c',
    },
    {
      why: 'that leaves an empty line of Windows empty',
      text: '«b\r\n\r\nc»\nd',
      old: '\nd',
      next: `\n  ${P('b\r\n\r\nc')}`,
      is: 'b\r\n\r\nc\n  b\r\n\r\n  c',
    },
    {
      why: 'by the indentation of its own line',
      text: '  x: «b\n  c» #\nend',
      old: ' #',
      next: ` ${P('b\nc')}`,
      is: '  x: b\n  c b\n  c\nend',
    },
    {
      why: 'behind what is indented by the line itself',
      text: '  x: «b\n  c» d',
      old: ' d',
      next: ` ${P('b\nc')}`,
      is: '  x: b\n  c b\n  c',
    },
  ])('is one of the text itself: $why', ({ text, old, next, is }) => {
    expect(edited(text, old, next)).toBe(is);
  });

  const CUT = 'the edit ends within a masked value';
  const UNKNOWN = 'its value is not known any more';
  const OTHER = 'it would stand in other quotes';
  it.each([
    { why: 'cuts the beginning', text: TWO, old: 'a: <', next: 'a', reason: CUT },
    { why: 'cuts the end', text: TWO, old: '> b', next: '', reason: CUT },
    { why: 'is within one', text: TWO, old: 'secret:', next: 'x', reason: CUT },
    { why: 'is within the quotes of a number', text: NUMBER, old: BARE('12'), next: BARE('12'), reason: CUT },
    { why: 'writes one that nobody knows', text: TWO, old: '#', next: P('other'), reason: UNKNOWN },
    { why: 'moves one out of quotes', text: TWO, old: '#', next: P('yy'), reason: OTHER },
    { why: 'moves one into quotes', text: TWO, old: '#', next: `"${P('x')}"`, reason: OTHER },
    { why: 'moves one into other quotes', text: TWO, old: '#', next: `'${P('yy')}'`, reason: OTHER },
    { why: 'moves a number out of quotes', text: NUMBER, old: '#', next: BARE('12'), reason: OTHER },
    {
      why: 'moves a number into other quotes',
      text: NUMBER,
      old: '#',
      next: `'${BARE('12')}'`,
      reason: OTHER,
    },
  ])('is refused where it $why', ({ text, old, next, reason }) => {
    const refusal = refusalOf(() => edited(text, old, next));
    expect(refusal).toMatchObject({
      code: 'SECRET_PLACEHOLDER',
      message: `Cannot make this edit: it would have to carry over a masked value, and ${reason}`,
      clues: { advice: ['Leave the masked value where it stands, and edit around it'] },
    });
  });

  it('is carried over with the others', () => {
    const { masked: made } = masked(TWO);
    const at = made.shown.indexOf('c: #');
    const edits = [
      { start: 0, end: 1, insert: 'q' },
      { start: at, end: at + 1, insert: 'r' },
    ];
    expect(unmaskedEdits(made, edits, () => undefined)).toEqual([
      ...[
        { start: 0, end: 1, insert: 'q' },
        { start: 13, end: 14, insert: 'r' },
      ],
    ]);
  });

  it('takes a secret that once stood elsewhere, by its placeholder and its quotes', () => {
    const asked: string[][] = [];
    const recall = (placeholder: string, quote: string): Secret => {
      asked.push([placeholder, quote]);
      return { placeholder, quote, text: 'old', isBare: false };
    };
    expect(edited(TWO, '#', `"${P('z')}"`, recall)).toBe('a: x b: "yy" c: "old"');
    expect(edited(TWO, '#', `'${P('yy')}'`, recall)).toBe(`a: x b: "yy" c: 'old'`);
    expect(asked).toEqual([
      [P('z'), '"'],
      [P('yy'), "'"],
    ]);
    expect(edited(TWO, '#', P('x'), recall)).toBe('a: x b: "yy" c: x');
    expect(edited(NUMBER, '#', `"${BARE('12')}"`, recall)).toBe('{"a": 12, "b": 12}');
  });

  it('does not take one of two secrets that look alike', () => {
    const ALIKE = '<secret:00000000>';
    const span = (start: number, more: { isBare?: true } = {}) => ({ start, end: start + 2, ...more });
    const written = (text: string, spans: readonly SecretSpan[], quote: string) => {
      const made = new MaskedText(text, spans, () => ALIKE);
      const end = made.shown.length;
      const insert = `${quote}${ALIKE}${quote}`;
      const recall = (placeholder: string): Secret => ({
        placeholder,
        quote,
        text: 'recalled',
        isBare: false,
      });
      return unmaskedEdits(made, [{ start: end, end, insert }], recall)[0]?.insert;
    };
    expect(written('aa aa', [span(0), span(3)], '')).toBe('aa');
    expect(written('aa aa', [span(0), span(3)], '"')).toBe('"recalled"');
    expect(written('11 11', [span(0, { isBare: true }), span(3, { isBare: true })], '"')).toBe('11');
    const refused = expect.objectContaining({
      message: expect.stringMatching(/and its value is not known any more$/u),
    });
    for (const quote of ['', '"', "'"]) {
      expect(refusalOf(() => written('aa bb', [span(0), span(3)], quote))).toEqual(refused);
      expect(refusalOf(() => written('aa bb aa', [span(0), span(3), span(6)], quote))).toEqual(refused);
      expect(refusalOf(() => written('aa bb bb', [span(0), span(3), span(6)], quote))).toEqual(refused);
      expect(refusalOf(() => written('11 11', [span(0), span(3, { isBare: true })], quote))).toEqual(refused);
    }
  });
});

it('a text in which nothing is masked is shown as it is', () => {
  const whole = MaskedText.whole('password: x');
  expect([whole.shown, whole.isWhole]).toEqual(['password: x', true]);
});

it('the secrets of which an edit takes something are told, and no others', () => {
  const { masked: made } = masked(TWO);
  const within = (start: number, end: number) =>
    secretsWithin(made, [{ start, end, insert: '' }]).map(({ text }) => text);
  const [x, y] = [made.shown.indexOf(P('x')), made.shown.indexOf(P('yy'))];
  expect(within(0, x)).toEqual([]);
  expect(within(0, x + 1)).toEqual(['x']);
  expect(within(x + P('x').length, y)).toEqual([]);
  expect(within(x + P('x').length - 1, y + 1)).toEqual(['x', 'yy']);
  expect(within(made.shown.length, made.shown.length)).toEqual([]);
  expect(
    secretsWithin(made, [
      { start: 0, end: 1, insert: '' },
      { start: y, end: y + 3, insert: '' },
    ]),
  ).toEqual([{ placeholder: P('yy'), text: 'yy', quote: '"', isBare: false }]);
});

it('a placeholder is the same whenever it is asked for, and however many were asked for before', () => {
  const [by, long] = [placeholdersBy(KEY), 'x'.repeat(300)];
  const before = [by('x'), by(long)];
  for (let count = 0; count < 5_001; count += 1) by(`${count}`);
  expect([by('x'), by(long)]).toEqual(before);
  expect([by('7'), by('7')]).toEqual([P('7'), P('7')]);
  expect(P('x')).not.toBe(P('y'));
});

it('a placeholder says nothing of its secret but that it is equal to another under one key', () => {
  expect(P('x')).toMatch(/^<secret:[0-9a-hjkmnp-tv-z]{8}>$/u);
  expect(P('x')).toBe('<secret:' + P('x').slice(8));
  expect(placeholdersBy('other')('x')).not.toBe(P('x'));
});
