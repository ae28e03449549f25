// A text with its secrets replaced, and edits of what is shown as edits of the text itself: each secret that is left stands where it
// stood, and every edit that would carry one is refused.
import { describe, expect, it } from 'vitest';
import { exactEdits, MaskedText, removedBy, secretsIn } from '../../../src/security/secrets/masked-text.ts';
import { placeholdersBy } from '../../../src/security/secrets/placeholder.ts';
import { removedText } from '../../../src/security/secrets/removed-text.ts';
import { refusalOf } from '../fixture.ts';

const KEY = 'k'.repeat(32);
const P = placeholdersBy(KEY);

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
    { why: 'a number in a format that needs quotes', text: '{"a": «=12»}', shown: `{"a": "${P('12')}"}` },
    { why: 'nothing of no length', text: 'a: «»', shown: 'a: ' },
    {
      why: 'lines as they are, which indented otherwise are another secret',
      text: 'a: |\n  «b\n  c»\n',
      shown: `a: |\n  ${P('b\n  c')}\n  <secret:more>\n`,
    },
  ])('is the text with placeholders: $why', ({ text, shown }) => {
    const made = masked(text).masked;
    expect(made.shown).toBe(shown);
    expect(made.isUnmasked).toBe(shown === masked(text).text);
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
    expect(secretsIn(made).map(({ start, end }) => 'abcdef'.slice(start, end))).toEqual(secrets);
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
    expect(made.shown).toBe(`${P('abcde')}f`);
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
      expect(new MaskedText('abcdef', spans, P).shown).toBe(`"${P('abc')}"def`);
  });
});

/** `old` is replaced by `next` in what is shown. */
function edited(marked: string, old: string, next: string): string {
  const { text, masked: made } = masked(marked);
  const start = made.shown.indexOf(old);
  const edits = exactEdits(made, [{ start, end: start + old.length, insert: next }]);
  return edits
    .toReversed()
    .reduce((all, edit) => all.slice(0, edit.start) + edit.insert + all.slice(edit.end), text);
}

const TWO = 'a: «x» b: "«yy»" c: #';
const NUMBER = '{"a": «=12», "b": #}';
const BLOCK = 'a: |\n  «b\n   c»\nd: 1';
const [X, Y, N, B] = [P('x'), P('yy'), P('12'), P('b\n   c')];

