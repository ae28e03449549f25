// A table of cases: an input, one operation on it (or a batch), and the bytes or the code that must come out.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** As a call of the tools has it, without its file. */
const EditShape = z.looseObject({ op: z.string() });

const CaseShape = z.strictObject({
  id: z.string(),
  category: z.string(),
  language: z.enum(['yaml', 'json', 'jsonc', 'toml', 'template']).default('yaml'),
  /** The folder of its file. */
  folder: z.string().optional(),
  input: z.string(),
  op: z.union([z.strictObject({ op: z.literal('batch'), edits: z.array(EditShape) }), EditShape]),
  expected: z.string().optional(),
  expected_error: z.string().optional(),
  /** As good, where the case is a matter of policy: a text, or `!CODE`. */
  acceptable: z.array(z.string()).default([]),
  basis: z.enum(['forced', 'policy']),
  note: z.string(),
});

export type Case = z.infer<typeof CaseShape>;

export function readCases(name: string): readonly Case[] {
  return z.array(CaseShape).parse(JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')));
}

const OperationShape = z.looseObject({
  op: z.string(),
  path: z.array(z.union([z.string(), z.int()])),
  document: z.int().optional(),
  value: z.json().optional(),
  source: z.string().optional(),
});

const VectorShape = z.strictObject({
  id: z.string(),
  before: z.string(),
  operation: z.union([OperationShape, z.array(OperationShape)]),
  after: z.string().optional(),
  error: z.string().optional(),
  acceptable: z.array(z.string()).default([]),
  why: z.string(),
});

export const VECTORS = ['yaml', 'json', 'jsonc', 'toml', 'templates'] as const;

/** The public vectors of a format as cases of ours. */
export function readVectors(format: (typeof VECTORS)[number]): readonly Case[] {
  const text = readFileSync(new URL(`../../vectors/${format}.json`, import.meta.url), 'utf8');
  return z
    .array(VectorShape)
    .parse(JSON.parse(text))
    .map(({ id, before, operation, after, error, acceptable, why }) => ({
      ...{ id, acceptable, note: why, input: before, category: 'vector', basis: 'policy' },
      language: format === 'templates' ? 'template' : format,
      op: Array.isArray(operation) ? { op: 'batch', edits: operation.map(editOf) } : editOf(operation),
      ...(after === undefined ? { expected_error: error } : { expected: after }),
    }));
}

function editOf({ path, document, value, source, ...others }: z.infer<typeof OperationShape>) {
  return {
    ...others,
    path: path.map((step) => `[${JSON.stringify(step)}]`).join(''),
    ...(document === undefined ? {} : { doc: document }),
    ...(source === undefined ? {} : { value: source }),
    ...(value === undefined ? {} : { json: value }),
  };
}

/** The operations of a case one by one. */
export function editsOf({ op }: Case): readonly z.infer<typeof EditShape>[] {
  return 'edits' in op ? z.array(EditShape).parse(op.edits) : [op];
}

/** What may come out: a text, or `!CODE`. A forced case has one answer. */
export function wanted({ expected, expected_error, acceptable, basis }: Case): readonly string[] {
  const first = expected ?? `!${expected_error}`;
  return basis === 'forced' ? [first] : [first, ...acceptable];
}
