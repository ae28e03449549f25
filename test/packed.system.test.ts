// What is published is what was tested: the tarball of `npm pack`, unpacked where no other package is, behind
// real clients. It must serve, preview and write as the built sources do, and be locked down as they are.
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../src/server.ts';
import { INTRUDER, intrude } from './cli/intrusion.ts';
import { GENERATIONS } from './harness/clients.ts';
import { copyEngine } from './harness/engine.mjs';
import { type InstalledPackage, installPackage, REPOSITORY, run } from './harness/installed-package.ts';
import { startGreeted } from './harness/raw-server.ts';
import { DIST_CLI, startProcess } from './harness/start-process.ts';
import { tempRoot } from './harness/temp-root.ts';
import { startToolProcess } from './harness/tool-server.ts';

const FILES = { 'a.yaml': '# why\na: 1  # one\nb: [2]\n' };
const MOST_FILES = 110;
const MOST_BYTES = 5e6;
const place = tempRoot();
let home = '';
let installed = '';
let program = '';
let files: InstalledPackage['files'] = [];
let unpackedSize = 0;

beforeAll(() => {
  ({ home, program, files, unpackedSize, folder: installed } = installPackage(place.dir));
  // Beside it, not in it: it needs none where Node has an engine.
  copyEngine(place.dir);
});
afterAll(() => place.remove());

describe('the published package', () => {
  it('holds what runs and nothing else: no other package, no test, no source map', () => {
    const names = files.filter((path) => !/^bundle\/[\w-]+\.js$|^docs\/[\w-]+\.md$/.test(path));
    expect(names.sort()).toEqual(
      [
        ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'],
        ...['bundle/THIRD_PARTY_NOTICES.md', 'bundle/index.d.ts', 'bundle/sbom.cdx.json'],
        ...['config', 'policy', 'policy-cases'].map((kind) => `schemas/${kind}.schema.json`),
        ...['chat', 'git-commit', 'pull-request'].map((name) => `examples/hooks/${name}.mjs`),
        ...['kubernetes', 'kubernetes.cases', 'recipes', 'recipes.cases'].map(
          (name) => `examples/policy/${name}.yaml`,
        ),
      ].sort(),
    );
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
    expect(unpackedSize).toBeLessThanOrEqual(MOST_BYTES);
    expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'config-airlock',
    ]);
  });

  it.runIf(process.platform !== 'win32')('can be started by its name after each build', () => {
    expect(statSync(join(REPOSITORY, 'bundle/cli.js')).mode & 0o111).toBe(0o111);
    const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(bin).toEqual({ 'config-airlock': 'bundle/cli.js' });
    expect(run('npx', ['--offline', 'config-airlock', '--version'], home)).toBe(`${VERSION}\n`);
  });

  it('refuses every call where no worker can be started, and lists its tools', async () => {
    const other = join(place.dir, 'threadless');
    cpSync(installed, other, { recursive: true });
    rmSync(join(other, 'bundle/calls.js'));
    const server = await startToolProcess({ program: join(other, 'bundle/cli.js'), files: FILES });
    expect(await server.refused('config_list')).toMatchObject({ code: 'IO_ERROR' });
    expect((await server.listTools()).length).toBeGreaterThan(0);
    await server.close();
  });

  it('lists the packages of which it holds code, with the hashes of the lock file', () => {
    const read = (file: string) => JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8'));
    const { components, metadata } = read('bundle/sbom.cdx.json');
    const { packages } = read('package-lock.json');
    expect(metadata.component.purl).toBe(`pkg:npm/config-airlock@${VERSION}`);
    const notices = readFileSync(join(installed, 'bundle/THIRD_PARTY_NOTICES.md'), 'utf8');
    expect(components.length).toBe([...notices.matchAll(/^## /gm)].length);
    const zod = components.find(({ name }: { readonly name: string }) => name === 'zod');
    const { version, integrity } = packages['node_modules/zod'];
    expect(zod).toMatchObject({ version, purl: `pkg:npm/zod@${version}` });
    const [{ content }] = zod.hashes;
    expect(`sha512-${Buffer.from(content, 'hex').toString('base64')}`).toBe(integrity);
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
    const loaded = new Set(['command.js', 'server.js']);
    for (const file of loaded)
      for (const from of imported(file)) if (from.startsWith('./')) loaded.add(from.slice(2));
    const parsers = ['yaml', 'jsonc-parser', 'smol-toml'];
    const isWithParser = (file: string) =>
      parsers.some((name) => bundled(file).includes(`node_modules/${name}/`));
    expect([...loaded].filter(isWithParser)).toEqual([]);
    expect(isWithParser('calls-and-settings.js')).toBe(true);
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
