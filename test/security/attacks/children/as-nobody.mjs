// Runs a server as a user who is nobody: node as-nobody.mjs NODE CLI ARGUMENT... It runs a copy, which everybody can
// read: nobody can enter a folder of root's own, such as the one of this clone or of Node.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { copyEngine } from '../../../harness/engine.mjs';

const NOBODY = { uid: 65_534, gid: 65_534 };
const [node, program, ...args] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'airlock-nobody-'));
const copy = join(folder, 'program');
cpSync(dirname(program), copy, { recursive: true });
copyEngine(folder);
for (const name of ['', 'program', ...readdirSync(copy).map((file) => `program/${file}`)])
  chmodSync(join(folder, name), 0o755);
const state = join(folder, 'state');
mkdirSync(state, { mode: 0o700 });
chownSync(state, NOBODY.uid, NOBODY.gid);

const options = { ...NOBODY, cwd: folder, env: { ...process.env, AIRLOCK_STATE_DIR: state } };
const child = spawn(nodeForAll(), [join(copy, 'cli.js'), ...args], { ...options, stdio: 'inherit' });
child.on('exit', (code) => {
  rmSync(folder, { recursive: true });
  process.exit(code ?? 1);
});

/** A Node that nobody can run; a copy has the packages of no global folder, and needs none. */
function nodeForAll() {
  if (spawnSync(node, ['--version'], { ...options, stdio: 'ignore' }).status === 0) return node;
  const own = join(folder, 'node');
  copyFileSync(node, own);
  chmodSync(own, 0o755);
  return own;
}
