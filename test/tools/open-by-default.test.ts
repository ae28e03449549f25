// What an agent can read where the operator gives no --allow, and in which format, through a client.
import { describe, expect, it } from 'vitest';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

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

const server = toolServer({
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
  const is = 'not JSONC at line 2';
  expect((await server.ok('config_get', { file })).text).toContain("extends: ['a']");
  expect((await server.ok('config_get', { file })).data['note']).toContain(`Read as text: ${is}.`);
  expect((await server.refused('config_get', { file, path: 'extends' })).message).toContain(is);
  const { text } = await server.ok('config_search', { pattern: '*.json5', key: 'extends' });
  expect(text).toContain(`1 file not searched (1 not JSONC): ${file} (${is}). "text" searches any of them`);
  const edits = [{ file, op: 'replace_text', old_text: "'a'", new_text: "'b'" }];
  expect((await server.ok('config_edit', { edits })).text).toContain("+  extends: ['b'],");
});

it('a search for a key is not about plain text, unless nothing is found', async () => {
  const at = await ownToolServer({
    files: { Dockerfile: 'FROM a\n', 'a.md': 'from\n', 'a.yaml': 'from: 1\n' },
  });
  expect((await at.ok('config_search', { key: 'from' })).text).toBe('a.yaml:1  from = 1\n1 match in all');
  const { text } = await at.ok('config_search', { key: 'FROM' });
  expect(text).toContain(
    'Of these files 2 are plain text, without keys: config_search {"text":"FROM"} searches them.',
  );
});

describe('a refusal says by the name alone what would open the file', () => {
  it.each([
    { file: 'scripts/run.sh', says: '--allow "**/*.sh"' },
    { file: '.bashrc', says: '--allow ".bashrc"' },
    { file: '.secret/app.conf', says: '--allow ".secret/app.conf"' },
    { file: 'team/prod.env', says: 'unless the operator gives --allow-env' },
    { file: '.env.local', says: 'unless the operator gives --allow-env' },
    { file: '.npmrc', says: 'it is on a denylist, and no --allow opens it' },
    { file: '.git/config', says: 'it is on a denylist, and no --allow opens it' },
    { file: '.env.local/id_rsa', says: 'it is on a denylist, and no --allow opens it' },
  ])('$file [DIS-3]', async ({ file, says }) => {
    const refused = await server.refused('config_get', { file });
    expect([refused.code, refused.message]).toEqual(['PATH_DENIED', expect.stringContaining(says)]);
    expect(refused.text).not.toContain('--allow opens files');
    const [, glob] = /--allow "([^"]*)"/u.exec(says) ?? [];
    if (glob === undefined) return;
    const wider = await ownToolServer({ files: { [file]: 'x\n' }, flags: ['--allow', glob] });
    await wider.ok('config_get', { file });
  });
});

describe('--allow-env', () => {
  const ENV = 'DB_PASSWORD=hunter2-and-more\nPORT=8080\nexport API_TOKEN="abcdef-0123456789"\n';

  it('opens files of environment variables, without their secrets [DIS-9]', async () => {
    const files = { '.env': ENV, 'prod.env': ENV, '.env.local': ENV, '.envrc': ENV, '.npmrc': 'x\n' };
    const open = await ownToolServer({ files, flags: ['--allow-env'] });
    for (const file of ['.env', 'prod.env', '.env.local']) {
      const { text, data } = await open.ok('config_get', { file });
      expect(text).toContain('PORT=8080');
      expect(`${text}${JSON.stringify(data)}`).not.toMatch(/hunter2|abcdef/u);
    }
    const edits = [{ file: '.env', op: 'replace_text', old_text: 'PORT=8080', new_text: 'PORT=8081' }];
    expect((await open.ok('config_edit', { edits })).text).not.toMatch(/hunter2|abcdef/u);
    for (const file of ['.envrc', '.npmrc'])
      expect((await open.refused('config_get', { file })).code).toBe('PATH_DENIED');
    expect((await open.ok('list_capabilities')).text).not.toMatch(/^Never: .*\.env,/mu);
  });
});

