// Holds the patterns of tokens that are recognised by their form alone, and of password hashes.

/** Matches tokens of known services. Each begins with its own letters, and ends at the latest at a blank or a quote. */
export const TOKEN_SHAPES = new RegExp(
  [
    'gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|gl(?:pat|dt|rt|ptt|cbt|soat|agent|ft|imt)-[\\w-]{20,255}',
    'xox[abeoprs](?:\\.xox[bp])?-[\\w-]{10,255}|xapp-[\\w-]{10,255}|hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/-]{10,255}',
    'discord(?:app)?\\.com/api/webhooks/[\\w/-]{20,255}|\\.webhook\\.office\\.com/webhookb2/[\\w@/.-]{20,512}',
    // It must not be within a word (`azuredisk-provisioner`), but may follow the letter of an escape (`\nsk-…`).
    '(?<!(?<!\\\\)[A-Za-z0-9])sk-(?=[A-Za-z_-]{0,255}\\d)[A-Za-z0-9_-]{20,255}',
    '[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{20,255}',
    'A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16}|AIza[\\w-]{35}|ya29\\.[\\w-]{20,512}|GOCSPX-[\\w-]{20,255}',
    'npm_[A-Za-z0-9]{30,255}|pypi-[\\w-]{20,512}|do[opr]_v1_[a-f0-9]{64}|hv[sbr]\\.[\\w-]{20,512}|dckr_(?:pat|oat)_[\\w-]{20,255}',
    // Where several beginnings of a JWT are near each other, only the last is tried. Otherwise each of them would be
    // read for thousands of letters.
    'SG\\.[\\w-]{16,255}\\.[\\w-]{16,255}|AGE-SECRET-KEY-1[A-Z0-9]{40,255}|eyJ(?![\\w-]{0,60}eyJ[\\w-]{10})[\\w-]{10,4096}(?:\\.[\\w-]{1,8192}){1,2}',
    'glsa_\\w{20,255}|glc_[A-Za-z0-9+/=]{20,512}|hf_[A-Za-z0-9]{30,255}|lin_api_\\w{30,255}|NRAK-[A-Z0-9]{20,255}',
    'dp\\.(?:pt|st|ct|sa)\\.[\\w.-]{30,255}|ATATT3[\\w=-]{20,512}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|rubygems_[a-f0-9]{48}',
    'pul-[a-f0-9]{40}|\\.atlasv1\\.[\\w=-]{60,255}|tskey-[a-z]{1,20}-[\\w-]{15,255}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}',
    'dapi[a-f0-9]{32}(?:-\\d)?|dt0c01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}|sntrys_[\\w+/=-]{30,512}|pscale_(?:tkn|pw|oauth)_[\\w.=-]{30,255}',
    'sq0(?:atp|csp)-[\\w-]{22,255}|sbp_[a-f0-9]{40}|ntn_[A-Za-z0-9]{40,255}|figd_[\\w-]{30,255}|CCI(?:PAT|PRJ)_\\w{30,255}',
    // These are a Docker configuration and a private key in base64.
    'eyJhdXRocyI6[A-Za-z0-9+/=]{4,65536}',
    'LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFUR|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVE|BFTkNSWVBURUQgUFJJVkFUR|BEU0EgUFJJVkFUR|BQR1AgUFJJVkFUR)[A-Za-z0-9+/=]{4,65536}',
  ]
    .map((shapes) => `(?:${shapes})`)
    .join('|'),
  'gu',
);

/**
 * Matches hashes of `htpasswd` and `/etc/shadow`, with `$$` where Compose reads them. They are masked because a guess of the password
 * can be tested with them.
 */
export const PASSWORD_HASHES = /\$\$?(?:apr1|1|5|6|y|2[abxy]|argon2(?:id|i|d))\$\$?[\w./$=,+-]{20,512}/gu;

/** A slow pattern that is tried only on texts with these letters. */
interface Rare {
  readonly letters: string;
  readonly pattern: RegExp;
}

/** Matches `PASSWORD 'x'` and `IDENTIFIED BY 'x'` of SQL; quotes may be doubled in a text of YAML, and escaped in one of JSON. */
const SQL_PASSWORD =
  /(?<![\w$.-])(?:password|identified(?: {1,4}with {1,4}["'`]?\w{1,60}["'`]?)? {1,4}(?:by|as)(?: {1,4}password)?)(?: {1,4}| ?= ?(?=[EN]'))[EN]?(?:''((?:[^'\n]|''''){1,4096})''|'((?:[^'\n]|''|(?<=\\)'){1,4096})'|(?<=(?:by|as) {1,4})\\?"([^"\\\n]{1,4096})\\?")/gi;

/** Match `https://<token>@host`, `root:x@tcp(db)` of Go, `jdbc:oracle:thin:scott/x@db`, `token x`, passwords in an ACL of Redis, and keys of Telegram, Azure and AWS. */
export const RARE_SHAPES: readonly Rare[] = [
  { letters: '@', pattern: /:\/\/((?=[A-Za-z_-]{0,100}\d)[\w-]{20,255})@/gu },
  { letters: '@tcp(', pattern: /[\w-]{1,60}:([^\s"'@:/]{1,255})@tcp\(/gu },
  { letters: '@unix(', pattern: /[\w-]{1,60}:([^\s"'@:/]{1,255})@unix\(/gu },
  { letters: 'jdbc:oracle:', pattern: /jdbc:oracle:\w{1,10}:[^\s/@"']{1,60}\/([^\s@"']{1,255})@/gu },
  { letters: 'oken ', pattern: /oken {1,4}((?=[\w-]{0,100}\d)[\w.~+/=-]{20,4096})/gu },
  { letters: ':AA', pattern: /\d{8,10}:AA[\w-]{33}/gu },
  { letters: 'Q~', pattern: /[\w~.]{3}\dQ~[\w~.-]{31,34}/gu },
  {
    letters: ' >',
    pattern:
      /^[ \t]*(?:ACL SETUSER|user)[ \t](?=[^\n]{0,400}[ \t](?:(?:on|off|all\w{4,20})(?!\S)|[~&%]\S|[+-]@))[^\n>]{1,200}[ \t]>(\S{1,255})/gmu,
  },
  ...['dentified ', 'DENTIFIED ', 'assword ', 'ASSWORD '].map((letters) => ({
    letters,
    pattern: SQL_PASSWORD,
  })),
  { letters: 'sig=', pattern: /[?&]sig=([\w%+/=-]{20,255})/gu },
  { letters: 'X-Amz-Signature=', pattern: /X-Amz-Signature=([\w%+/=-]{20,255})/gu },
];

/** Matches credentials of HTTP headers. The flag `u` would take ten times as long. */
export const CREDENTIALS = /\b(?:bearer|basic) {1,4}([\w.~+/=-]{8,4096})/gi;
