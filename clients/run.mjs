// `npm run test:clients`: the clients that agents are built on start the built command over stdio, or reach it over HTTP, list all
// of its tools, read, preview an edit, apply it, and are refused, each through its own layer and with replies of both kinds. No model
// and, once they are installed, no network is needed. One line a client, then "N passed, N failed"; ends with 1 where one failed.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveHttp } from './serve-http.mjs';
import { workOn } from './work.mjs';

const CLIENTS = {
  'sdk-v1': '@modelcontextprotocol/sdk',
  'sdk-v2': '@modelcontextprotocol/client',
  mcporter: 'mcporter',
  'ai-sdk': '@ai-sdk/mcp',
  langchain: '@langchain/mcp-adapters',
  'openai-agents': '@openai/agents',
};
const OVER_HTTP = {
  'sdk-v1': '@modelcontextprotocol/sdk',
  'sdk-v2': '@modelcontextprotocol/client',
  mcporter: 'mcporter',
  inspector: '@modelcontextprotocol/inspector',
};
const CLI = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const place = mkdtempSync(join(realpathSync(tmpdir()), 'airlock-clients-'));
// Some keep caches at home.
process.env.HOME = place;
const jobsOf = (clients, work, how) =>
  Object.entries(clients).map(([file, name]) => ({ file, name, work, how }));
const JOBS = [...jobsOf(CLIENTS, tried, 'stdio'), ...jobsOf(OVER_HTTP, triedOverHttp, 'HTTP')];
let failed = 0;
try {
  for (const { file, name, work, how } of JOBS) {
    const title = `${name} ${dependencies[name]}, ${how}`;
    try {
      say(`ok      ${title}: ${await work(file)}`);
    } catch (error) {
      failed += 1;
      say(`FAILED  ${title}: ${error.message}`);
    }
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
say(`${JOBS.length - failed} passed, ${failed} failed`);
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

/** The same over HTTP. */
async function triedOverHttp(file) {
  const { openHttp } = await import(`./${file}.mjs`);
  const root = mkdtempSync(join(place, `${file}-`));
  const server = await serveHttp(CLI, root, ['--root', root, '--state-dir', `${root}.state`]);
  try {
    const session = await openHttp(server.url, server.headers);
    try {
      return await workOn(session, root);
    } finally {
      await session.close();
    }
  } finally {
    await server.close();
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
