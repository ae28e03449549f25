// Lists every option. The command line, the environment, the config file, --help, --print-config and the table of docs/options.md
// are derived from this list.
import { DEFAULT_ALLOW, FORMAT_NAMES } from '../../adapters/formats/extensions.ts';
import { LOG_LEVELS } from '../../security/audit/log.ts';
import { APPROVALS } from '../../security/policy/levels.ts';
import { DEFAULT_LIMITS } from '../../security/policy/policy.ts';
import { HTTP_OPTIONS } from './http-options.ts';
import { maskedPaths } from './masked-paths.ts';
import {
  BadValue,
  badValue,
  count,
  list,
  type Option,
  oneOf,
  path,
  sizeInBytes,
  text,
  texts,
  toggle,
} from './option.ts';
import { roots } from './roots.ts';
import { schemaBindings } from './schemas.ts';

/** Reads the address. A password in it is refused, because lists of processes, config files and --print-config show it. */
function readAddress(given: string): string {
  if (!/^postgres(?:ql)?:\/\//u.test(given))
    throw new BadValue('expected postgres://user@host:port/database');
  if (/^[^/]*\/\/[^@/?]*:[^@/?]*@/u.test(given) || /[?&]password=/u.test(given))
    throw new BadValue('leave the password out: put it into the file that PGPASSFILE names, with mode 0600');
  return given;
}

/** Reads `inventory/*=yaml`. */
function readFileFormat(given: string): { readonly files: string; readonly format: string } {
  const [, files, format] = /^(.+)=([a-z]+)$/su.exec(given) ?? [];
  if (files !== undefined && FORMAT_NAMES.some((name) => name === format) && format !== undefined)
    return { files, format };
  throw badValue(given, `expected GLOB=FORMAT, with one of ${FORMAT_NAMES.join(', ')}`);
}

/** The usual place, as it is shown in the help; --print-config shows the real one of this user. */
const STATE_DIR = '~/.local/state/config-airlock';

const access = {
  root: roots('root', 'directory to serve; several need names (name=DIR), files are then @name/file'),
  readOnly: toggle('read-only', 'refuse every write; a preview shows its diff, and nothing is kept'),
  allow: texts('allow', 'GLOB', 'files that the agent can see, relative to the root', DEFAULT_ALLOW),
  deny: texts('deny', 'GLOB', 'files and folders hidden from it, besides the built-in denylist'),
  allowEnv: toggle('allow-env', 'let --allow open .env, .env.* and *.env, which are denied otherwise'),
  fileFormat: list({
    ...{ name: 'file-format', argument: 'GLOB=FORMAT', default: [], read: readFileFormat },
    help: `formats of files whose names do not tell them, such as inventory/*=yaml: ${FORMAT_NAMES.join(', ')}`,
    write: ({ files, format }) => `${files}=${format}`,
  }),
  schema: schemaBindings('schema', 'files that must meet a JSON Schema: a write that breaks it is refused'),
  maskPath: maskedPaths('mask-path', 'nodes whose values are masked, besides what is found to be secret'),
  maskKey: texts('mask-key', 'PATTERN', 'keys whose values are masked, such as *_pin, whatever their case'),
  showPath: maskedPaths(
    'show-path',
    'nodes that are masked wrongly: shown, unless --mask-path or --mask-key names them',
  ),
  showKey: texts(
    'show-key',
    'PATTERN',
    'keys that are masked wrongly, such as *SecretRef: shown, tokens of known shapes excepted',
  ),
  noMask: toggle('no-mask', 'mask nothing: every value of an allowed file is shown'),
  approval: oneOf(
    'approval',
    "what a write needs: nothing (direct), a preview, a yes at the client too, or a reviewer's signature (human)",
    APPROVALS,
    'direct',
  ),
  policy: path(
    'policy',
    'FILE',
    'rules about changes: which need nothing, a preview or a person, and which are denied; --approval is the least',
  ),
  reviewers: path('reviewers', 'FILE', 'who may approve: lines of "name ed25519:KEY", for --approval human'),
  stateDir: path(
    'state-dir',
    'DIR',
    'where previews, the audit trail and the journal of writes are kept (honours XDG_STATE_HOME)',
    STATE_DIR,
  ),
  state: text(
    'state',
    'ADDRESS',
    'keep previews and the trail in a PostgreSQL database, for several machines: postgres://user@host/database',
    undefined,
    readAddress,
  ),
  verify: oneOf(
    'verify',
    'how a result is proven: fast reads it again by the same scan, full by a second parser',
    ['fast', 'full'],
    'fast',
  ),
  replies: oneOf(
    'replies',
    'what calls answer with: both text and structured content, or text only',
    ['both', 'text'],
    'both',
  ),
  allowBroadRoot: toggle('allow-broad-root', 'permit / or a home directory as a root'),
};

/** The options for limits, by the names that the policy has for them. */
export const LIMIT_OPTIONS = {
  fileSizeBytes: sizeInBytes('max-file-size', 'largest file that is read', DEFAULT_LIMITS.fileSizeBytes),
  parsedSizeBytes: sizeInBytes(
    'max-parsed-size',
    'largest file that is parsed',
    DEFAULT_LIMITS.parsedSizeBytes,
  ),
  depth: count('max-depth', 'deepest nesting in a file', DEFAULT_LIMITS.depth, 500),
  aliases: count('max-aliases', 'aliases in a file', DEFAULT_LIMITS.aliases, 1e6),
  tokens: count('max-tokens', 'tokens in a file', DEFAULT_LIMITS.tokens, 1e9),
  documents: count('max-documents', 'documents in a file', DEFAULT_LIMITS.documents, 1e6),
  parseMs: count('max-parse-ms', 'milliseconds for parsing a file', DEFAULT_LIMITS.parseMs, 60_000),
  stepMs: count(
    'max-step-ms',
    'milliseconds of computing for one step of a call: reading a file, or one edit',
    DEFAULT_LIMITS.stepMs,
    600_000,
  ),
  callMs: count(
    'max-call-ms',
    'milliseconds of computing for a whole call',
    DEFAULT_LIMITS.callMs,
    3_600_000,
  ),
  replyChars: count('max-reply-chars', 'characters in a reply', DEFAULT_LIMITS.replyChars, 10e6),
  listEntries: count('max-list-entries', 'directory entries looked at', DEFAULT_LIMITS.listEntries, 10e6),
  matches: count('max-matches', 'places that one call may edit by patterns', DEFAULT_LIMITS.matches, 100_000),
};

const log = {
  logLevel: oneOf('log-level', 'how much is logged', LOG_LEVELS, 'info'),
  logFormat: oneOf('log-format', 'JSON lines, or text for people', ['json', 'text'], 'json'),
  logFile: path('log-file', 'FILE', 'log to this file instead of stderr'),
};

const other = {
  config: path(
    'config',
    'FILE',
    'YAML or JSON file with these options as keys, without the dashes; its paths are relative to its folder',
  ),
};

export const OPTIONS = { ...access, ...LIMIT_OPTIONS, ...HTTP_OPTIONS, ...log, ...other };

export const OPTION_GROUPS: readonly {
  readonly title: string;
  readonly options: readonly Option<unknown>[];
}[] = [
  { title: 'Access', options: Object.values(access) },
  { title: 'Limits (all are upper bounds)', options: Object.values(LIMIT_OPTIONS) },
  { title: 'Over HTTP', options: Object.values(HTTP_OPTIONS) },
  { title: 'Log', options: Object.values(log) },
  { title: 'Other', options: Object.values(other) },
];

export const ALL_OPTIONS: readonly Option<unknown>[] = Object.values(OPTIONS);
