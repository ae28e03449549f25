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
    suggestions: [expect.stringContaining('it counts as what the rule is about'), expect.anything()],
  });
});

it('the nearest value for one of two edits is offered with the other as it was, and what the operator says [POL-1]', async () => {
  const server = await serve(limited('5'));
  const edits = [
    { op: 'set', file: 'a.yaml', path: 'limit', json: 50 },
    { op: 'set', file: 'a.yaml', path: 'other', json: 3 },
  ];
  const { recovery_steps: steps, suggestions } = await server.refused('config_edit', { edits });
  expect(suggestions).toContain('More than ten is too much.');
  expect(steps[0]?.arguments).toEqual({ edits: [{ ...edits[0], json: 10 }, edits[1]] });
});

it('the nearest value of a rule is offered as a call that works, and none that would be refused again [POL-1]', async () => {
  const rows = [
    ...[
      ['value: { maximum: 10 }', 5, 50, 10],
      ['value: { maximum: 10 }', '5', 50, 10],
      ['value: { minimum: 3, maximum: 4 }', 5, 1, 3],
      ['value: { type: integer, maximum: 4 }', 3, '9', 4],
      ['value: { maximum: 10 }', 10, 50, undefined],
      ['value: { maximum: 10 }', 5, 'abc', undefined],
      ['value: { not: { const: 50 } }', 5, 50, undefined],
      ['value: { const: 7 }', 5, 50, 7],
      ['value: { enum: [a] }', 'b', 'c', 'a'],
      ['value: { enum: [a, d] }', 'b', 'c', undefined],
    ],
    ...[
      ['change: { max_step: 2 }', 5, 50, 7],
      ['change: { max_step: 2 }', 5, 1, 3],
      ['change: { max_step: 2 }', '5', 50, undefined],
      ['value: { minimum: 4 }, change: { max_step: 2 }', 5, 1, 4],
      ['value: { minimum: 9 }, change: { max_step: 2 }', 5, 1, undefined],
      ['change: { max_step: 20% }', -10, 50, -8],
      ['value: { type: integer }, change: { max_step: 25% }', 6, 1, 5],
      ['value: { type: [integer, "null"], multipleOf: 4, maximum: 10 }', 1, 50, 8],
      ['value: { maximum: 10, exclusiveMaximum: 10 }', 1, 50, undefined],
      ['value: { minimum: 10, maximum: 20 }, else: preview', 5, 15, undefined],
    ],
  ] as const;
  const policy = rows.map(([asks], at) => {
    const then = asks.includes('else') ? 'deny' : 'preview';
    return `  - { id: r${at}, paths: v${at}, ${asks}, then: ${then} }\n`;
  });
  const rules = tempRoot({ 'policy.yaml': `default: preview\nrules:\n${policy.join('')}` });
  onTestFinished(() => rules.remove());
  const files = { 'a.yaml': rows.map(([, from], at) => `v${at}: ${JSON.stringify(from)}\n`).join('') };
  const server = await serve(files, ['--policy', join(rules.dir, 'policy.yaml')]);
  for (const [at, [asks, , json, nearest]] of rows.entries()) {
    const { code, recovery_steps } = await server.refused('config_set', {
      file: 'a.yaml',
      path: `v${at}`,
      json,
    });
    expect(code, asks).toBe('POLICY_DENIED');
    const offered = recovery_steps.find(({ tool }) => tool === 'config_set');
    expect([asks, offered?.arguments?.['json']]).toEqual([asks, nearest]);
    if (offered !== undefined) await server.ok('config_set', offered.arguments);
  }
});

it('what a merge below the keys changes is named, and breaks a schema that cannot be checked [POL-2]', async () => {
  const manifest = 'kind: Deployment\nspec:\n  replicas: 1\n  paused: false\n';
  const files = { 'a.yaml': manifest, 'b.yaml': `m: &m <<\n${manifest}`, 'free.yaml': manifest };
  const server = await serve(files, ['--schema', `{a,b}.yaml=${operator.dir}/schema.json`]);
  const asked = (file: string, key: string) => {
    const new_text = `  paused: false\n  ${key}: {replicas: 100}\n`;
    return { edits: [{ op: 'replace_text', file, old_text: '  paused: false\n', new_text }] };
  };
  const { data } = await server.ok('config_edit', asked('free.yaml', '<<'));
  expect(data).toMatchObject({ also_affects: ['spec.replicas'] });
  for (const args of [asked('a.yaml', '<<'), asked('b.yaml', '*m ')])
    expect(await server.refused('config_edit', args)).toMatchObject({ code: 'SCHEMA_VIOLATION' });
});
