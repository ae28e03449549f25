// A null that is given its first key or item becomes a collection, and is tagged as nothing else.
import { expect, it } from 'vitest';
import { type Operation, planOperation, readConfigFile } from '../../../src/adapters/index.ts';
import { DEFAULT_LIMITS, splice } from '../../../src/security/index.ts';

function edited(text: string, operation: Operation): string {
  const base = readConfigFile(undefined, text, DEFAULT_LIMITS);
  const progress = { base, current: base, earlierChanges: [] };
  const { edits, check } = planOperation(progress, operation, DEFAULT_LIMITS);
  const after = splice(text, edits);
  expect(check(after)).toHaveLength(1);
  return after;
}

const below = { op: 'set', path: 'a.b', value: '1', create: true } as const;
const item = { op: 'append', path: 'a', value: '1' } as const;

// PyYAML, go-yaml and others refuse a collection under the tag of a scalar.
it.each([
  { text: 'a: !!null\n', operation: below, after: 'a:\n  b: 1\n' },
  { text: 'a: !!null\n', operation: item, after: 'a:\n  - 1\n' },
  { text: 'a: !!str # c\n', operation: below, after: 'a: # c\n  b: 1\n' },
  { text: 'a: &x !!null\nc: *x\n', operation: below, after: 'a: &x\n  b: 1\nc: *x\n' },
  { text: 'a: !<tag:yaml.org,2002:null>\n', operation: below, after: 'a:\n  b: 1\n' },
  { text: '[{a: !!null }]\n', operation: { ...below, path: '[0].a.b' }, after: '[{a: {b: 1} }]\n' },
  { text: '!!null\n', operation: { ...below, path: 'b' }, after: '\nb: 1\n' },
  { text: 'a: !T\n', operation: below, after: 'a: !T\n  b: 1\n' },
  { text: 'a: !!map\n', operation: below, after: 'a: !!map\n  b: 1\n' },
])('$text with $operation.op', ({ text, operation, after }) => {
  expect(edited(text, operation)).toBe(after);
});
