// A case of the tables through a client: what changes a file runs as a preview, whose diff must lead to the expected bytes, and for
// real, where the disk must hold them.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { applyDiff } from '../harness/apply-diff.ts';
import type { Outcome } from '../harness/clients.ts';
import { type ToolServer, toolErrorOf, toolServer } from '../harness/tool-server.ts';
import { type Case, editsOf, readCases, wanted } from '../tables/read-cases.ts';

const Edited = z.object({ applied: z.boolean().default(false), diff: z.string().default('') });

/** Every case of the tables, on a server of their own. */
export function testCases(...tables: readonly string[]): void {
  testEach(tables.flatMap(readCases));
}

export function testEach(cases: readonly Case[]): void {
  const server = toolServer();
  test.each(cases)('$id: $note', (one) => expectCase(server, one));
}

function callFor(one: Case, file: string) {
  const { op, ...args } = one.op;
  if (op === 'get' || op === 'set') return { tool: `config_${op}`, args: { ...args, file } };
  return { tool: 'config_edit', args: { edits: editsOf(one).map((edit) => ({ ...edit, file })) } };
}

/** Shows the first wanted answer where `got` is none of them. */
function expectWanted(one: Case, got: string): void {
  const answers = wanted(one);
  if (!answers.includes(got)) expect(got).toBe(answers[0]);
}

async function expectCase(server: ToolServer, one: Case): Promise<void> {
  const name = `${one.id}.${one.language === 'template' ? 'yaml' : one.language}`;
  const file = one.folder === undefined ? name : `${one.folder}/${name}`;
  server.write(file, one.input);
  const { tool, args } = callFor(one, file);
  const first = await server.callTool(tool, args);
  expect(server.disk(file)).toBe(one.input);
  if (first.isError) {
    const { code, file: named, text } = toolErrorOf(first);
    expectWanted(one, `!${code}`);
    if (tool === 'config_edit') expect(named ?? text).toContain(file);
    if (tool === 'config_get') return;
    expect((await server.refused(tool, { ...args, dry_run: false })).code).toBe(code);
    expect(server.disk(file)).toBe(one.input);
  } else if (tool === 'config_get') {
    expectWanted(one, first.text);
    expect(first.data['source']).toBe(first.text);
  } else {
    const { diff } = Edited.parse(first.data);
    const data = await written(server, tool, args, first.data);
    const after = server.disk(file);
    expectWanted(one, after);
    expect(Edited.parse(data)).toEqual({ applied: after !== one.input, diff });
    expect(applyDiff(one.input, diff)).toBe(after);
    if (after === one.input) expect(first.text).toContain('No change');
  }
}

/** At once, or from its preview where there is a question about it. */
async function written(server: ToolServer, tool: string, args: object, preview: Outcome['data']) {
  const { preview_id: previewId, diff } = preview;
  const atOnce = await server.callTool(tool, { ...args, dry_run: false });
  if (!atOnce.isError) return atOnce.data;
  expect(toolErrorOf(atOnce).code).toBe('PREVIEW_REQUIRED');
  const { data } = await server.ok('config_apply', { preview_id: previewId });
  // The preview has shown it.
  expect(data['diff']).toBeUndefined();
  return { ...data, diff };
}
