// Finding 15.8: what is denied and allowed where the operator says nothing.
import { describe, expect, it, onTestFinished } from 'vitest';
import { BUILT_IN_DENYLIST, isEnvFile, isOnDenylist } from '../../src/security/paths/denylist.ts';
import { escapesOf } from '../harness/figures.ts';
import { startToolServer } from '../harness/tool-server.ts';
import { CONTAINMENTS, codeOf, place, refusalOf } from './fixture.ts';

interface Row {
  readonly id: string;
  readonly input: string;
  readonly why: string;
}

const rowsOf = (id: string, why: string, ...lists: readonly string[]): readonly Row[] =>
  lists.flatMap((list) => list.split(' ')).map((input) => ({ id, input, why }));

const DENIED: readonly Row[] = [
  { id: 'DENY-001', input: '.git/c.yaml', why: 'a hook or a remote would be code or a leak' },
  { id: 'DENY-002', input: '.GIT/c.yaml', why: 'case-insensitive file systems (CVE-2025-59944)' },
  { id: 'DENY-003', input: '.git./c.yaml', why: 'NTFS strips trailing dots' },
  { id: 'DENY-003', input: '.git /c.yaml', why: 'NTFS strips trailing spaces' },
  { id: 'DENY-004', input: '.git::$INDEX_ALLOCATION/c.yaml', why: 'an NTFS stream of the folder' },
  { id: 'DENY-004', input: '.env::$DATA', why: 'the default stream' },
  { id: 'DENY-005', input: '.g\u200cit/c.yaml', why: 'HFS+ ignores it (CVE-2014-9390)' },
  { id: 'DENY-005', input: '.\u200dgit/c.yaml', why: 'HFS+ ignores it' },
  { id: 'DENY-006', input: '.\uff47\uff49\uff54/c.yaml', why: 'full-width letters fold to .git' },
  { id: 'DENY-006', input: '\uff0egit/c.yaml', why: 'a full-width dot folds too' },
  { id: 'DENY-006', input: '.\u017f\u017fh/c.yaml', why: 'a long s is an s' },
  { id: 'DENY-006', input: '.\u212aube/c.yaml', why: 'the Kelvin sign is a k' },
  { id: 'DENY-006', input: '.g\u0130t/c.yaml', why: 'a dotted capital I is an i' },
  { id: 'DENY-006', input: '.g\u0131t/c.yaml', why: 'a dotless i upper-cases to I' },
  { id: 'DENY-006', input: '.\u00dfh/c.yaml', why: 'a sharp s folds to ss' },
  { id: 'DENY-011', input: '.env', why: 'secrets' },
  { id: 'DENY-011', input: '.env.local', why: 'secrets' },
  { id: 'DENY-011', input: '.env.yaml', why: 'secrets, though the allowlist would match' },
  { id: 'DENY-011', input: 'prod.env', why: 'secrets' },
  ...rowsOf(
    'DENY-012',
    'a key',
    'id_rsa id_ed25519 id_rsa.yaml x.pem x.key X.PEM x.pem. x.p12 x.pfx x.jks x.kdbx',
  ),
  { id: 'DENY-017', input: 'x/.git', why: 'in a submodule .git is a file' },
  ...rowsOf(
    'design',
    'a folder on the list, at any depth',
    'a/node_modules/c.yaml a/__pycache__/c.yaml a/.ssh/c.yaml a/.aws/c.yaml a/.gnupg/c.yaml',
    'a/.kube/c.yaml',
  ),
  ...rowsOf(
    'design',
    'credentials',
    'credentials.json .npmrc .netrc .pypirc .git-credentials .config/gh/hosts.yml .config/gcloud/x.json',
    '.config/rclone/x.yaml a/.CONFIG/GH/hosts.yml .composer/auth.json auth.json .yarnrc.yml .oci/x.json',
    '.docker/config.json .dockerconfigjson .terraform.d/credentials.tfrc.json',
  ),
  ...rowsOf(
    'design',
    'what an editor or an agent runs',
    '.devcontainer/devcontainer.json .gemini/settings.json .kiro/x.json .roo/mcp.json',
    '.windsurf/x.json .amazonq/mcp.json .continue/config.yaml .codex/x.json .aider.conf.yml',
    '.idea/x.json',
  ),
  ...rowsOf(
    'design',
    'the servers that an agent starts',
    'mcp.json x/MCP.json .mcp.json mcp_config.json mcp-servers.json cline_mcp_settings.json my.mcp.json',
    'claude_desktop_config.json opencode.json x/Crush.json',
  ),
  ...rowsOf(
    'design',
    'what a hook runs',
    '.pre-commit-config.yaml lefthook.yml lefthook-local.yml .lefthook.yaml .husky/x.json',
    'x/.lintstagedrc.json simple-git-hooks.json .github/hooks/x.json',
  ),
  { id: 'design', input: '.config-airlock.lock', why: "config-airlock's own" },
  { id: 'design', input: '.config-airlock/state.yaml', why: "config-airlock's own" },
  { id: 'PATH-012', input: 'GIT~1/c.yaml', why: 'the NTFS short name of .git' },
  { id: 'PATH-012', input: 'git~12/c.yaml', why: 'another short name of .git' },
  { id: 'PATH-012', input: 'NODE_M~1/c.yaml', why: 'the short name of node_modules' },
  { id: 'PATH-012', input: 'NODE_~10/c.yaml', why: 'a longer number, a shorter name' },
  { id: 'PATH-012', input: 'GI9F3A~1/c.yaml', why: 'the hashed short name of .git' },
  { id: 'PATH-012', input: 'CREDEN~1.JSO', why: 'the short name of credentials.json' },
  { id: 'PATH-012', input: 'ENV~1', why: 'the short name of .env' },
  { id: 'PATH-012', input: 'ENV~1.LOC', why: 'the short name of .env.local' },
];

