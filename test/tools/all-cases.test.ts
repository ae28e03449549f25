// The contract by example, the rest of it: every delete, append, insert, rename and batch of
// tables/yaml-cases.json through config_edit and a client. Each runs as a preview, whose diff must lead to
// the expected bytes, and for real, where the disk must hold them.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { visible } from '../../src/security/index.ts';
import { applyDiff } from '../harness/apply-diff.ts';
import { startToolServer, type ToolServer, toolErrorOf } from '../harness/tool-server.ts';

const Edit = z.looseObject({ op: z.string(), path: z.string() });
const Case = z.object({
  id: z.string(),
  category: z.string(),
  input: z.string(),
  op: z.union([z.object({ op: z.literal('batch'), edits: z.array(Edit) }), Edit]),
  expected: z.string().optional(),
  expected_error: z.string().optional(),
  acceptable: z.array(z.string()).default([]),
  basis: z.enum(['forced', 'policy']),
  note: z.string(),
});
type Case = z.infer<typeof Case>;

const TABLE = new URL('../tables/yaml-cases.json', import.meta.url);
const CASES = z.array(Case).parse(JSON.parse(readFileSync(TABLE, 'utf8')));
const EDITS = CASES.filter(({ op }) => op.op !== 'get' && op.op !== 'set');

const Edited = z.object({
  applied: z.boolean(),
  files: z.tuple([z.object({ diff: z.string(), changes: z.array(z.unknown()) })]),
});

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer();
});
afterAll(() => server.close());

/** A forced case has one answer; others any that the table accepts. The one that is wanted is shown where none came. */
function expectWanted({ expected, expected_error, acceptable, basis }: Case, got: string): void {
  const first = expected ?? `!${expected_error}`;
  const answers = basis === 'forced' ? [first] : [first, ...acceptable];
  if (!answers.includes(got)) expect(got).toBe(first);
}

function editsOf({ op }: Case, file: string) {
  const edits = 'edits' in op && Array.isArray(op.edits) ? z.array(Edit).parse(op.edits) : [op];
  return edits.map((edit) => ({ ...edit, file }));
}

describe('config_edit', () => {
  test.each(EDITS)('$id: $note', async (one) => {
    const file = `${one.id}.yaml`;
    server.write(file, one.input);
    const edits = editsOf(one, file);
    const preview = await server.callTool('config_edit', { edits });
    expect(server.disk(file)).toBe(one.input);
    if (preview.isError) {
      const { code, context } = toolErrorOf(preview);
      expectWanted(one, `!${code}`);
      expect(context).toMatchObject({ file, edit_index: expect.any(Number) });
      expect((await server.refused('config_edit', { edits, dry_run: false })).code).toBe(code);
      expect(server.disk(file)).toBe(one.input);
      return;
    }
    const { diff, changes } = Edited.parse(preview.data).files[0];
    const applied = await server.ok('config_edit', { edits, dry_run: false });
    const after = server.disk(file);
    expectWanted(one, after);
    expect(Edited.parse(applied.data)).toEqual({ applied: true, files: [{ diff, changes }] });
    expect(applyDiff(visible(one.input), diff)).toBe(visible(after));
  });
});

test('the table holds cases of every operation that only a batch has', () => {
  const operations = new Set(EDITS.map(({ op }) => op.op));
  expect([...operations].sort()).toEqual(['append', 'batch', 'delete', 'insert', 'rename']);
});
