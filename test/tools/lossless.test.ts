// What a change must leave as it was, and where it must put what it brings, through a client: the cases of tables/lossless-cases.json.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolServer } from '../harness/tool-server.ts';

const Files = z.record(z.string(), z.string());
const CaseShape = z.strictObject({
  id: z.string(),
  why: z.string(),
  before: Files,
  edits: z.array(z.record(z.string(), z.unknown())),
  /** The files that change. */
  after: Files.optional(),
  refused: z.string().optional(),
});

const CASES = z
  .array(CaseShape)
  .parse(JSON.parse(readFileSync(new URL('../tables/lossless-cases.json', import.meta.url), 'utf8')));

const server = toolServer();

test.each(CASES)('$id: $why', async ({ before, edits, after, refused }) => {
  for (const [file, text] of Object.entries(before)) server.write(file, text);
  if (refused !== undefined) {
    expect((await server.refused('config_edit', { edits })).code).toBe(refused);
    return;
  }
  const { data } = await server.ok('config_edit', { edits, dry_run: true });
  await server.ok('config_apply', { preview_id: data['preview_id'] });
  const disk = Object.fromEntries(Object.keys(before).map((file) => [file, server.disk(file)]));
  expect(disk).toEqual({ ...before, ...after });
});