describe('a write to a file that programs execute', () => {
  const EXECUTED = [
    ...['Makefile', 'web/Dockerfile', 'vite.config.js', '.mvn/jvm.config', 'Jenkinsfile', 'app.service'],
    ...['justfile', 'gradle/wrapper/gradle-wrapper.properties'],
  ];
  const QUESTION = 'Programs run what is in this file. Did you mean to change what they run?';
  const edit = (file: string) => [{ file, op: 'replace_text', old_text: 'one', new_text: 'two' }];
  const serve = (...flags: string[]) =>
    ownToolServer({
      files: Object.fromEntries(
        [...EXECUTED, 'main.tf', '.github/workflows/ci.yml'].map((file) => [file, 'a: one\n']),
      ),
      flags,
    });

  it.each(EXECUTED)('is a question, and a risk of the preview: %s', async (file) => {
    const here = await serve();
    expect((await here.ok('config_edit', { edits: edit(file) })).text).toContain(QUESTION);
    const { code } = await here.refused('config_edit', { edits: edit(file), dry_run: false });
    expect(code).toBe('PREVIEW_REQUIRED');
  });

  it('is one question for 91 files, with three names and the number of the others', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 91 }, (_, at) => [`quickstart-${at}/src/docker/Dockerfile`, 'FROM a:1\nUSER 1\n']),
    );
    const here = await ownToolServer({ files });
    const edits = [{ file: '**/Dockerfile', op: 'replace_text', old_text: 'FROM a:1', new_text: 'FROM a:2' }];
    const preview = await here.ok('config_edit', { edits });
    const refused = await here.callTool('config_edit', { edits, dry_run: false });
    for (const { text, data } of [preview, refused])
      for (const channel of [text, JSON.stringify(data)]) {
        expect(channel).toContain(`and 88 more: ${QUESTION}`);
        expect(channel.split(QUESTION)).toHaveLength(2);
        expect(channel).toContain('91 files: replace the text FROM a:1 → FROM a:2 (91×)');
        expect(channel.length).toBeLessThan(4_000);
      }
    expect(refused.text).toContain('PREVIEW_REQUIRED');
  });

  it.each([
    { flags: [], file: 'main.tf', why: 'is none for configuration' },
    { flags: [], file: '.github/workflows/ci.yml', why: 'nor for a workflow' },
    { flags: ['--allow', 'Makefile'], file: 'Makefile', why: 'nor where the operator names the file' },
    { flags: ['--allow', '**/*.js'], file: 'vite.config.js', why: 'nor where a pattern names its kind' },
  ])('$why: $file', async ({ flags, file }) => {
    const here = await serve(...flags);
    const { text } = await here.ok('config_edit', { edits: edit(file), dry_run: false });
    expect(text).not.toContain(QUESTION);
  });
});

it('--file-format says how files are read whose names do not tell it', async () => {
  const files = { 'inventory/hosts': 'all:\n  port: 22\n', 'app.conf': 'port: 80\n', 'list.yaml': 'a: 1\n' };
  const flags = [
    '--file-format',
    'inventory/*=yaml',
    '--file-format',
    '*.conf=yaml',
    '--file-format',
    'list.yaml=text',
  ];
  const here = await ownToolServer({ files, flags: [...flags, '--allow', '**'] });
  expect((await here.ok('config_get', { file: 'inventory/hosts', path: 'all.port' })).text).toContain('22');
  const edits = [{ file: 'app.conf', op: 'set', path: 'port', value: '81' }];
  expect((await here.ok('config_edit', { edits, dry_run: false })).text).toContain('+port: 81');
  expect((await here.ok('config_search', { key: 'port' })).text).toContain('inventory/hosts:2');
  expect((await here.refused('config_get', { file: 'list.yaml', path: 'a' })).code).toBe(
    'UNSUPPORTED_FORMAT',
  );
});
