// What a rule about additions must not deny: what only goes, and a text in a file of values that looks like an action.
import { afterAll, expect, it, onTestFinished, test } from 'vitest';
import { diffOf } from '../../harness/git-diff.ts';
import { runCommand } from '../../harness/run-command.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { startToolServer } from '../../harness/tool-server.ts';

const operator = tempRoot({
  'policy.yaml':
    'default: preview\nrules:\n  - { id: hosts, paths: ["**.hostnames[*]"], ops: [add, replace], then: deny }\n',
  's.yaml': 'x',
});
afterAll(() => operator.remove());
const flags = ['--allow', '**', '--policy', `${operator.dir}/policy.yaml`];
const VALUES =
  'promtail:\n  url: x{{ .Values.url }}\n  # {{ a note }}\n  config: |\n    {{ tpl }}\n  hostnames: [a]\nlast: 1\n';

test.for([
  { why: 'a key', edit: { op: 'delete', path: 'promtail' } },
  { why: 'the file', edit: { op: 'delete_file' } },
  { why: 'a file that is filled in', edit: { op: 'delete_file' }, file: 'templates/x.yaml' },
  { why: 'another text', edit: { op: 'set', path: 'promtail.url', value: 'y{{ .Values.url }}' } },
  { why: 'another note', edit: { op: 'replace_text', old_text: 'a note', new_text: 'no note' } },
])('is not a deletion, or text of a file of values: $why [POL-1]', async ({ edit, file = 'values.yaml' }) => {
  const server = await startToolServer({ files: { [file]: VALUES }, flags });
  onTestFinished(() => server.close());
  const { data } = await server.ok('config_edit', { edits: [{ ...edit, file }] });
  expect(data['preview_id']).toBeTypeOf('string');
});

test.for([
  { why: 'an action in a file that may be filled in', file: 'a.yaml', next: 'y{{ .Values.url }}' },
  { why: 'a host', file: 'values.yaml', next: 'y\n  more: { hostnames: [b] }' },
])('is denied: $why [POL-2]', async ({ file, next }) => {
  const server = await startToolServer({ files: { [file]: VALUES }, flags });
  onTestFinished(() => server.close());
  const edits = [{ op: 'replace_text', file, old_text: 'x{{ .Values.url }}', new_text: next }];
  expect(await server.refused('config_edit', { edits })).toMatchObject({ code: 'POLICY_DENIED' });
});

it.each([
  ...['a\u200b.yaml', 'a\u0007.yaml', 'a\\b.yaml', 'a:b.yaml', `${'a'.repeat(251)}.yaml`, 'a.yaml '].map(
    (name) => ({
      name,
      says: 'PATH_INVALID',
    }),
  ),
])('policy check denies a name that the server refuses: $name [POL-2]', async ({ name, says }) => {
  const quoted = name.replaceAll('\\', '\\\\').replaceAll('\u0007', '\\a');
  const input = diffOf('NAME', undefined, 'kind: Secret\n').replace(
    'a/NAME b/NAME',
    quoted === name ? `a/${name} b/${name}` : `"a/${quoted}" "b/${quoted}"`,
  );
  const { status, stdout } = await runCommand(['policy', 'check', ...flags], { input });
  expect({ status, stdout }).toEqual({ status: 3, stdout: expect.stringContaining(says) });
});

it('policy check denies a file that takes too long to judge [POL-2]', async () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `key${at}: ${at}\n`).join('');
  const input = diffOf('a.yaml', undefined, text);
  const check = (...more: readonly string[]) => runCommand(['policy', 'check', ...flags, ...more], { input });
  expect(await check('--max-step-ms', '1')).toMatchObject({
    status: 3,
    stdout: expect.stringContaining('it took too long to judge'),
  });
  expect(await check()).toMatchObject({ status: 0 });
});
