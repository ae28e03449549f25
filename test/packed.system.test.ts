// What is published is what was tested: the tarball of `npm pack`, unpacked where no other package is, behind
// real clients. It must serve, preview and write as the built sources do, and be locked down as they are.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../src/server.ts';
import { INTRUDER, intrude } from './cli/intrusion.ts';
import { GENERATIONS } from './harness/clients.ts';
import { startGreeted } from './harness/raw-server.ts';
import { DIST_CLI, startProcess } from './harness/start-process.ts';
import { tempRoot } from './harness/temp-root.ts';
import { startToolProcess } from './harness/tool-server.ts';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const FILES = { 'a.yaml': '# why\na: 1  # one\nb: [2]\n' };
const place = tempRoot();
const installed = join(place.dir, 'package');
const program = join(installed, 'bundle/cli.js');

function run(command: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

beforeAll(() => {
  // `prepack` would build `dist` and `bundle` under the other tests.
  const packed = run('npm', ['pack', '--ignore-scripts', '--pack-destination', place.dir], REPOSITORY);
  mkdirSync(installed, { recursive: true });
  run(
    'tar',
    ['-xzf', packed.trim().split('\n').at(-1) ?? '', '--strip-components=1', '-C', installed],
    place.dir,
  );
});
afterAll(() => place.remove());

describe('the published package', () => {
  it('brings along no other package, no test and no source map', () => {
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
    expect(readdirSync(installed).sort()).toEqual(
      [
        ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
        ...['bundle', 'dist', 'docs', 'package.json'],
      ].sort(),
    );
    const names = readdirSync(join(installed, 'bundle')).filter((name) => !name.endsWith('.js'));
    expect(names).toEqual(['THIRD_PARTY_NOTICES.md']);
  });

  it.each([
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'docs/hardening.md',
    'docs/replies.md',
    'docs/threat-model.md',
  ])('brings along all that %s leads to', (name) => {
    const text = readFileSync(join(installed, name), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !existsSync(join(installed, dirname(name), target)));
    expect(missing).toEqual([]);
  });

  it('refuses every call where no worker can be started, and lists its tools', async () => {
    const other = join(place.dir, 'threadless');
    cpSync(installed, other, { recursive: true });
    rmSync(join(other, 'bundle/worker-side.js'));
    const server = await startToolProcess({ program: join(other, 'bundle/cli.js'), files: FILES });
    expect(await server.refused('config_list')).toMatchObject({ code: 'IO_ERROR' });
    expect((await server.listTools()).length).toBeGreaterThan(0);
    await server.close();
  });

  it('starts its bundle, and names its version', () => {
    const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(bin).toEqual({ 'config-airlock': 'bundle/cli.js' });
    expect(run(process.execPath, [program, '--version'], place.dir)).toBe(`${VERSION}\n`);
  });

  it('names the licence of every package of which it holds code', () => {
    const notices = readFileSync(join(installed, 'bundle/THIRD_PARTY_NOTICES.md'), 'utf8');
    for (const name of ['@modelcontextprotocol/server', 'commander', 'pino', 'yaml', 'zod']) {
      expect(notices).toContain(`\n## ${name} `);
    }
  });

  const bundled = (file: string) => readFileSync(join(installed, 'bundle', file), 'utf8');
  const imported = (file: string) =>
    Array.from(bundled(file).matchAll(/^import .*"([^"]+)";/gm), ([, from = '']) => from);

  it.each(['cli.js', 'worker-main.js'])(
    "loads nothing but Node's own into %s before it is locked down",
    (entry) => {
      expect(imported(entry).filter((from) => !from.startsWith('node:'))).toEqual(['./lock-down.js']);
      expect(imported('lock-down.js')).toEqual([]);
    },
  );

  it('starts without loading a parser', () => {
    const loaded = new Set(['main.js', 'serve.js']);
    for (const file of loaded)
      for (const from of imported(file)) if (from.startsWith('./')) loaded.add(from.slice(2));
    const parsers = ['yaml', 'jsonc-parser', 'smol-toml', 'toml-eslint-parser'];
    const isWithParser = (file: string) =>
      parsers.some((name) => bundled(file).includes(`node_modules/${name}/`));
    expect([...loaded].filter(isWithParser)).toEqual([]);
    expect(isWithParser('served-sandbox.js')).toBe(true);
    expect(loaded.size).toBeGreaterThan(5);
  });

  it.each(GENERATIONS)('lists, reads, previews and writes for a client of %s', async (client) => {
    const [packed, built] = [
      await startProcess({ program, files: FILES, client }),
      await startProcess({ program: DIST_CLI, files: FILES, client }),
    ];
    try {
      expect(await packed.listTools()).toEqual(await built.listTools());
      const capabilities = await packed.callTool('list_capabilities');
      expect(capabilities.data).toMatchObject({ isolation: 'worker' });
      const read = { file: 'a.yaml', path: 'a' };
      expect(await packed.callTool('config_get', read)).toEqual(await built.callTool('config_get', read));
      const preview = await packed.callTool('config_set', { ...read, json: 3 });
      expect(preview.text).toContain('-a: 1  # one\n+a: 3  # one\n');
      expect(readFileSync(join(packed.root, 'a.yaml'), 'utf8')).toBe(FILES['a.yaml']);
      const refused = await packed.callTool('config_get', { file: '../a.yaml' });
      expect(refused).toMatchObject({ isError: true, data: { error: { code: 'PATH_INVALID' } } });
    } finally {
      await packed.close();
      await built.close();
    }
  });

  it('makes no code from text', async () => {
    const root = tempRoot(FILES);
    const nodeFlags = ['--import', INTRUDER];
    const server = await startGreeted({ program, args: ['--root', root.dir], nodeFlags });
    const { attempts } = await intrude(server);
    expect(attempts.filter(([, outcome]) => outcome === 'worked')).toEqual([]);
    server.child.stdin.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    root.remove();
  });
});
