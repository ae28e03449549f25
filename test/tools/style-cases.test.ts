// Diffs as a careful person would have written them, through a client: every case of tables/style-cases.json.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolServer } from '../harness/tool-server.ts';

const CaseShape = z.strictObject({
  id: z.string(),
  why: z.string(),
  file: z.string(),
  before: z.string(),
  call: z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
  after: z.string(),
  /** As good. */
  acceptable: z.array(z.string()).default([]),
});

const CASES = z
  .array(CaseShape)
  .parse(JSON.parse(readFileSync(new URL('../tables/style-cases.json', import.meta.url), 'utf8')));

const server = toolServer();

test.each(CASES)('$id: $why', async ({ file, before, call, after, acceptable }) => {
  server.write(file, before);
  const { data } = await server.ok(call.tool, { ...call.arguments, dry_run: true });
  await server.ok('config_apply', { preview_id: data['preview_id'] });
  if (!acceptable.includes(server.disk(file))) expect(server.disk(file)).toBe(after);
});
