// The contract by example: every get and set of tables/yaml-cases.json, through a client. Sets run as a
// preview, whose diff must lead to the expected bytes, and for real, where the disk must hold them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { visible } from '../../src/security/index.ts';
import { applyDiff } from '../harness/apply-diff.ts';
import { type Outcome, type RunningServer, startServer } from '../harness/start-server.ts';

const Operation = z.object({
  op: z.string(),
  path: z.string().default(''),
  value: z.string().optional(),
  json: z.json().optional(),
  doc: z.number().optional(),
});
const Case = z.object({
  id: z.string(),
  category: z.string(),
  input: z.string(),
  op: Operation,
  expected: z.string().optional(),
  expected_error: z.string().optional(),
  acceptable: z.array(z.string()).default([]),
  basis: z.enum(['forced', 'policy']),
  note: z.string(),
});
type Case = z.infer<typeof Case>;

const TABLE = new URL('../tables/yaml-cases.json', import.meta.url);
const CASES = z.array(Case).parse(JSON.parse(readFileSync(TABLE, 'utf8')));
const READS = CASES.filter(({ op }) => op.op === 'get');
const SETS = CASES.filter(({ op }) => op.op === 'set');

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  await server.listTools();
});
afterAll(() => server.close());

/** What may come out: a text, or `!CODE`. A forced case has one answer. */
function wanted({ expected, expected_error, acceptable, basis }: Case): readonly string[] {
  const first = expected ?? `!${expected_error}`;
  return basis === 'forced' ? [first] : [first, ...acceptable];
}

/** Shows the one wanted answer where none of them came. */
function expectWanted(one: Case, got: string): void {
  const answers = wanted(one);
  if (!answers.includes(got)) expect(got).toBe(answers[0]);
}

function errorOf({ data }: Outcome): string {
  return `!${z.object({ error: z.object({ code: z.string() }) }).parse(data).error.code}`;
}

function seed({ id, input }: Case): { readonly file: string; readonly disk: () => string } {
  const file = `${id}.yaml`;
  const place = join(server.root, file);
  writeFileSync(place, input);
  return { file, disk: () => readFileSync(place, 'utf8') };
}

const Edited = z.object({
  applied: z.boolean(),
  files: z.tuple([z.object({ diff: z.string(), changes: z.array(z.unknown()) })]),
});

describe('config_get', () => {
  test.each(READS)('$id: $note', async (one) => {
    const { file } = seed(one);
    const { path, doc } = one.op;
    const outcome = await server.callTool('config_get', {
      file,
      path,
      ...(doc === undefined ? {} : { doc }),
    });
    expectWanted(one, outcome.isError ? errorOf(outcome) : outcome.text);
    if (!outcome.isError) expect(outcome.data['source']).toBe(outcome.text);
  });
});

describe('config_set', () => {
  test.each(SETS)('$id: $note', async (one) => {
    const { file, disk } = seed(one);
    const { op, ...operation } = one.op;
    const preview = await server.callTool('config_set', { file, ...operation });
    expect(disk()).toBe(one.input);
    if (preview.isError) {
      expectWanted(one, errorOf(preview));
      const refused = await server.callTool('config_set', { file, ...operation, dry_run: false });
      expect(errorOf(refused)).toBe(errorOf(preview));
      expect(disk()).toBe(one.input);
      return;
    }
    const { diff, changes } = Edited.parse(preview.data).files[0];
    await server.callTool('config_set', { file, ...operation, dry_run: false });
    const after = disk();
    expectWanted(one, after);
    // Characters that deceive a reader are shown as <U+XXXX> in a diff.
    expect(applyDiff(visible(one.input), diff)).toBe(visible(after));
    if (after === one.input) expect({ diff, changes }).toEqual({ diff: '', changes: [] });
  });
});

test('the table holds cases of every category that get and set are promised for', () => {
  const categories = new Set([...READS, ...SETS].map(({ category }) => category));
  const promised =
    'get set-scalar null create reshape block-scalar keys norway inject bytes directive empty-doc tag comments';
  expect([...categories]).toEqual(expect.arrayContaining(promised.split(' ')));
});
