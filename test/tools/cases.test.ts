// The contract by example, through a client: every case of tables/yaml-cases.json, and those of more-cases.json that
// are of JSON files or of comments, and those of TOML and of templates. What changes a file runs as a preview, whose diff must
// lead to the expected bytes, and for real, where the disk must hold them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { visible } from '../../src/security/index.ts';
import { type Case, expectWanted, readCases } from '../adapters/editing/case-table.ts';
import { applyDiff } from '../harness/apply-diff.ts';
import { startToolServer, type ToolServer, toolErrorOf } from '../harness/tool-server.ts';

const CONTRACT = readCases('yaml-cases.json');
const MORE = readCases('more-cases.json').filter(({ category }) => ['json', 'comment-op'].includes(category));
const TOML = readCases('toml-cases.json');
const TEMPLATES = readCases('template-cases.json');

const Edited = z.object({
  applied: z.boolean(),
  files: z.tuple([z.object({ diff: z.string(), changes: z.array(z.unknown()) })]),
});

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer();
});
afterAll(() => server.close());

function callFor({ op: operation }: Case, file: string) {
  const { op, ...args } = operation;
  if (op === 'get' || op === 'set') return { tool: `config_${op}`, args: { ...args, file } };
  const edits = operation.op === 'batch' ? operation.edits : [operation];
  return { tool: 'config_edit', args: { edits: edits.map((edit) => ({ ...edit, file })) } };
}

test.each([...CONTRACT, ...MORE, ...TOML, ...TEMPLATES])('$id: $note', async (one) => {
  const file = `${one.id}.${one.language === 'template' ? 'yaml' : one.language}`;
  server.write(file, one.input);
  const { tool, args } = callFor(one, file);
  const first = await server.callTool(tool, args);
  expect(server.disk(file)).toBe(one.input);
  if (first.isError) {
    const { code, context } = toolErrorOf(first);
    expectWanted(one, `!${code}`);
    if (tool === 'config_edit') expect(context).toMatchObject({ file, edit_index: expect.any(Number) });
    if (tool === 'config_get') return;
    expect((await server.refused(tool, { ...args, dry_run: false })).code).toBe(code);
    expect(server.disk(file)).toBe(one.input);
  } else if (tool === 'config_get') {
    expectWanted(one, first.text);
    expect(first.data['source']).toBe(first.text);
  } else {
    const [{ diff, changes }] = Edited.parse(first.data).files;
    const data = await written(tool, args, first.data['preview_id']);
    const after = server.disk(file);
    expectWanted(one, after);
    expect(Edited.parse(data)).toEqual({ applied: after !== one.input, files: [{ diff, changes }] });
    // Characters that deceive a reader are shown as <U+XXXX> in a diff.
    expect(applyDiff(visible(one.input), diff)).toBe(visible(after));
    if (after === one.input) expect({ diff, changes }).toEqual({ diff: '', changes: [] });
  }
});

/** At once, or from its preview where there is a question about it. */
async function written(tool: string, args: object, previewId: unknown) {
  const atOnce = await server.callTool(tool, { ...args, dry_run: false });
  if (!atOnce.isError) return atOnce.data;
  expect(toolErrorOf(atOnce).code).toBe('PREVIEW_REQUIRED');
  return (await server.ok('config_apply', { preview_id: previewId })).data;
}

test('the table holds cases of every operation, and of every category that get and set are promised for', () => {
  const operations = new Set(CONTRACT.map(({ op }) => op.op));
  expect([...operations].sort()).toEqual(['append', 'batch', 'delete', 'get', 'insert', 'rename', 'set']);
  const one = CONTRACT.filter(({ op }) => op.op === 'get' || op.op === 'set').map(({ category }) => category);
  const promised =
    'get set-scalar null create reshape block-scalar keys norway inject bytes directive empty-doc tag comments';
  expect(one).toEqual(expect.arrayContaining(promised.split(' ')));
});
