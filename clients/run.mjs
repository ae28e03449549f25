// `npm run test:clients`: the clients that agents are built on start the built command over stdio, list all of its tools,
// read, preview an edit, apply it, and are refused, each through its own layer and with replies of both kinds. No model
// and, once they are installed, no network is needed. One line a client, then "N passed, N failed"; ends with 1 where one failed.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workOn } from './work.mjs';

const CLIENTS = {
  'sdk-v1': '@modelcontextprotocol/sdk',
  'sdk-v2': '@modelcontextprotocol/client',
  mcporter: 'mcporter',
  'ai-sdk': '@ai-sdk/mcp',
  langchain: '@langchain/mcp-adapters',
  'openai-agents': '@openai/agents',
};
const CLI = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const place = mkdtempSync(join(realpathSync(tmpdir()), 'airlock-clients-'));
// Some keep caches at home.
process.env.HOME = place;
let failed = 0;
try {
  for (const [file, name] of Object.entries(CLIENTS)) {
    const title = `${name} ${dependencies[name]}`;
    try {
      say(`ok      ${title}: ${await tried(file)}`);
    } catch (error) {
      failed += 1;
      say(`FAILED  ${title}: ${error.message}`);
    }
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
say(`${Object.keys(CLIENTS).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** What a client did, as a line. */
async function tried(file) {
  const { open } = await import(`./${file}.mjs`);
  let done;
  for (const replies of ['both', 'text']) {
    const root = mkdtempSync(join(place, `${file}-`));
    const options = ['--root', root, '--state-dir', `${root}.state`, '--log-file', `${root}.log`];
    const session = await open(process.execPath, [CLI, ...options, '--replies', replies]);
    try {
      done = await workOn(session, root);
    } finally {
      await session.close();
    }
  }
  return done;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
