// Spellings of names that nobody may reach, made from the list of names itself: whatever a file system, an
// operating system or a program between them would take for the same name.
import { IGNORABLES } from './characters.ts';

/** Folders and files that the built-in list names, with what an agent would look for. */
export const DENIED_FILES: readonly string[] = (
  '.git/c.yaml x/.git/config.yaml node_modules/p/package.json __pycache__/c.json ' +
  '.ssh/config.yaml .aws/credentials.json .gnupg/c.yaml .kube/config.yaml .env x/.env ' +
  'credentials.json deploy/credentials.json .npmrc .netrc _netrc .pypirc .git-credentials ' +
  'id_rsa id_ed25519 gemini-extension.json qwen-extension.json devenv.yaml ' +
  'plugin/hooks/hooks.json .claude-plugin/plugin.json mise.toml .mise.toml ' +
  '.mise/config.toml mise/config.toml devbox.json .config-airlock.lock ' +
  '.config-airlock-policy.yaml'
).split(' ');

/** Names that start or end like a denied one; the middle is the author's choice. */
export const DENIED_PATTERNS: readonly string[] = (
  '.env.local mise.local.toml .env.yaml .env.production.json prod.env x.pem x.key ' +
  'tls.key/c.yaml x.p12 x.pfx x.jks x.kdbx id_rsa.yaml id_rsa_old.json id_ed25519.yaml ' +
  'id_ecdsa.yaml id_dsa.yaml'
).split(' ');

interface Spelling {
  readonly id: string;
  readonly why: string;
  readonly of: (file: string) => readonly string[];
}

/** In the first denied component, so that "x/.git/c.yaml" is respelled in the middle. */
function inName(file: string, change: (name: string) => string): string {
  const parts = file.split('/');
  const at = parts.findIndex((part) =>
    /^[._]|^id_|^credentials|^node_modules|\.(?:env|pem|key|p12|pfx|jks|kdbx)$/u.test(part),
  );
  return parts.map((part, i) => (i === at ? change(part) : part)).join('/');
}

const FULL_WIDTH_OFFSET = 0xfee0;
const fullWidth = (text: string): string =>
  text.replace(/[a-z]/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + FULL_WIDTH_OFFSET));
const mathBold = (text: string): string =>
  text.replace(/[a-z]/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 97 + 0x1d41a));
const everyOther = (text: string): string =>
  [...text].map((letter, i) => (i % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join('');
const afterFirst = (text: string, insert: string): string => `${text.slice(0, 2)}${insert}${text.slice(2)}`;

export const SPELLINGS: readonly Spelling[] = [
  { id: 'DENY-001', why: 'as it is', of: (file) => [file] },
  {
    id: 'DENY-002',
    why: 'in another case',
    of: (file) => [inName(file, (name) => name.toUpperCase()), inName(file, everyOther)],
  },
  {
    id: 'DENY-003',
    why: 'with dots and spaces behind it, which NTFS drops',
    of: (file) => ['.', ' ', '...', '. .', ' .'].map((end) => inName(file, (name) => `${name}${end}`)),
  },
  { id: 'DENY-003', why: 'with a space before it', of: (file) => [inName(file, (name) => ` ${name}`)] },
  {
    id: 'DENY-004',
    why: 'as a stream of NTFS',
    of: (file) =>
      ['::$DATA', '::$INDEX_ALLOCATION', ':$I30:$INDEX_ALLOCATION', ':x', ':'].map((end) =>
        inName(file, (name) => `${name}${end}`),
      ),
  },
  {
    id: 'DENY-005',
    why: 'with a character that HFS+ ignores',
    of: (file) =>
      ['\u200c', '\u200d', '\u200e', '\u202e', '\u2060', '\ufeff', '\u00ad', '\u{e0041}'].flatMap((c) => [
        inName(file, (name) => afterFirst(name, c)),
        inName(file, (name) => `${c}${name}`),
        inName(file, (name) => `${name}${c}`),
      ]),
  },
  {
    id: 'DENY-006',
    why: 'in compatibility letters',
    of: (file) => [
      inName(file, fullWidth),
      inName(file, mathBold),
      inName(file, (name) => fullWidth(name).toUpperCase()),
    ],
  },
  {
    id: 'DENY-006',
    why: 'with a full-width or one-dot leader for its dot',
    of: (file) =>
      file.includes('.') && inName(file, (name) => name.replace(/^\./u, '')) !== file
        ? ['\uff0e', '\u2024', '\ufe52'].map((dot) => inName(file, (name) => name.replace('.', dot)))
        : [],
  },
  {
    id: 'DENY-005',
    why: 'with a control character, which some programs drop',
    of: (file) => [inName(file, (name) => afterFirst(name, '\u0001')), inName(file, (name) => `${name}\n`)],
  },
  {
    id: 'DENY-002',
    why: 'with a letter whose lower case is an ASCII letter',
    of: (file) =>
      ['K:k', 'ſ:s', 'İ:i', 'ı:i'].flatMap((pair) => {
        const [odd = '', plain = ''] = pair.split(':');
        return file.includes(plain)
          ? [inName(file, (name) => name.replaceAll(plain, odd))].filter((text) => text !== file)
          : [];
      }),
  },
  { id: 'DENY-007', why: 'deeper down', of: (file) => [`a/b/${file}`, `a/${'c/'.repeat(20)}${file}`] },
];

/** Every ignorable character in one place of one name. */
export const IGNORED_IN_GIT: readonly string[] = IGNORABLES.map((character) => `.g${character}it/c.yaml`);

export const SHORT_NAMES: readonly string[] = (
  'GIT~1/config.yaml x/GIT~10/c.yaml GI7EB2~1/c.yaml NODE_M~1/p/package.json ' +
  'SSH~1/config.yaml AWS~1/c.yaml CREDEN~1.JSO AUTH~1.JSO ENV~1 KUBE~1/config.yaml ID_RSA~1 ' +
  '__PYCA~1/x.json'
).split(' ');

/** Look like a denied name to a careless check, and are none. */
export const FINE_FILES: readonly string[] = (
  '.github/workflows/ci.yml .gitlab-ci.yml git/c.yaml legit/c.yaml x.git/c.yaml ' +
  'node_modules_old/c.yaml environment.yaml env.yaml my.envelope.yaml keys.yaml key.yaml ' +
  'x.key.yaml x.pem.json credentials.yaml id.yaml aws/c.yaml x~1.yaml kube.config.json ' +
  '.editorconfig.yaml'
).split(' ');
