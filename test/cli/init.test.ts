// What `init` prints for a server over HTTP: settings of clients that take the token from a variable, and no token.
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCommand } from '../harness/run-command.ts';

const URL_OF_SERVER = 'https://config.example.org/mcp';
const BEARER = 'Bearer ${CONFIG_AIRLOCK_TOKEN}';
const BEARER_OF_EDITOR = 'Bearer ${env:CONFIG_AIRLOCK_TOKEN}';

it.each([
  {
    client: 'cursor',
    says: {
      mcpServers: { 'config-airlock': { url: URL_OF_SERVER, headers: { Authorization: BEARER_OF_EDITOR } } },
    },
  },
  {
    client: 'vscode',
    says: {
      inputs: [
        { type: 'promptString', id: 'CONFIG_AIRLOCK_TOKEN', description: 'config-airlock', password: true },
      ],
      servers: {
        'config-airlock': {
          type: 'http',
          url: URL_OF_SERVER,
          headers: { Authorization: 'Bearer ${input:CONFIG_AIRLOCK_TOKEN}' },
        },
      },
    },
  },
  {
    client: 'gemini',
    says: {
      mcpServers: { 'config-airlock': { httpUrl: URL_OF_SERVER, headers: { Authorization: BEARER } } },
    },
  },
])('init prints the settings of $client for an address', async ({ client, says }) => {
  const { status, stdout } = await runCommand(['init', '--client', client, '--http-url', URL_OF_SERVER]);
  expect(status).toBe(0);
  const [, block = ''] = /\n(\{\n.*\n\})\n/su.exec(stdout) ?? [];
  expect(parse(block)).toEqual(says);
});

it.each([
  {
    client: 'claude-code',
    says: `claude mcp add --scope project --transport http config-airlock ${URL_OF_SERVER} --header 'Authorization: ${BEARER}'`,
  },
  {
    client: 'codex',
    says: `[mcp_servers.config-airlock]\nurl = "${URL_OF_SERVER}"\nbearer_token_env_var = "CONFIG_AIRLOCK_TOKEN"`,
  },
])('init prints for $client what it takes', async ({ client, says }) => {
  const { stdout } = await runCommand(['init', '--client', client, '--http-url', URL_OF_SERVER]);
  expect(stdout).toContain(`\n${says}\n`);
});

it('init takes the address of --http, and refuses a client that would need the token itself', async () => {
  const { stdout } = await runCommand(['init', '--client', 'codex', '--http', '127.0.0.1:8080']);
  expect(stdout).toContain('url = "http://127.0.0.1:8080/mcp"');
  const refused = await runCommand(['init', '--client', 'zed', '--http', '127.0.0.1:8080']);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('others: claude-code, cursor, vscode, windsurf, gemini, codex');
});
