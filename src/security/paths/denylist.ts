// Refuses names that hold secrets, or code that somebody runs, in every spelling. It decides by the text alone, so the answer
// is the same whether the file exists or not. It does not look at contents: whoever can rename `.git` inside the root gets
// around any list of names. It hides config-airlock's own files too, whose names are made here; a name proves nothing about who
// made the file.

import { randomHex, sha256Hex } from '../../state/canonical.ts';
import { foldComponent } from '../text/look-alikes.ts';

const NAMES = namesOf(
  '.git .hg .svn node_modules __pycache__',
  // These hold credentials.
  '.ssh .gnupg .aws .azure .gcloud .oci .kube .docker .terraform.d .composer credentials.json',
  'credentials.toml secrets.toml auth.json .npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc',
  '.git-credentials .dockercfg .dockerconfigjson .pgpass .my.cnf .vault-token .htpasswd',
  // Editors, agents and hooks run commands that these files name, among them config-airlock with its flags.
  '.vscode .idea .fleet .zed .devcontainer .devcontainer.json .husky .claude .cursor .codex .gemini',
  '.kiro .roo .cline .windsurf .codeium .amazonq .continue .copilot .opencode .goose .junie .trae',
  '.augment .factory .qwen .amp .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml',
  'claude_desktop_config.json opencode.json opencode.jsonc .opencode.json .opencode.jsonc crush.json',
  '.crush.json firebender.json simple-git-hooks.json .simple-git-hooks.json captainhook.json prek.toml',
  'grumphp.yml grumphp.yaml .overcommit.yml gemini-extension.json qwen-extension.json .kilocode',
  '.rovodev .openhands .agents',
  // A shell runs these when it enters the folder.
  '.envrc mise.toml .mise.toml .mise devbox.json .devbox devenv.yaml .devenv',
);
const PREFIXES = namesOf(
  'id_rsa id_dsa id_ecdsa id_ed25519 .aider lefthook. .lefthook lefthook-local. .lintstagedrc',
  'lint-staged.config. .claude. .claude- mise. .mise. .config-airlock',
);
const SUFFIXES = namesOf('.key .pem .p12 .pfx .jks .kdbx');
/** Lists of the servers that an agent starts, whatever its maker calls the file: mcp.json, cline_mcp_settings.json. */
const MCP_SERVERS = /(?:^|[._-])mcp(?:[._-].*)?\.json$/u;
/** Folders and files in certain places only: programs keep their credentials in `.config`, and GitHub's agent runs hooks. */
const FOLDERS: ReadonlySet<string> = new Set([
  ...namesOf(
    'gh gcloud glab-cli hub op rclone helm git containers configstore zed goose opencode crush',
    'github-copilot claude amp autostart systemd mise mise.toml',
  ).map((folder) => `.config/${folder}`),
  '.github/hooks',
  'hooks/hooks.json',
  'mise/config.toml',
]);
const NAME_SET: ReadonlySet<string> = new Set(NAMES);

/** The files of environment variables, which hold credentials; the operator can open them with `--allow-env`. */
export const ENV_FILES: readonly string[] = ['.env', '.env.*', '*.env'];

/** Both lists as patterns for one component, for people to read. */
export const BUILT_IN_DENYLIST: readonly string[] = [
  ...NAMES,
  ...PREFIXES.map((prefix) => `${prefix}*`),
  ...SUFFIXES.map((suffix) => `*${suffix}`),
  ...['mcp.json', 'mcp[._-]*.json', '*[._-]mcp.json', '*[._-]mcp[._-]*.json'],
  ...FOLDERS,
  ...ENV_FILES,
];

/** True if any component, folded, is a name that no policy can allow. The first `known` are known not to be. */
export function isOnDenylist(components: readonly string[], known = 0): boolean {
  for (let index = known; index < components.length; index++) {
    const name = foldComponent(components[index] ?? '');
    if (isDeniedName(name) || isShortNameOf(name, LONG_NAMES)) return true;
    if (FOLDERS.has(`${foldComponent(components[index - 1] ?? '')}/${name}`)) return true;
  }
  return false;
}

/** True if any component, folded, is a name of `ENV_FILES`. The first `known` are known not to be. */
export function isEnvFile(components: readonly string[], known = 0): boolean {
  return components.slice(known).some((component) => {
    const name = foldComponent(component);
    const isNamed = name === '.env' || name.startsWith('.env.') || name.endsWith('.env');
    return isNamed || isShortNameOf(name, ['.env']);
  });
}

function isDeniedName(name: string): boolean {
  return (
    NAME_SET.has(name) ||
    PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    SUFFIXES.some((suffix) => name.endsWith(suffix)) ||
    MCP_SERVERS.test(name)
  );
}

// NTFS also accepts GIT~1 for .git, CREDEN~1.JSO for credentials.json and, after many collisions, two letters and a hash
// (GI9F3A~1). Only aliases of denied names are refused: "x~1.yml" is allowed.
const SHORT_NAME = /^([^.~]{1,6})~(\d{1,6})(?:\.[^.]{0,3})?$/u;
const HASHED_STEM = /^(..)[0-9a-f]{4}$/u;
const LONG_NAMES = [...NAMES, 'id_ed25519', 'id_ecdsa'];

function isShortNameOf(name: string, longNames: readonly string[]): boolean {
  const [, stem, number] = SHORT_NAME.exec(name) ?? [];
  if (stem === undefined || number === undefined) return false;
  const hashed = HASHED_STEM.exec(stem)?.[1];
  return longNames.some((denied) => {
    const long = denied.replace(/^\.|(?<=.)\.[^.]*$/gu, '');
    // The alias has eight characters in all, so a longer number leaves fewer for the name.
    return stem === long.slice(0, 7 - number.length) || (hashed !== undefined && long.startsWith(hashed));
  });
}

function namesOf(...lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(' '));
}

/** All names of our own files start with `.config-airlock`, which the list above hides from every request. */
export const LOCK_NAME = '.config-airlock.lock';

/**
 * The name of a temporary file beside the file that is written. Only who knows the key of the write in the journal can guess it. `use`
 * says whether the new or the old contents are written there.
 */
export function tempNameOf(key: string, index: number, use: 'new' | 'old'): string {
  return `.config-airlock-${sha256Hex(`${key}/${index}`).slice(0, 24)}.${use}`;
}

/** The name for a text of our own that is still being written. */
export function freshDraftName(): string {
  return `.config-airlock-${randomHex(12)}.draft`;
}

/** The name of the file whose maker may break the lock with this nonce; only one process can create it. */
export function breakerNameOf(nonce: string): string {
  return `${LOCK_NAME}.${nonce}`;
}
