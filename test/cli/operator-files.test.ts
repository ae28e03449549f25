// The operator's own files inside a root, through the built command: the policy that an agent could read, or
// even change, would be none.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempRoot } from '../harness/temp-root.ts';
import { ownToolServer } from '../harness/tool-server.ts';

it('a config file or a schema inside a root is nothing that a tool reaches [DIS-2]', async () => {
  const root = tempRoot({
    'a.yaml': 'a: 1\n',
    'policy.yaml': 'log-level: info\n',
    's.json': '{"type":"object"}',
  });
  onTestFinished(() => root.remove());
  const [policy, schema] = [join(root.dir, 'policy.yaml'), join(root.dir, 's.json')];
  const flags = ['--config', policy, '--schema', `a.yaml=${schema}`];
  const server = await ownToolServer({ root: root.dir, flags });
  for (const file of ['policy.yaml', 's.json']) {
    for (const [tool, args] of [
      ['config_get', { file }],
      ['config_validate', { file }],
      ['config_set', { file, path: 'log-level', value: '"debug"' }],
    ] as const)
      expect(await server.refused(tool, args), `${tool} ${file}`).toMatchObject({ code: 'PATH_DENIED' });
  }
  expect((await server.ok('config_list')).text).not.toMatch(/policy|s\.json/);
  expect((await server.ok('config_search', { key: 'log-level' })).text).not.toContain('policy');
  expect((await server.ok('config_get', { file: 'a.yaml', path: 'a' })).text).toContain('1');
  expect(server.log()).toContain('"event":"operator_files_in_root"');
});
