// The contestants: how each is started on a folder, and what its words for a job are.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from './client.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** What the published package starts. */
const CLI = join(HERE, '..', 'bundle', 'cli.js');
/** Where everything that is compared with is installed. */
const PEERS = join(HERE, '../proof');
const FILESYSTEM = join(PEERS, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

/** Of what is parsed without an option. */
const USUAL_BYTES = 2e6;

/** As users get it; with higher limits for the file that would not be parsed else. */
export function airlockCommand(root, state, bytes) {
  const most = String(2 * bytes);
  const sizes = ['--max-file-size', most, '--max-parsed-size', most, '--max-tokens', most];
  // A slow moment of the machine is told as a time, and does not end the run.
  const patience = ['--max-step-ms', '60000', '--max-call-ms', '300000'];
  const limits = [...patience, ...(bytes > USUAL_BYTES ? sizes : [])];
  return [process.execPath, CLI, '--root', root, '--state-dir', state, '--log-level', 'error', ...limits];
}

export function echoCommand() {
  return [process.execPath, join(HERE, 'peers/echo.mjs')];
}

export function plainCommand(root) {
  return [process.execPath, join(HERE, 'peers/plain.mjs'), root];
}

/** Undefined where it could not be installed, for want of a network. */
export function filesystemCommand(root) {
  if (!existsSync(FILESYSTEM)) {
    try {
      const options = { cwd: PEERS, stdio: 'ignore', timeout: 120_000 };
      execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], options);
    } catch {
      return undefined;
    }
  }
  return [process.execPath, FILESYSTEM, root];
}

export async function start(command) {
  const client = new Client(command);
  await client.initialize();
  await client.request('tools/list');
  return client;
}

/** What one scalar's read and change are called, by server. Each answers a function of the new number. */
export const WORDS = {
  airlock: {
    get: (client, { file, path }) => client.call('config_get', { file, path }),
    set: (client, { file, path }, json) => client.call('config_set', { file, path, json }),
  },
  plain: {
    get: (client, { file, path }) => client.call('plain_get', { file, path }),
    set: (client, { file, path }, json) => client.call('plain_set', { file, path, json }),
  },
  filesystem: {
    get: (client, { absolute }) => client.call('read_text_file', { path: absolute }),
    set: (client, { absolute, oldText, newText }, json) => {
      const edits = [{ oldText, newText: newText(json) }];
      return client.call('edit_file', { path: absolute, edits, dryRun: true });
    },
  },
};
