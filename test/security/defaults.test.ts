// Finding 15.8: what is denied and allowed where the operator says nothing.
import { describe, expect, it, onTestFinished } from 'vitest';
import { isEnvFile, isOnDenylist } from '../../src/security/paths/denylist.ts';
import { escapesOf } from '../harness/figures.ts';
import { startToolServer } from '../harness/tool-server.ts';
import { codeOf, place } from './fixture.ts';

// Their spellings are in attacks/deny-rows.ts, and the names of the list itself in paths/denylist.test.ts.
const DENIED = (
  '.git/c.yaml .env .env.local .env.yaml prod.env id_rsa id_ed25519 id_rsa.yaml x.pem x.key X.PEM x.p12 x.pfx x.jks x.kdbx ' +
  'x/.git a/node_modules/c.yaml a/__pycache__/c.yaml a/.ssh/c.yaml a/.aws/c.yaml a/.gnupg/c.yaml a/.kube/c.yaml ' +
  'credentials.json .npmrc .netrc .pypirc .git-credentials .config/gh/hosts.yml .config/gcloud/x.json ' +
  '.config/rclone/x.yaml a/.CONFIG/GH/hosts.yml .composer/auth.json auth.json .yarnrc.yml .oci/x.json ' +
  '.docker/config.json .dockerconfigjson .terraform.d/credentials.tfrc.json ' +
  '.devcontainer/devcontainer.json .gemini/settings.json .kiro/x.json .roo/mcp.json ' +
  '.windsurf/x.json .amazonq/mcp.json .continue/config.yaml .codex/x.json .aider.conf.yml .idea/x.json ' +
  'mcp.json x/MCP.json .mcp.json mcp_config.json mcp-servers.json cline_mcp_settings.json my.mcp.json ' +
  'claude_desktop_config.json opencode.json x/Crush.json ' +
  '.pre-commit-config.yaml lefthook.yml lefthook-local.yml .lefthook.yaml .husky/x.json ' +
  'x/.lintstagedrc.json simple-git-hooks.json .github/hooks/x.json ' +
  '.config-airlock.lock .config-airlock/state.yaml GIT~1/c.yaml git~12/c.yaml NODE_M~1/c.yaml NODE_~10/c.yaml ' +
  'GI9F3A~1/c.yaml CREDEN~1.JSO ENV~1 ENV~1.LOC'
).split(' ');

const isDenied = (components: readonly string[]) => isOnDenylist(components) || isEnvFile(components);

describe('the denylist', () => {
  it('denies keys, credentials, and what an editor, an agent or a hook runs, by their names alone [DIS-1]', () => {
    const { open } = place();
    const sandbox = open();
    const codes = new Map(DENIED.map((name) => [name, codeOf(() => sandbox.parse(name))]));
    const opened = DENIED.filter((name) => !isDenied(name.split('/')) || codes.get(name) !== 'PATH_DENIED');
    expect(escapesOf('defaults', DENIED.length, opened)).toEqual([]);
  });
});

it('the allowlist by default opens nothing that begins with a dot and is not known [DIS-1]', async () => {
  const unknown = [
    '.tokens.yaml',
    '.terraform/m.json',
    '.config/gh/hosts.yml',
    '.pre-commit-config.yaml',
    '.cache/x.json',
    'web/.x.yml',
    '.vscode-x/x.yaml',
    'a/.b/c/d.json',
  ];
  const files = Object.fromEntries(['.github/workflows/ci.yml', ...unknown].map((name) => [name, 'a: 1\n']));
  const server = await startToolServer({ files });
  onTestFinished(() => server.close());
  const { data } = await server.ok('config_list');
  expect(data['files']).toMatchObject([{ file: '.github/workflows/ci.yml' }]);
  const answers = await Promise.all(unknown.map((file) => server.callTool('config_get', { file })));
  const opened = unknown.filter((_, index) => answers[index]?.isError !== true);
  expect(escapesOf('defaults', unknown.length, opened)).toEqual([]);
});
