// config-airlock over stdio: `npm run build` first, or name another command line of it in AIRLOCK, as words of JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = mkdtempSync(join(tmpdir(), 'vectors-'));
const state = mkdtempSync(join(tmpdir(), 'vectors-state-'));
const bundle = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));
const [command, ...words] = JSON.parse(process.env.AIRLOCK ?? JSON.stringify([process.execPath, bundle]));
const child = spawn(command, [...words, '--root', root, '--state-dir', state], {
  stdio: ['pipe', 'pipe', 'ignore'],
});
const lines = createInterface({ input: child.stdout });
const clientInfo = { name: 'vectors', version: '1' };
await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
send({ method: 'notifications/initialized' });

export async function edit({ id, format, before, operation }) {
  const file = `${id}.${format === 'templates' ? 'yaml' : format}`;
  writeFileSync(join(root, file), before);
  const edits = [operation].flat().map((one) => ({ ...editOf(one), file }));
  const written = await call('config_edit', { edits, dry_run: false });
  // A change that looks unintended waits for a second call.
  const { code, preview } = written.error ?? {};
  if (code === 'PREVIEW_REQUIRED') await call('config_apply', { preview_id: preview.preview_id });
  else if (code !== undefined) return { error: code };
  return { after: readFileSync(join(root, file), 'utf8') };
}

export async function close() {
  child.stdin.end();
  await once(child, 'exit');
  rmSync(root, { recursive: true });
  rmSync(state, { recursive: true });
}

function editOf({ path, document, value, source, ...others }) {
  return {
    ...others,
    path: path.map((step) => `[${JSON.stringify(step)}]`).join(''),
    ...(document === undefined ? {} : { doc: document }),
    ...(source === undefined ? {} : { value: source }),
    ...(value === undefined ? {} : { json: value }),
  };
}

async function call(name, args) {
  return (await request('tools/call', { name, arguments: args })).structuredContent;
}

async function request(method, params) {
  send({ id: 1, method, params });
  return JSON.parse((await once(lines, 'line'))[0]).result;
}

function send(message) {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
