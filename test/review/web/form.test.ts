// What a form may say, and nothing else.
import { describe, expect, it } from 'vitest';
import { noteIn, partsIn, readForm } from '../../../src/review/web/form.ts';

const form = (text: string | Uint8Array) =>
  readForm(typeof text === 'string' ? Buffer.from(text, 'utf8') : text);

describe('a form', () => {
  it.each([
    { text: 'token=a&token=b', why: 'a field twice' },
    { text: 'token=a&_method=DELETE', why: 'a field that ours do not have' },
    { text: 'token=a&__proto__=b', why: 'a field that objects have' },
    { text: Uint8Array.of(0x74, 0x3d, 0xff), why: 'bytes that are no text' },
  ])('is none with $why', ({ text }) => {
    expect(form(text)).toBeUndefined();
  });

  it.each([
    { text: 'part=1&part=0', kept: [0, 1] },
    { text: '', kept: [] },
    { text: 'part=1&part=1', kept: undefined },
    { text: 'part=-1', kept: undefined },
    { text: 'part=1e3', kept: undefined },
    { text: 'part=', kept: undefined },
    { text: 'part=01', kept: undefined },
    { text: 'part=99999999', kept: undefined },
  ])('keeps $kept for $text', ({ text, kept }) => {
    expect(partsIn(form(text) ?? new Map())).toEqual(kept);
  });

  it('has its note on one line', () => {
    expect(noteIn(form('note=+not%0D%0A%0D%0Aon+a%09Friday+') ?? new Map())).toBe('not on a Friday');
  });
});
