// Arguments as models really send them: taken where they can mean one thing only; else refused, with the call that was
// probably meant as the next step, and that call works as it is.
import { expect, test } from 'vitest';
import { sha256 } from '../harness/sha256.ts';
import { toolServer } from '../harness/tool-server.ts';

const A = 'n: 1\nt: x\nf: true\nlist:\n  - a\n';
const K8S =
  'kind: Deployment\nmetadata:\n  name: web\nn: 1\n---\nkind: Service\nmetadata:\n  name: web\nn: 2\n';

const server = toolServer({ files: { 'a.yaml': A, 'k.yaml': K8S } });

const file = 'a.yaml';
const edit = { op: 'set', file, path: 'n', value: '2' };

interface Taken {
  readonly why: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly like: Record<string, unknown>;
}

const TAKEN: readonly Taken[] = [
  {
    why: 'a number for text',
    tool: 'config_set',
    args: { file, path: 'n', value: 2 },
    like: { file, path: 'n', value: '2' },
  },
  {
    why: '"true" for a boolean',
    tool: 'config_set',
    args: { file, path: 'n', value: '2', dry_run: 'true', create: 'False' },
    like: { file, path: 'n', value: '2', create: false },
  },
  {
    why: 'null for what is not given',
    tool: 'config_set',
    args: { file, path: 'n', value: '2', json: null, doc: null, expected_sha256: null, dry_run: null },
    like: { file, path: 'n', value: '2' },
  },
  {
    why: 'json that is null',
    tool: 'config_set',
    args: { file, path: 'n', json: null },
    like: { file, path: 'n', value: 'null' },
  },
  { why: 'text for a number', tool: 'config_list', args: { limit: '1' }, like: { limit: 1 } },
  { why: './ before a file', tool: 'config_get', args: { file: './a.yaml' }, like: { file } },
  {
    why: './ before the file of an edit',
    tool: 'config_edit',
    args: { edits: [{ ...edit, file: './a.yaml' }] },
    like: { edits: [edit] },
  },
  {
    why: 'edits as JSON text',
    tool: 'config_edit',
    args: { edits: JSON.stringify([edit]) },
    like: { edits: [edit] },
  },
  { why: 'one edit without a list', tool: 'config_edit', args: { edits: edit }, like: { edits: [edit] } },
  {
    why: 'hashes by file as an object',
    tool: 'config_edit',
    args: { edits: [edit], expected_sha256: { './a.yaml': sha256(A) } },
    like: { edits: [edit] },
  },
  {
    why: 'the beginning of a hash',
    tool: 'config_set',
    args: { file, path: 'n', value: '2', expected_sha256: sha256(A).slice(0, 12) },
    like: { file, path: 'n', value: '2' },
  },
  {
    why: 'an index as text',
    tool: 'config_get',
    args: { file: 'k.yaml', doc: '-1' },
    like: { file: 'k.yaml', doc: -1 },
  },
  {
    why: 'a document by kind and name',
    tool: 'config_get',
    args: { file: 'k.yaml', doc: 'Service/web' },
    like: { file: 'k.yaml', doc: 1 },
  },
  {
    why: 'a matcher as JSON text',
    tool: 'config_get',
    args: { file: 'k.yaml', doc: '{"kind":"Service"}' },
    like: { file: 'k.yaml', doc: { kind: 'Service' } },
  },
];

test.each(TAKEN)('takes $why', async ({ tool, args, like }) => {
  const [sent, plain] = [await server.callTool(tool, args), await server.callTool(tool, like)];
  expect(plain.isError).toBe(false);
  expect(sent.isError).toBe(false);
  expect(withoutIds(sent.text)).toBe(withoutIds(plain.text));
});

test.each(['false', 'False'])(
  'only the boolean false writes at once: the text "%s" is refused [SRV-1]',
  async (dryRun) => {
    const target = server.fresh('n: 1\n');
    const args = { file: target, path: 'n', value: '2' };
    const refused = await server.refused('config_set', { ...args, dry_run: dryRun });
    expect(refused).toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: 'Cannot call config_set: dry_run: expected a boolean, got a string',
      again: { tool: 'config_set', arguments: { ...args, dry_run: false } },
    });
    expect(server.disk(target)).toBe('n: 1\n');
  },
);