const FINE: readonly Row[] = [
  { id: 'DENY-018', input: '.github/workflows/ci.yml', why: 'components are compared whole' },
  { id: 'false positive', input: 'environment.yaml', why: 'only starts like .env' },
  { id: 'false positive', input: 'key.yaml', why: 'the extension is yaml' },
  { id: 'false positive', input: '.envoy.yaml', why: 'only starts like .env' },
  { id: 'false positive', input: 'git/c.yaml', why: 'no dot' },
  { id: 'false positive', input: '.config/app.yaml', why: 'no folder of a program that is known' },
  { id: 'false positive', input: 'gh/hosts.yml', why: 'not below .config' },
  { id: 'false positive', input: 'mcpherson.json', why: 'only begins like mcp' },
  { id: 'false positive', input: 'mcp.yaml', why: 'no client reads its servers from YAML' },
  {
    id: 'false positive',
    input: 'legit.git/c.yaml',
    why: 'a bare repository is called so, and the name is not .git',
  },
  { id: 'false positive', input: 'aws/kube/ssh.yaml', why: 'no dots' },
  { id: 'false positive', input: 'credentials.yaml', why: 'only credentials.json is on the list' },
  { id: 'false positive', input: 'backup~1.yaml', why: 'a tilde is not a short name' },
  { id: 'false positive', input: 'x~1.yml', why: 'a short name of nothing denied' },
  { id: 'false positive', input: 'config~1.yml', why: 'a short name of nothing denied' },
  { id: 'false positive', input: 'ab12cd~1.yml', why: 'the hashed short name of nothing denied' },
  {
    id: 'false positive',
    input: 'my.git~1.yml',
    why: 'a short name has one dot, and it stands after the number',
  },
  { id: 'false positive', input: 'git~1.yaml', why: 'no short name has an extension of four letters' },
];

const isDenied = (components: readonly string[]) => isOnDenylist(components) || isEnvFile(components);

describe('the denylist', () => {
  it.each(DENIED)('$id denies $input: $why [DIS-1]', ({ input }) => {
    const { open } = place();
    const isRefused = isDenied(input.split('/')) && codeOf(() => open().parse(input)) === 'PATH_DENIED';
    expect(escapesOf('defaults', 1, isRefused ? [] : [input])).toEqual([]);
  });

  it.each(FINE)('$id lets $input through: $why', ({ input }) => {
    const { open, write } = place();
    write(`root/${input}`, 'a: 1\n');
    const sandbox = open();
    expect(sandbox.open(sandbox.parse(input)).read().text).toBe('a: 1\n');
  });

  it('is listed for people: every pattern denies what it stands for', () => {
    const shown = ['.git', '.kube', '_netrc', '.env.*', 'id_rsa*', '.config-airlock*', '*.env', '*.pem'];
    expect(BUILT_IN_DENYLIST).toEqual(expect.arrayContaining(shown));
    for (const pattern of BUILT_IN_DENYLIST) {
      const path = pattern.replaceAll('*', 'x').replaceAll('[._-]', '_').split('/');
      expect(isDenied(path), pattern).toBe(true);
    }
  });

  it('wins over any allowlist [DIS-1]', () => {
    const { open, write } = place();
    write('root/.git/c.yaml', 'a: 1\n');
    expect(codeOf(() => open('fd-walk', { allow: ['**', '.git/**'] }).parse('.git/c.yaml'))).toBe(
      'PATH_DENIED',
    );
  });

  it.each(CONTAINMENTS)('answers the same for what exists and what does not (%s) [DIS-3]', (containment) => {
    const { open, write } = place();
    write('root/there.txt', 'x');
    write('root/.env', 'x');
    const sandbox = open(containment, { deny: ['prod'] });
    write('root/prod/there.yaml', 'x');
    const answer = (file: string, name: RegExp) => {
      const refusal = refusalOf(() => sandbox.open(sandbox.parse(file)));
      return [
        refusal?.code,
        refusal?.message.replace(name, '…'),
        { ...refusal?.where, file: '' },
        refusal?.clues,
      ];
    };
    expect(answer('there.txt', /there/)).toEqual(answer('gone.txt', /gone/));
    expect(answer('prod/there.yaml', /there/)).toEqual(answer('prod/gone.yaml', /gone/));
    expect(answer('.env', /\.env/)).toEqual(answer('.env.x', /\.env\.x/));
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
