// A key within brackets whose value goes keeps a blank behind its colon: some readers would take the colon for a part of the key.
import { expect, it } from 'vitest';
import { edited } from '../editing/attempt.ts';

it.each([
  { before: 'a: {x: 1, y: 2}\n', path: 'a.x', after: 'a: {x: , y: 2}\n' },
  { before: 'a: {x: 1}\n', path: 'a.x', after: 'a: {x: }\n' },
  { before: 'a: {x: 1 , y: 2}\n', path: 'a.x', after: 'a: {x: , y: 2}\n' },
  { before: 'a: [x: 1, y]\n', path: 'a[0].x', after: 'a: [x: , y]\n' },
  { before: 'a: {"x": 1, y: 2}\n', path: 'a.x', after: 'a: {"x":, y: 2}\n' },
  { before: 'a: {"x":1,"y":2}\n', path: 'a.x', after: 'a: {"x":,"y":2}\n' },
  { before: 'a: {x: !!str 1, y: 2}\n', path: 'a.x', after: 'a: {x: , y: 2}\n' },
  { before: 'a:\n  x: 1\n', path: 'a.x', after: 'a:\n  x:\n' },
])('$before without the value at $path', ({ before, path, after }) => {
  expect(edited(before, { op: 'set', path, value: '', create: false })).toBe(after);
});
