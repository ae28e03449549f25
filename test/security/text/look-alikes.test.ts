// Letters that only look Latin are shown, whatever alphabet lends them (finding 3 of the attacks).

import confusables from 'unhomoglyph/data.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { disguisedLetters } from '../../../src/security/text/look-alikes.ts';
import { visible, visibleLine } from '../../../src/security/text/visible.ts';

function escaped(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

describe('among Latin letters is shown [DIS-8]', () => {
  it('each character that Unicode takes for one Latin letter', () => {
    const single = Object.entries(confusables)
      .filter(([character, plain]) => /^[A-Za-z]$/.test(plain) && !/[\0-~\p{M}]/u.test(character))
      .map(([character]) => character);
    expect(single.length).toBeGreaterThan(1_200);
    expect(single.filter((character) => !visibleLine(`x${character}y`).includes('<U+'))).toEqual([]);
  });

  it.each([
    ['a slash of division', 'docker.io∕library', '∕'],
    ['a slash of fractions', 'https:⁄⁄a', '⁄'],
    ['a slash in full width', 'library／nginx', '／'],
    ['a leader of one dot', 'docker․io', '․'],
    ['a dot in full width', 'docker．io', '．'],
    ['a dot of Chinese', 'docker。io', '。'],
    ['a colon of letters', 'nginx꞉1', '꞉'],
    ['a ratio', 'nginx∶1', '∶'],
    ['a colon at the end of a word', 'name꞉ value', '꞉'],
    ['a dot at its beginning', '․env', '․'],
    ['two in a row', 'a⁄∕b', '∕'],
    ['a colon in full width', 'nginx：1', '：'],
    ['a full stop of Armenian', 'nginx։1', '։'],
  ])('%s', (_, text, sign) => {
    for (const show of [visible, visibleLine]) expect(show(text)).not.toContain(sign);
    for (const show of [visible, visibleLine]) expect(show(text)).toContain(escaped(sign));
  });

  it('each character that Unicode takes for one in another shape', () => {
    const missed: string[] = [];
    for (let code = 0x80; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      if (!/^[A-Za-z]$/.test(character.normalize('NFKC'))) continue;
      if (visibleLine(`x${character}y`) === `x${character}y`) missed.push(character);
    }
    expect(missed).toEqual(['ª', 'º']);
  });
});

it('a word of styled letters alone is shown as well: it is read as a Latin one', () => {
  for (const word of ['ᴀᴅᴍɪɴ', '𝐚𝐝𝐦𝐢𝐧', 'ⓐⓓⓜⓘⓝ', '🅰🅳🅼🅸🅽'])
    expect(visible(word)).toBe(Array.from(word, escaped).join(''));
});

it.each([
  ['Turkish', 'ışık İstanbul ağ'],
  ['Polish', 'zażółć gęślą jaźń'],
  ['Vietnamese', 'Tiếng Việt: cấu hình'],
  ['Czech, Danish and Romanian', 'příliš žluťoučký, smørrebrød, știință'],
  ['Dutch and Croatian letters of two', 'ĳs ǆep'],
  ['Hausa and Azerbaijani', 'ɓarawo ɗaki ƙasa, Azərbaycan dili'],
  ['decomposed', 'cafe\u0301'],
  ['Spanish ordinals', '1º 2ª Nº'],
  ['units', '5 µs, 10 Ω, 20 °C, 3×4, 1920×1080'],
  ['Russian', 'рот ёж, сервер'],
  ['Greek', 'όνομα'],
  ['Hebrew and Arabic', 'שלום سلام'],
  ['Japanese', '第Ⅲ章 ＡＰＩの設定 〇×'],
  ['Chinese, Korean, Thai', '配置 설정 การ'],
  ['Hindi', 'विन्यास'],
  ['Japanese with its signs', '設定：値。次／前．ＡＰＩ：値'],
  ['Armenian with its signs', 'բարև։ կազմ'],
  ['a power', '2ⁿ'],
  ['pictures', 'ok 😀 🇩🇪 ✓ → …'],
  ['marks of trade', 'Foo™ Bar®'],
])('%s stays as it is', (_, text) => {
  expect(visible(text)).toBe(text);
});

it('letters of an alphabet that a whole text is disguised in are named', () => {
  expect(disguisedLetters('ꓮꓓꓟꓲꓠ')).toEqual(['ꓮ', 'ꓓ', 'ꓟ', 'ꓲ', 'ꓠ']);
  expect(disguisedLetters('ⲟ')).toEqual(['ⲟ']);
  expect(disguisedLetters('ꓮ with x ꓮꓓ')).toEqual(['ꓮ', 'ꓓ']);
  for (const text of ['admin', 'ꓮж', 'ж', '']) expect(disguisedLetters(text), text).toEqual([]);
});
