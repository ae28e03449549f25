// Edits by themselves, and the second opinion without the splice: what each says where it refuses, and that the
// order in which edits are given does not matter.
import { describe, expect, it } from 'vitest';
import { compose, type Edit, inOrder, splice } from '../../../src/security/edits/edit.ts';
import { assertEqualOutside } from '../../../src/security/edits/verified-edit.ts';

const TEXT = 'one two three';
const at = (start: number, end: number, insert = ''): Edit => ({ start, end, insert });

/** In the order of the text: an insertion stands before the replacement that begins at the same place. */
const ORDERED = [at(0, 3, '1'), at(4, 4, '>'), at(4, 7, '2'), at(8, 13, '3')];
const RESULT = '1 >2 3';

const ORDERS: readonly { readonly why: string; readonly order: readonly number[] }[] = [
  { why: 'as they stand', order: [0, 1, 2, 3] },
  { why: 'backwards', order: [3, 2, 1, 0] },
  { why: 'the insertion behind the replacement', order: [0, 2, 1, 3] },
  { why: 'mixed', order: [2, 0, 3, 1] },
];

const inThatOrder = (order: readonly number[]) => order.flatMap((index) => ORDERED[index] ?? []);

const BAD: readonly { readonly why: string; readonly edits: readonly Edit[]; readonly start: number }[] = [
  { why: 'overlap', edits: [at(0, 3), at(2, 5)], start: 2 },
  { why: 'begin before the text', edits: [at(-1, 1)], start: -1 },
  { why: 'end before they begin', edits: [at(3, 2)], start: 3 },
  { why: 'end behind the text', edits: [at(12, 14)], start: 12 },
];

describe('edits', () => {
  it.each(ORDERS)('are put in the order of the text: $why', ({ order }) => {
    const given = inThatOrder(order);
    const before = [...given];
    expect(inOrder(given, TEXT.length)).toEqual(ORDERED);
    expect(splice(TEXT, given)).toBe(RESULT);
    expect(given).toEqual(before);
  });

  it.each(BAD)('are a bug where they $why, and the error says where', ({ edits, start }) => {
    const message = `edits overlap or leave the text at ${start}`;
    expect(() => inOrder(edits, TEXT.length)).toThrow(new Error(message));
    expect(() => splice(TEXT, edits)).toThrow(new Error(message));
  });

  it('may touch each other, be empty and reach to both ends of the text', () => {
    const edits = [at(0, 0, '<'), at(0, 3), at(3, 3), at(3, 13, '...'), at(13, 13, '>')];
    expect(inOrder(edits, TEXT.length)).toEqual(edits);
    expect(splice(TEXT, edits)).toBe('<...>');
    assertEqualOutside(TEXT, '<...>', edits);
  });

  it('that touch become one by composing, in the coordinates of the base', () => {
    const composed = compose(TEXT.length, [at(0, 1, 'O'), at(1, 2, 'N')], [at(2, 3, 'E')]);
    expect(composed).toEqual([at(0, 3, 'ONE')]);
    expect(compose(TEXT.length, [at(4, 4, 'a'), at(4, 4, 'b')], [])).toEqual([at(4, 4, 'ab')]);
    expect(compose(TEXT.length, [], [])).toEqual([]);
  });
});

describe('the second opinion', () => {
  it.each(ORDERS)('agrees with the edits in any order: $why', ({ order }) => {
    const given = inThatOrder(order);
    const before = [...given];
    assertEqualOutside(TEXT, RESULT, given);
    expect(given).toEqual(before);
  });

  it.each(BAD)('calls it a bug where edits $why', ({ edits }) => {
    expect(() => assertEqualOutside(TEXT, TEXT, edits)).toThrow(new Error('edits overlap or leave the text'));
  });

  const edits = [at(4, 7, '2')];
  it.each([
    { why: 'a character behind the edits', after: 'one 2 threE', edits },
    { why: 'a character before the edits', after: 'One 2 three', edits },
    { why: 'what was to be inserted', after: 'one 3 three', edits },
    { why: 'nothing, where something was to be inserted', after: TEXT, edits },
    { why: 'one character more at the end', after: 'one 2 threee', edits },
    { why: 'one character more at the start', after: 'oone 2 three', edits },
    { why: 'one character less at the start', after: 'ne 2 three', edits },
    { why: 'so much that nothing is left', after: '', edits },
    { why: 'a result that is shorter than what was inserted', after: '45', edits: [at(0, 13, '12345')] },
    { why: 'a text without edits', after: `${TEXT} `, edits: [] },
  ])('sees $why', ({ after, edits }) => {
    expect(() => assertEqualOutside(TEXT, after, edits)).toThrow(
      new Error('the result differs outside the edits'),
    );
  });

  it.each([
    { why: 'begins', edit: at(2, 3, 'x') },
    { why: 'ends', edit: at(1, 2, 'x') },
  ])('does not let an edit cut a character in half where it $why', ({ edit }) => {
    const text = 'a😀b';
    expect(() => assertEqualOutside(text, splice(text, [edit]), [edit])).toThrow(
      new Error('an edit cuts a character in half'),
    );
  });

  it('lets an edit begin and end beside a whole character, and beside half of one', () => {
    for (const [text, edit] of [
      ['a😀b', at(1, 3, 'x')],
      ['a\ud83db😀', at(2, 3, 'x')],
      ['a\ude00b😀', at(0, 1, 'x')],
    ] as const)
      assertEqualOutside(text, splice(text, [edit]), [edit]);
  });
});
