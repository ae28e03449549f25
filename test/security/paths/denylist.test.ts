// Which names are refused by the text alone, and that the list which people read says the same.
import picomatch from 'picomatch';
import { expect, it } from 'vitest';
import * as denylist from '../../../src/security/paths/denylist.ts';

// Written out again here, so that the list in the source is not its own judge.
const BELOW_CONFIG =
  'gh gcloud glab-cli hub op rclone helm git containers configstore ' +
  'zed goose opencode crush github-copilot claude amp autostart systemd';
const NAMES =
  '.git .ssh .npmrc .env .claude .env.local id_rsa id_ed25519.pub lefthook.yml .aider.conf.yml .config-airlock.lock ' +
  'opencode.json opencode.jsonc .opencode.json crush.json .crush.json firebender.json captainhook.json prek.toml ' +
  'simple-git-hooks.json grumphp.yml lefthook-local.yml .lintstagedrc.json .lintstagedrc.yaml ' +
  'lint-staged.config.json .claude.json .claude-plugin .overcommit.yml .github/hooks .kilocode .rovodev .openhands .agents ' +
  'qwen-extension.json devenv.yaml .devenv ' +
  'web.env tls.key a.pem b.kdbx mcp.json mcp.local.json mcp_x.json a.mcp.json a-mcp-b.json cline_mcp_settings.json';
const FINE =
  'mcp.json5 mcp.json.yaml amcp.json mcpa.json mcp env web.env.yaml keys.yaml git .config zed .config/other ' +
  '.config/gitx config/zed zed/.config .config/x/zed opencode.yaml claude.json lint-staged.yaml hooks github/hooks ' +
  '.github/workflows lefthook-x.yml';

function expectDenied(path: string, is: boolean): void {
  const components = path.split('/');
  const isDenied = denylist.isOnDenylist(components) || denylist.isEnvFile(components);
  expect([path, isDenied]).toEqual([path, is]);
  const listed = [...denylist.BUILT_IN_DENYLIST, ...denylist.ENV_FILES];
  const shown = listed.some((pattern) => picomatch.isMatch(path, pattern, { dot: true }));
  expect([path, shown]).toEqual([path, is]);
}

it('the built-in denylist refuses what it shows, in any case and at any depth, and nothing else [DIS-4]', () => {
  for (const path of [...NAMES.split(' '), ...BELOW_CONFIG.split(' ').map((folder) => `.config/${folder}`)]) {
    expectDenied(path, true);
    const inside = `a/${path.toUpperCase()}/b.yaml`.split('/');
    expect(denylist.isOnDenylist(inside) || denylist.isEnvFile(inside), path).toBe(true);
  }
  for (const path of FINE.split(' ')) expectDenied(path, false);
});

it('names of our own are denied, whatever they are for', () => {
  const names = [denylist.LOCK_NAME, denylist.breakerNameOf('0123456789abcdef'.repeat(2))];
  for (const name of [...names, denylist.tempNameOf('x', 0, 'new'), denylist.freshDraftName()])
    expectDenied(name, true);
  expect(denylist.tempNameOf('x', 0, 'new')).not.toBe(denylist.tempNameOf('x', 1, 'new'));
});
