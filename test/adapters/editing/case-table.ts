// A table of cases: an input, one operation on it (or a batch), and the bytes or the code that must come out.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Json as JsonValue } from '../../../src/adapters/edit/json-text.ts';
import type { NewValue } from '../../../src/adapters/edit/read-value.ts';
import type { Operation } from '../../../src/adapters/operations.ts';

const JsonShape: z.ZodType<JsonValue> = z.json();
const target = { path: z.string(), doc: z.number().optional() };
const value = { value: z.string().optional(), json: JsonShape.optional() };

const SingleShape = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('get'), ...target }),
  z.strictObject({ op: z.literal('set'), ...target, ...value, create: z.boolean().default(true) }),
  z.strictObject({ op: z.literal('delete'), ...target }),
  z.strictObject({ op: z.literal('append'), ...target, ...value }),
  z.strictObject({
    op: z.literal('insert'),
    ...target,
    ...value,
    index: z.number().optional(),
    key: z.string().default(''),
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
]);

const CaseShape = z.strictObject({
  id: z.string(),
  category: z.string(),
  language: z.enum(['yaml', 'json']).default('yaml'),
  input: z.string(),
  op: z.union([SingleShape, z.strictObject({ op: z.literal('batch'), edits: z.array(SingleShape) })]),
  expected: z.string().optional(),
  expected_error: z.string().optional(),
  acceptable: z.array(z.string()).default([]),
  basis: z.enum(['forced', 'policy']),
  note: z.string(),
});

type Single = z.infer<typeof SingleShape>;
export type Case = z.infer<typeof CaseShape>;

export function readCases(name: string): readonly Case[] {
  const file = new URL(`../../tables/${name}`, import.meta.url);
  return z.array(CaseShape).parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** What may come out: a text, or `!CODE`. A forced case has one answer. */
export function wanted({ expected, expected_error, acceptable, basis }: Case): readonly string[] {
  const first = expected ?? `!${expected_error}`;
  return basis === 'forced' ? [first] : [first, ...acceptable];
}

/** In the planner's words; a `get` has none. */
export function operationOf(single: Exclude<Single, { op: 'get' }>): Operation {
  const { path, doc } = single;
  switch (single.op) {
    case 'set':
      return { op: 'set', path, doc, value: newValue(single), create: single.create };
    case 'delete':
      return { op: 'delete', path, doc };
    case 'append':
      return { op: 'append', path, doc, value: newValue(single) };
    case 'insert': {
      const { index, key, before, after } = single;
      const inserted = { op: 'insert', path, doc, value: newValue(single) } as const;
      return index === undefined ? { ...inserted, key, before, after } : { ...inserted, index };
    }
    case 'rename':
      return { op: 'rename', path, doc, newKey: single.new_key };
    case 'comment':
      return { op: 'comment', path, doc, comment: single.comment, place: single.place };
  }
}

function newValue({ value, json }: { value?: string | undefined; json?: JsonValue | undefined }): NewValue {
  return json === undefined ? { source: value ?? '' } : { json };
}
