// Refuses names that hold secrets or code that somebody runs, in every spelling. Decides by the text
// alone, so the answer is the same whether the file exists or not. It does NOT look at contents: whoever
// can rename `.git` inside the root gets around any list of names. It hides config-airlock's own files too, whose names
// are made here; a name proves nothing about who made the file.

import { randomHex, sha256Hex } from '../../state/index.ts';
import { foldComponent } from '../text/fold.ts';

const NAMES = namesOf(
  '.git .hg .svn node_modules __pycache__',
  // Credentials, and what holds them.
  '.ssh .gnupg .aws .azure .gcloud .oci .kube .docker .terraform.d .composer .env credentials.json',
  'credentials.toml secrets.toml auth.json .npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc',
  '.git-credentials .dockercfg .dockerconfigjson .pgpass .my.cnf .vault-token .htpasswd',
  // Who edits these chooses what an editor, an agent or a hook runs, config-airlock's own flags among it.
  '.vscode .idea .fleet .zed .devcontainer .devcontainer.json .husky .claude .cursor .codex .gemini',
  '.kiro .roo .cline .windsurf .codeium .amazonq .continue .copilot .opencode .goose .junie .trae',
  '.augment .factory .qwen .amp .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml',
  'claude_desktop_config.json opencode.json opencode.jsonc .opencode.json .opencode.jsonc crush.json',
  '.crush.json firebender.json simple-git-hooks.json .simple-git-hooks.json captainhook.json prek.toml',
  'grumphp.yml grumphp.yaml .overcommit.yml gemini-extension.json qwen-extension.json .kilocode',
  '.rovodev .openhands .agents',
  // What a shell runs that enters the folder.
  '.envrc mise.toml .mise.toml .mise devbox.json .devbox devenv.yaml .devenv',
);
const PREFIXES = namesOf(
  '.env. id_rsa id_dsa id_ecdsa id_ed25519 .aider lefthook. .lefthook lefthook-local. .lintstagedrc',
  'lint-staged.config. .claude. .claude- mise. .mise. .config-airlock',
);
const SUFFIXES = namesOf('.env .key .pem .p12 .pfx .jks .kdbx');
/** The servers that an agent starts, whatever its maker calls the file: mcp.json, cline_mcp_settings.json. */
const MCP_SERVERS = /(?:^|[._-])mcp(?:[._-].*)?\.json$/u;
/** Below `.config`, where programs of today keep what stood in folders of their own; and what GitHub's agent runs. */
const FOLDERS: readonly string[] = [
  ...namesOf(
    'gh gcloud glab-cli hub op rclone helm git containers configstore zed goose opencode crush',
    'github-copilot claude amp autostart systemd mise mise.toml',
  ).map((folder) => `.config/${folder}`),
  '.github/hooks',
  'hooks/hooks.json',
  'mise/config.toml',
];

/** The same as patterns for one component, for people to read. */
export const BUILT_IN_DENYLIST: readonly string[] = [
  ...NAMES,
  ...PREFIXES.map((prefix) => `${prefix}*`),
  ...SUFFIXES.map((suffix) => `*${suffix}`),
  ...['mcp.json', 'mcp[._-]*.json', '*[._-]mcp.json', '*[._-]mcp[._-]*.json'],
  ...FOLDERS,
];

/** Whether any component, folded, is a name that no policy can allow. */
export function isOnDenylist(components: readonly string[]): boolean {
  const names = components.map(foldComponent);
  return names.some(
    (name, index) =>
      isDeniedName(name) || isShortNameOfDenied(name) || FOLDERS.includes(`${names[index - 1]}/${name}`),
  );
}

function isDeniedName(name: string): boolean {
  return (
    NAMES.includes(name) ||
    PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    SUFFIXES.some((suffix) => name.endsWith(suffix)) ||
    MCP_SERVERS.test(name)
  );
}

// NTFS answers to GIT~1 for .git, CREDEN~1.JSO for credentials.json and, after many collisions, to two
// letters and a hash (GI9F3A~1). Only aliases of denied names are refused: "x~1.yml" is a fine name.
const SHORT_NAME = /^([^.~]{1,6})~(\d{1,6})(?:\.[^.]{0,3})?$/u;
const HASHED_STEM = /^(..)[0-9a-f]{4}$/u;
const LONG_NAMES = [...NAMES, 'id_ed25519', 'id_ecdsa'];

function isShortNameOfDenied(name: string): boolean {
  const [, stem, number] = SHORT_NAME.exec(name) ?? [];
  if (stem === undefined || number === undefined) return false;
  const hashed = HASHED_STEM.exec(stem)?.[1];
  return LONG_NAMES.some((denied) => {
    const long = denied.replace(/^\.|(?<=.)\.[^.]*$/gu, '');
    // Eight characters in all: a longer number leaves less room for the name.
    return stem === long.slice(0, 7 - number.length) || (hashed !== undefined && long.startsWith(hashed));
  });
}

function namesOf(...lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(' '));
}

/** All names of our own files start with `.config-airlock`, which the list above hides from every request. */
export const LOCK_NAME = '.config-airlock.lock';

/**
 * For the contents of a file, beside the file itself: known to whoever knows the change, whose id nobody can guess. `use`:
 * what is written there.
 */
export function tempNameOf(changeId: string, index: number, use: 'new' | 'old'): string {
  return `.config-airlock-${sha256Hex(`${changeId}/${index}`).slice(0, 24)}.${use}`;
}

/** For a text of our own that is being written and not yet in force. */
export function freshDraftName(): string {
  return `.config-airlock-${randomHex(12)}.draft`;
}

/** The right to break the lock that carries this nonce: there is one name, so one process can have it. */
export function breakerNameOf(nonce: string): string {
  return `${LOCK_NAME}.${nonce}`;
}