test('the beginning of another hash is refused', async () => {
  const args = { file, path: 'n', value: '2', expected_sha256: '00000000' };
  expect(await server.refused('config_set', args)).toMatchObject({ code: 'FILE_CHANGED' });
});

test.each([
  { why: 'a number that lost digits', tool: 'config_set', args: { file, path: 'n', value: 2 ** 60 } },
  { why: 'two values', tool: 'config_set', args: { file, path: 'n', value: '', json: null } },
  { why: 'no boolean', tool: 'config_set', args: { file, path: 'n', value: '1', dry_run: 'no' } },
  {
    why: 'JSON text that names a field twice',
    tool: 'config_edit',
    args: { edits: '[{"op":"set","op":"delete"}]' },
  },
  { why: 'JSON text that is deep', tool: 'config_edit', args: { edits: '['.repeat(100_000) } },
  {
    why: 'a matcher with a field twice',
    tool: 'config_get',
    args: { file: 'k.yaml', doc: '{"kind":"a","kind":"b"}' },
  },
])('refuses $why', async ({ tool, args }) => {
  expect(await server.refused(tool, args)).toMatchObject({ code: 'ARGUMENT_INVALID' });
});

const changed = { file, path: 'n', value: '2' };
const CORRECTED: readonly Taken[] = [
  { why: 'a mistyped field', tool: 'config_set', args: { flie: file, path: 'n', value: '2' }, like: changed },
  {
    why: "another tool's name of it",
    tool: 'config_set',
    args: { file_path: file, path: 'n', newValue: '2' },
    like: changed,
  },
  {
    why: 'camel case',
    tool: 'config_set',
    args: { ...changed, dryRun: true },
    like: { ...changed, dry_run: true },
  },
  {
    why: 'a mapping as value',
    tool: 'config_set',
    args: { file, path: 'n', value: { a: 1 } },
    like: { file, path: 'n', json: { a: 1 } },
  },
  {
    why: 'the file beside the edits',
    tool: 'config_edit',
    args: { file, edits: [{ op: 'set', path: 'n', value: 2 }] },
    like: { edits: [edit] },
  },
  { why: 'an edit without its list', tool: 'config_edit', args: edit, like: { edits: [edit] } },
  {
    why: 'another name of an operation',
    tool: 'config_edit',
    args: { edits: [{ op: 'remove', file, path: 't' }] },
    like: { edits: [{ op: 'delete', file, path: 't' }] },
  },
  {
    why: 'an edit without its operation',
    tool: 'config_edit',
    args: { edits: [changed] },
    like: { edits: [edit] },
  },
  { why: 'arguments where none are taken', tool: 'list_capabilities', args: { verbose: true }, like: {} },
];

test.each(CORRECTED)(
  'answers $why with the call that was meant, and it works',
  async ({ tool, args, like }) => {
    const { code, again, text } = await server.refused(tool, args);
    expect(code).toBe('ARGUMENT_INVALID');
    expect(again).toMatchObject({ tool });
    expect(again?.arguments).toEqual(like);
    expect(text).toContain(`Next: Send it like this, if that is meant: ${tool} {`);
    expect((await server.callTool(tool, { ...Object(again?.arguments) })).isError).toBe(false);
  },
);

test.each([
  { why: 'two fields are missing', tool: 'config_set', args: { file } },
  { why: 'none is missing', tool: 'config_get', args: { file, nonsense: 'n' } },
  { why: 'two are unknown', tool: 'config_get', args: { nonsense: file, other: file } },
  { why: 'it has another type', tool: 'config_get', args: { nonsense: 7 } },
  {
    why: 'it may stand for two',
    tool: 'config_edit',
    args: { edits: [{ op: 'set', file, path: 'n', key: '2' }] },
  },
])('offers nothing where $why', async ({ tool, args }) => {
  const { code, again } = await server.refused(tool, args);
  expect({ code, again }).toEqual({ code: 'ARGUMENT_INVALID', again: undefined });
});

function withoutIds(text: string): string {
  return text.replaceAll(/pv_\w{10}|\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '…');
}
