// The form of a placeholder, by which everything else tells it from the text around it.
import { expect, it } from 'vitest';
import { holdsPlaceholder, PLACEHOLDERS } from '../../../src/security/text/placeholders.ts';

it('is found in a text, each by itself, and nothing that only begins like one', () => {
  const text = '<secret:7k2m9xq4> <secret:0000zzzz><secret:short><secret:UPPERCAS><secret:7k2m9xqi>';
  expect([...text.matchAll(PLACEHOLDERS)].map(([found]) => found)).toEqual([
    '<secret:7k2m9xq4>',
    '<secret:0000zzzz>',
  ]);
});

it('is found in whatever text or key of a value', () => {
  for (const value of ['a <secret:7k2m9xq4>', [{ a: '<secret:7k2m9xq4>' }], { '<secret:7k2m9xq4>': 1 }])
    expect(holdsPlaceholder(value)).toBe(true);
  for (const value of ['<secret:>', [{ a: null }], 7, undefined]) expect(holdsPlaceholder(value)).toBe(false);
});
