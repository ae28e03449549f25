// What an agent can read where the operator gives no --allow, and in which format, through a client.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

const OPEN = [
  ...['Dockerfile', 'web/Dockerfile.prod', 'build.dockerfile', 'Containerfile', 'Makefile', 'rules.mk'],
  ...['Jenkinsfile', 'justfile', 'Procfile', 'Pipfile', 'CODEOWNERS', '.github/CODEOWNERS', 'README.md'],
  ...['app.ini', 'setup.cfg', 'nginx.conf', 'application.properties', 'main.tf', 'prod.tfvars', 'a.hcl'],
  ...['requirements.txt', 'requirements-dev.txt', 'go.mod', '.mvn/jvm.config', '.editorconfig', 'pom.xml'],
  ...['.gitignore', 'web/.dockerignore', 'charts/a/.helmignore', '.tool-versions', 'eslint.config.mjs'],
  ...['web/vite.config.ts', 'app.service', 'Cargo.lock', 'charts/a/Chart.lock', '.renovaterc.json5'],
  ...['charts/a/templates/NOTES.txt', 'group_vars/all', 'host_vars/web1.example.org', 'build.gradle.kts'],
];
const CLOSED = [
  ...['src/main.py', 'src/index.ts', 'src/app.js', 'notes.txt', 'run.sh', '.npmrc', '.bashrc', 'a.png'],
  ...['config', '.secret/app.conf', 'a.code-workspace'],
];

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer({
    files: {
      ...Object.fromEntries([...OPEN, ...CLOSED].map((file) => [file, 'x\n'])),
      'group_vars/all': 'ntp:\n  server: a\n',
      'host_vars/web1.example.org': 'port: 80\n',
      'tidy.json5': '{\n  // why\n  "extends": ["a"],\n}\n',
      'loose.json5': "{\n  extends: ['a'],\n}\n",
      'Cargo.lock': 'version = 4\n',
      'charts/a/Chart.lock': 'generated: now\n',
    },
  });
});
afterAll(() => server.close());

it.each(OPEN)('%s can be read', async (file) => {
  const { text } = await server.ok('config_list', { pattern: file });
  expect(text).toContain(`${file}  `);
  await server.ok('config_get', { file });
});

it.each(CLOSED)('%s cannot be read', async (file) => {
  const { code } = await server.refused('config_get', { file });
  expect(code).toBe('PATH_DENIED');
});

it.each([
  { file: 'group_vars/all', path: 'ntp.server', value: 'a' },
  { file: 'host_vars/web1.example.org', path: 'port', value: '80' },
  { file: 'tidy.json5', path: 'extends[0]', value: 'a' },
  { file: 'Cargo.lock', path: 'version', value: '4' },
  { file: 'charts/a/Chart.lock', path: 'generated', value: 'now' },
])('$file has the node $path', async ({ file, path, value }) => {
  const { text } = await server.ok('config_get', { file, path });
  expect(text).toContain(value);
});

it('reads JSON5 that is more than JSONC as text', async () => {
  const file = 'loose.json5';
  expect((await server.ok('config_get', { file })).text).toContain("extends: ['a']");
  const edits = [{ file, op: 'replace_text', old_text: "'a'", new_text: "'b'" }];
  expect((await server.ok('config_edit', { edits })).text).toContain("+  extends: ['b'],");
});
