// Which names are refused by the text alone, and that the list which people read says the same.
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import {
  BUILT_IN_DENYLIST,
  breakerNameOf,
  isBreakerName,
  isOnDenylist,
} from '../../../src/security/paths/denylist.ts';

// Written out again here, so that the list in the source is not its own judge.
const BELOW_CONFIG = (
  'gh gcloud glab-cli hub op rclone helm git containers configstore ' +
  'zed goose opencode crush github-copilot claude amp autostart systemd'
).split(' ');
const NAMES = [
  ...['.git', '.ssh', '.npmrc', '.env', '.claude', '.env.local', 'id_rsa', 'id_ed25519.pub', 'lefthook.yml'],
  ...[
    '.aider.conf.yml',
    '.lefthook-local.yml',
    '.config-airlock.lock',
    'web.env',
    'tls.key',
    'a.pem',
    'b.kdbx',
  ],
  ...['mcp.json', 'mcp.local.json', 'mcp_x.json', 'mcp-x.json', 'a.mcp.json', 'a_mcp.json', 'a-mcp.json'],
  ...['a-mcp-b.json', 'cline_mcp_settings.json', 'a.mcp.b.json'],
];
const FINE = [
  ...[
    'mcp.json5',
    'mcp.json.yaml',
    'amcp.json',
    'mcpa.json',
    'mcp',
    'env',
    'web.env.yaml',
    'keys.yaml',
    'git',
  ],
  ...['.config', 'zed', '.config/other', '.config/gitx', 'config/zed', 'zed/.config', '.config/x/zed'],
];

describe('a path that the built-in denylist', () => {
  it.each([...NAMES, ...BELOW_CONFIG.map((folder) => `.config/${folder}`)])(
    'names, %s, is refused [DIS-4]',
    (path) => {
      expect(isOnDenylist(path.split('/'))).toBe(true);
      expect(isOnDenylist(`a/${path.toUpperCase()}/b.yaml`.split('/'))).toBe(true);
      expect(BUILT_IN_DENYLIST.some((pattern) => picomatch.isMatch(path, pattern, { dot: true }))).toBe(true);
    },
  );

  it.each(FINE)('does not name, %s, is let through', (path) => {
    expect(isOnDenylist(path.split('/'))).toBe(false);
    expect(BUILT_IN_DENYLIST.some((pattern) => picomatch.isMatch(path, pattern, { dot: true }))).toBe(false);
  });
});

it('the right to break a lock has one name for each nonce, and no longer and no shorter one', () => {
  const name = breakerNameOf('0123456789abcdef'.repeat(2));
  expect(isBreakerName(name)).toBe(true);
  for (const other of [`a${name}`, `${name}0`, name.slice(0, -1), `${name}\n`])
    expect(isBreakerName(other)).toBe(false);
});
