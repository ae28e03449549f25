// SECURITY.md and the tests agree.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { guaranteeViolations } from './documents/guarantees.ts';

const HOME = new URL('../', import.meta.url);

it('every guarantee of SECURITY.md is held by a test that exists', () => {
  const read = (file: string): string => readFileSync(new URL(file, HOME), 'utf8');
  const sourceOf = (file: string): string | undefined =>
    existsSync(new URL(file, HOME)) ? read(file) : undefined;
  expect(guaranteeViolations(read('SECURITY.md'), sourceOf)).toEqual([]);
});
