// A table of cases: an input, one operation on it (or a batch), and the bytes or the code that must come out.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** As a call of the tools has it, without its file. */
const EditShape = z.looseObject({ op: z.string() });

const CaseShape = z.strictObject({
  id: z.string(),
  category: z.string(),
  language: z.enum(['yaml', 'json', 'jsonc', 'toml', 'template']).default('yaml'),
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

/** The operations of a case one by one. */
export function editsOf({ op }: Case): readonly z.infer<typeof EditShape>[] {
  return 'edits' in op ? z.array(EditShape).parse(op.edits) : [op];
}

/** What may come out: a text, or `!CODE`. A forced case has one answer. */
export function wanted({ expected, expected_error, acceptable, basis }: Case): readonly string[] {
  const first = expected ?? `!${expected_error}`;
  return basis === 'forced' ? [first] : [first, ...acceptable];
}
