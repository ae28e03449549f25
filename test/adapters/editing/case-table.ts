// A table of cases: an input, one operation on it (or a batch), and the bytes or the code that must come out.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Json as JsonValue } from '../../../src/adapters/index.ts';

const JsonShape: z.ZodType<JsonValue> = z.json();
const target = { path: z.string(), doc: z.number().optional() };
const value = { value: z.string().optional(), json: JsonShape.optional() };

const place = {
  to: z.string(),
  key: z.string().optional(),
  index: z.number().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
};

const SingleShape = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('get'), ...target }),
  z.strictObject({ op: z.literal('set'), ...target, ...value, create: z.boolean().optional() }),
  z.strictObject({ op: z.literal('delete'), ...target }),
  z.strictObject({ op: z.literal('append'), ...target, ...value }),
  z.strictObject({
    op: z.literal('insert'),
    ...target,
    ...value,
    index: z.number().optional(),
    key: z.string().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
  z.strictObject({ op: z.literal('rename'), ...target, new_key: z.string() }),
  z.strictObject({
    op: z.literal('comment'),
    ...target,
    comment: z.string(),
    place: z.enum(['before', 'line_end']),
  }),
  z.strictObject({ op: z.literal('replace_text'), ...target, old_text: z.string(), new_text: z.string() }),
  z.strictObject({ op: z.literal('move'), ...target, ...place }),
  z.strictObject({ op: z.literal('copy'), ...target, ...place }),
]);

const CaseShape = z.strictObject({
  id: z.string(),
  category: z.string(),
  language: z.enum(['yaml', 'json', 'jsonc', 'toml', 'template']).default('yaml'),
  input: z.string(),
  op: z.union([SingleShape, z.strictObject({ op: z.literal('batch'), edits: z.array(SingleShape) })]),
  expected: z.string().optional(),
  expected_error: z.string().optional(),
  acceptable: z.array(z.string()).default([]),
  basis: z.enum(['forced', 'policy']),
  note: z.string(),
});

export type Case = z.infer<typeof CaseShape>;

export function readCases(name: string): readonly Case[] {
  const file = new URL(`../../tables/${name}`, import.meta.url);
  return z.array(CaseShape).parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** What may come out: a text, or `!CODE`. A forced case has one answer. */
function wanted({ expected, expected_error, acceptable, basis }: Case): readonly string[] {
  const first = expected ?? `!${expected_error}`;
  return basis === 'forced' ? [first] : [first, ...acceptable];
}

/** Shows the first wanted answer where `got` is none of them. */
export function expectWanted(one: Case, got: string): void {
  const answers = wanted(one);
  if (!answers.includes(got)) expect(got).toBe(answers[0]);
}
