// Refuses names that hold secrets or code that somebody runs, in every spelling. Decides by the text
// alone, so the answer is the same whether the file exists or not. It does NOT look at contents: whoever
// can rename `.git` inside the root gets around any list of names.
import { foldComponent } from '../text/fold.ts';

const NAMES = [
  ...['.git', 'node_modules', '__pycache__', '.ssh', '.aws', '.gnupg', '.kube'],
  ...['.env', 'credentials.json', '.npmrc', '.netrc', '_netrc', '.pypirc', '.git-credentials'],
  // Who edits these chooses what an editor or an agent runs, config-airlock's own flags among it.
  ...['.mcp.json', '.vscode', '.cursor', '.claude', '.zed', '.docker', '.azure', '.gcloud'],
] as const;
const PREFIXES = ['.env.', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', '.config-airlock'] as const;
const SUFFIXES = ['.env', '.key', '.pem', '.p12', '.pfx', '.jks', '.kdbx'] as const;

/** The same as patterns for one component, for people to read. */
export const BUILT_IN_DENYLIST: readonly string[] = [
  ...NAMES,
  ...PREFIXES.map((prefix) => `${prefix}*`),
  ...SUFFIXES.map((suffix) => `*${suffix}`),
];

/** Whether any component, folded, is a name that no policy can allow. */
export function isOnDenylist(components: readonly string[]): boolean {
  return components.some((component) => {
    const name = foldComponent(component);
    return isDeniedName(name) || isShortNameOfDenied(name);
  });
}

function isDeniedName(name: string): boolean {
  return (
    NAMES.some((denied) => name === denied) ||
    PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    SUFFIXES.some((suffix) => name.endsWith(suffix))
  );
}

// NTFS answers to GIT~1 for .git, CREDEN~1.JSO for credentials.json and, after many collisions, to two
// letters and a hash (GI9F3A~1). Only aliases of denied names are refused: "x~1.yml" is a fine name.
const SHORT_NAME = /^([^.~]{1,6})~(\d{1,6})(?:\.[^.]{0,3})?$/u;
const HASHED_STEM = /^(..)[0-9a-f]{4}$/u;
const LONG_NAMES = [...NAMES, 'id_ed25519', 'id_ecdsa'] as const;

function isShortNameOfDenied(name: string): boolean {
  const [, stem, number] = SHORT_NAME.exec(name) ?? [];
  if (stem === undefined || number === undefined) return false;
  const hashed = HASHED_STEM.exec(stem)?.[1];
  return LONG_NAMES.some((denied) => {
    const long = denied.replace(/^\./u, '');
    // Eight characters in all: a longer number leaves less room for the name.
    return stem === long.slice(0, 7 - number.length) || (hashed !== undefined && long.startsWith(hashed));
  });
}
