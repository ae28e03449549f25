// The two sides that `npm run agree` compares: the bundle of a commit and that of the present tree, each served over stdio on the
// same folder, which neither may write.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const HOME = fileURLToPath(new URL('../..', import.meta.url));
const CALL_MS = 120_000;

const git = (...args) => execFileSync('git', args, { cwd: HOME, encoding: 'utf8' }).trim();
const npm = (cwd, ...args) => execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

/** Builds the present tree, if it is not built. */
export function present() {
  const cli = join(HOME, 'bundle/cli.js');
  const time = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [
    'src',
    ...readdirSync(join(HOME, 'src'), { recursive: true }).map((name) => `src/${name}`),
  ];
  if (sources.some((path) => time(join(HOME, path)) >= time(cli))) npm(HOME, 'run', '-s', 'build');
  const state = git('status', '--porcelain', 'src') === '' ? '' : ', changed';
  return { cli, name: git('rev-parse', 'HEAD') + state };
}

/** Builds a commit in a worktree of its own, once. */
export function built(name) {
  const commit = git('rev-parse', '--verify', `${name}^{commit}`);
  const folder = join(tmpdir(), 'config-airlock-agree', commit);
  const cli = join(folder, 'bundle/cli.js');
  const done = join(folder, 'bundle/built');
  if (existsSync(done)) return { cli, name: commit };
  rmSync(folder, { recursive: true, force: true });
  git('worktree', 'prune');
  git('worktree', 'add', '--quiet', '--detach', folder, commit);
  const lockOf = (root) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(HOME))
    cpSync(join(HOME, 'node_modules'), join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  else npm(folder, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  npm(folder, 'run', '-s', 'build');
  writeFileSync(done, '');
  return { cli, name: commit };
}

/** Serves a folder, and returns how its tools are called. */
export async function serve(cli, root, flags) {
  const state = mkdtempSync(join(tmpdir(), 'config-airlock-agree-state-'));
  const args = [cli, '--root', root, '--state-dir', state, '--read-only', '--allow', '**', ...flags];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  const client = new Client({ name: 'agree', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  const call = async (name, input) => {
    const { structuredContent } = await client.callTool({ name, arguments: input }, { timeout: CALL_MS });
    return structuredContent ?? {};
  };
  return {
    call,
    /** What comes of edits: a code, or the diff with the hashes of the files, which are of all of their bytes. */
    async edit(edits) {
      const { error, diff = '', sha256 = [] } = await call('config_edit', { edits, dry_run: true });
      if (error !== undefined) return { code: error.code };
      return { result: [diff, ...sha256].join('\n') };
    },
    async close() {
      await client.close();
      rmSync(state, { recursive: true, force: true });
    },
  };
}
