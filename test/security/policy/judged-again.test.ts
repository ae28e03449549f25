// A change that comes about in another way than by its edits is judged as well; and who is denied is told what would pass.
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { stage } from '../../harness/previews.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { startToolServer } from '../../harness/tool-server.ts';

/** As an operator keeps them: the clone may lie below a folder that others can write. */
const operator = tempRoot({
  'policy.yaml': `default: preview
rules:
  - { id: limit, paths: limit, value: { type: integer, maximum: 10 }, then: direct, say: More than ten is too much. }
  - { id: quota, doc: Quota/*, then: deny }
`,
  'schema.json': '{"properties":{"spec":{"properties":{"replicas":{"maximum":5}}}}}',
});
afterAll(() => operator.remove());

const STRICT = ['--allow', '**/*.{yaml,txt}', '--policy', join(operator.dir, 'policy.yaml')];

async function serve(files: Readonly<Record<string, string>>, flags: readonly string[] = STRICT) {
  const server = await startToolServer({ files, flags });
  onTestFinished(() => server.close());
  return server;
}

const limited = (limit: string) => ({ 'a.yaml': `kind: Service\nlimit: ${limit}\nother: 1\n` });

it('a change is judged where another one is undone [POL-5]', async () => {
  const server = await serve(limited('20'));
  const { data } = await server.ok('config_set', { file: 'a.yaml', path: 'limit', json: 5, dry_run: false });
  const refused = await server.refused('config_revert', { change_id: data['change_id'] });
  expect(refused).toMatchObject({ code: 'POLICY_DENIED' });
});

it('a change is judged again when it is applied to a file that has changed since [POL-5]', async () => {
  const server = await serve(limited('5'));
  const preview = async () => {
    const { data } = await server.ok('config_set', { file: 'a.yaml', path: 'other', json: 2 });
    return { preview_id: data['preview_id'] };
  };
  const [moved, denied] = [await preview(), await preview()];
  server.write('a.yaml', 'kind: Service\nlimit: 4\nother: 1\n');
  expect(await server.refused('config_apply', moved)).toMatchObject({ code: 'FILE_CHANGED' });
  server.write('a.yaml', 'kind: Quota\nlimit: 5\nother: 1\n');
  expect(await server.refused('config_apply', denied)).toMatchObject({ code: 'POLICY_DENIED' });
  expect(server.disk('a.yaml')).toBe('kind: Quota\nlimit: 5\nother: 1\n');
});

it('a change is judged by the policy of the server that is asked, where two share a state directory [POL-5]', async () => {
  const before = 'kind: Service\nlimit: 50\nother: 1\n';
  const at = stage({ 'a.yaml': before });
  const strict = await at.start(STRICT);
  const lenient = await at.start([...STRICT.slice(0, 2), '--approval', 'preview']);
  const limit = (json: number) => ({ file: 'a.yaml', path: 'limit', json });
  const { data } = await lenient.ok('config_set', limit(60));
  const preview = { preview_id: data['preview_id'] };
  expect(await strict.refused('config_apply', preview)).toMatchObject({ code: 'POLICY_DENIED' });
  expect(at.disk('a.yaml')).toBe(before);
  await lenient.ok('config_apply', preview);
  const { data: lower } = await lenient.ok('config_set', limit(7));
  const { data: applied } = await lenient.ok('config_apply', { preview_id: lower['preview_id'] });
  const undo = { change_id: applied['change_id'] };
  expect(await strict.refused('config_revert', undo)).toMatchObject({ code: 'POLICY_DENIED' });
  expect(at.disk('a.yaml')).toContain('limit: 7\n');
});

it.each([
  { flags: ['--deny', 'b.yaml'], code: 'PREVIEW_EXPIRED' },
  { flags: ['--allow', '**'], code: 'PREVIEW_EXPIRED' },
  { flags: ['--mask-key', 'b'], code: 'PREVIEW_EXPIRED' },
  { flags: ['--show-key', 'b'], code: 'PREVIEW_EXPIRED' },
  { flags: ['--no-mask'], code: 'PREVIEW_EXPIRED' },
  { flags: ['--schema', `b.yaml=${operator.dir}/schema.json`], code: undefined },
])(
  'a preview is not applied where $flags may have shown other files or values: $code [POL-5]',
  async (row) => {
    const at = stage({ 'a.yaml': 'a: 1\n' });
    const [one, other] = [await at.start(), await at.start(row.flags)];
    const { data } = await one.ok('config_set', { file: 'a.yaml', path: 'a', json: 2 });
    const preview = { preview_id: data['preview_id'] };
    if (row.code === undefined) await other.ok('config_apply', preview);
    else expect(await other.refused('config_apply', preview)).toMatchObject({ code: row.code });
  },
);

it('a refusal says so where a rule is only perhaps about the change [POL-1]', async () => {
  const server = await serve({ 't.yaml': 'kind: Quota\na: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n' });
  const edits = [{ op: 'replace_text', file: 't.yaml', old_text: '.Values.x', new_text: '.Values.y' }];
  expect(await server.refused('config_edit', { edits })).toMatchObject({
    code: 'POLICY_DENIED',
    details: expect.stringContaining('it counts as what the rule is about'),
  });
});

it('a refusal says what the rule lets pass, and what the operator says [POL-1]', async () => {
  const server = await serve(limited('5'));
  const edits = [{ op: 'set', file: 'a.yaml', path: 'limit', json: 50 }];
  const { details } = await server.refused('config_edit', { edits });
  expect(details).toContain('More than ten is too much.');
  expect(details).toContain('at most 10');
});

it('what a merge below the keys changes is named, and breaks a schema that cannot be checked [POL-2]', async () => {
  const manifest = 'kind: Deployment\nspec:\n  replicas: 1\n  paused: false\n';
  const files = { 'a.yaml': manifest, 'b.yaml': `m: &m {replicas: 100}\n${manifest}`, 'free.yaml': manifest };
  const server = await serve(files, ['--schema', `{a,b}.yaml=${operator.dir}/schema.json`]);
  const asked = (file: string, merged: string) => {
    const new_text = `  paused: false\n  <<: ${merged}\n`;
    return { edits: [{ op: 'replace_text', file, old_text: '  paused: false\n', new_text }] };
  };
  const { data } = await server.ok('config_edit', asked('free.yaml', '{replicas: 100}'));
  expect(data).toMatchObject({ also_affects: ['spec.replicas'] });
  for (const args of [asked('a.yaml', '{replicas: 100}'), asked('b.yaml', '*m')])
    expect(await server.refused('config_edit', args)).toMatchObject({ code: 'SCHEMA_VIOLATION' });
});