describe('an edit of what is shown', () => {
  it.each([
    { why: 'before a secret', text: TWO, old: 'a: ', next: 'aa:  ', is: 'aa:  x b: "yy" c: #' },
    { why: 'between two', text: TWO, old: ' b: ', next: '\n', is: 'a: x\n"yy" c: #' },
    { why: 'behind them', text: TWO, old: '#', next: '2', is: 'a: x b: "yy" c: 2' },
    { why: 'of nothing', text: TWO, old: '" c', next: '" c', is: 'a: x b: "yy" c: #' },
    { why: 'that takes a secret away', text: TWO, old: `${X} `, next: '', is: 'a: b: "yy" c: #' },
    { why: 'that takes away exactly one', text: TWO, old: X, next: 'z', is: 'a: z b: "yy" c: #' },
    { why: 'that takes both away', text: TWO, old: `${X} b: "${Y}"`, next: '', is: 'a:  c: #' },
    { why: 'around one', text: TWO, old: `a: ${X}`, next: `z: ${X}!`, is: 'z: x! b: "yy" c: #' },
    {
      why: 'around both',
      text: TWO,
      old: `a: ${X} b: "${Y}"`,
      next: `A=${X} B="${Y}"`,
      is: 'A=x B="yy" c: #',
    },
    { why: 'around one of two', text: TWO, old: `a: ${X} b: "${Y}"`, next: `B: "${Y}"`, is: 'B: "yy" c: #' },
    { why: 'that only gives one again', text: TWO, old: X, next: X, is: 'a: x b: "yy" c: #' },
    { why: 'beside a number', text: NUMBER, old: '"b": #', next: '"b": 2', is: '{"a": 12, "b": 2}' },
    {
      why: 'around a number with the quotes of its placeholder',
      text: NUMBER,
      old: `"a": "${N}"`,
      next: `"z": "${N}"`,
      is: '{"z": 12, "b": #}',
    },
    {
      why: 'around lines',
      text: BLOCK,
      old: `a: |\n  ${B}`,
      next: `z: |\n  ${B}`,
      is: 'z: |\n  b\n   c\nd: 1',
    },
    {
      why: 'around one, where both halves of a character are the same or neither',
      text: '🔑«x»',
      old: `🔑${X}`,
      next: `🔐${X}`,
      is: '🔐x',
    },
  ])('is one of the text itself: $why', ({ text, old, next, is }) => {
    expect(edited(text, old, next)).toBe(is);
  });

  it.each([
    { why: 'cuts the beginning', text: TWO, old: 'a: <', next: 'a' },
    { why: 'cuts the end', text: TWO, old: '> b', next: '' },
    { why: 'is within one', text: TWO, old: 'secret:', next: 'x' },
    { why: 'is within the quotes of a number', text: NUMBER, old: N, next: 'x' },
    { why: 'takes the quotes of a number away', text: NUMBER, old: `"${N}"`, next: N },
    { why: 'writes one that nobody knows', text: TWO, old: '#', next: P('other') },
    { why: 'writes one a second time', text: TWO, old: '#', next: X },
    { why: 'writes it twice in its own place', text: TWO, old: X, next: `${X}${X}` },
    { why: 'moves one', text: TWO, old: `${X} b: "${Y}"`, next: `"${Y}" b: ${X}` },
  ])('is refused where it $why', ({ text, old, next }) => {
    expect(refusalOf(() => edited(text, old, next))).toMatchObject({
      code: 'SECRET_PLACEHOLDER',
      message:
        'Cannot make this edit: it would move, copy, write or show a masked value, or change what stands around one',
      where: {},
    });
  });

  it('is carried over with the others', () => {
    const { masked: made } = masked(TWO);
    const at = made.shown.indexOf('c: #');
    const edits = [
      { start: 0, end: 1, insert: 'q' },
      { start: at, end: at + 1, insert: 'r' },
    ];
    expect(exactEdits(made, edits)).toEqual([
      { start: 0, end: 1, insert: 'q' },
      { start: 13, end: 14, insert: 'r' },
    ]);
  });

  it('brings back what was removed, as a whole and in no other way', () => {
    const { text, masked: made } = masked(TWO);
    const [start, end] = [made.shown.indexOf(' b'), made.shown.indexOf(' c')];
    const gone = removedBy(made, text, [
      { start: 0, end: 3, insert: '' },
      { start, end, insert: '' },
    ]);
    expect(gone).toEqual([{ shown: ` b: "${Y}"`, exact: ' b: "yy"' }]);
    const removed = removedText(gone);
    const { masked: now } = masked('a: «x» c: #');
    const at = now.shown.indexOf(' c');
    const back = (insert: string) => exactEdits(now, [{ start: at, end: at, insert }], removed);
    expect(back(` b: "${Y}"`)).toEqual([{ start: 4, end: 4, insert: ' b: "yy"' }]);
    expect(refusalOf(() => back(` z: "${Y}"`))).toMatchObject({ code: 'SECRET_PLACEHOLDER' });
    expect(refusalOf(() => back(Y))).toMatchObject({ code: 'SECRET_PLACEHOLDER' });
    expect(JSON.stringify([removed, Object.values(removed)])).not.toContain('yy');
  });
});

it('a text in which nothing is masked is shown as it is', () => {
  const whole = MaskedText.unmasked('password: x');
  expect([whole.shown, whole.isUnmasked]).toEqual(['password: x', true]);
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
  expect(P('x')).toBe(`<secret:${P('x').slice(8)}`);
  expect(placeholdersBy('other')('x')).not.toBe(P('x'));
});
