// The options that only some commands have. They are given on the command line only, and not by a variable or a config file. None of
// them replaces a person's consent or gives a passphrase.
import { MAX_NOTE_CHARACTERS } from '../../security/approval/statement.ts';
import { CLIENTS } from '../clients/clients.ts';
import { BadValue, badValue, count, oneOf, path, single, text, toggle, wholeNumber } from './option.ts';

const DEFAULT_KEY_FILE = '~/.config/config-airlock/reviewer.key';

export const PRINT_CONFIG = toggle(
  'print-config',
  'print the effective settings and where each comes from, and exit',
);
export const JSON_OUTPUT = toggle('json', 'print JSON');
export const QUIET = toggle('quiet', 'print results and errors only, and log errors only');
export const VERBOSE = toggle('verbose', 'log everything, also what a command does');
/** The options that every command takes, and that no variable and no config file sets. */
export const EVERYWHERE = [QUIET, VERBOSE];
export const NO_COLOR = toggle('no-color', 'plain text; so does the variable NO_COLOR');
export const KEY = path('key', 'FILE', 'your reviewer key', DEFAULT_KEY_FILE);
export const WEB = toggle('web', 'as a page in a browser on this machine');
export const PORT = single<number | undefined>({
  name: 'port',
  argument: 'N',
  help: 'port of that page on 127.0.0.1',
  default: undefined,
  unset: 'any free port',
  // The low ports belong to services of the system.
  read: (given) => wholeNumber(given, 1024, 65_535),
});
export const NOTE = text(
  'note',
  'TEXT',
  `reason for the agent, at most ${MAX_NOTE_CHARACTERS} characters`,
  undefined,
  readNote,
);
export const DOC = single<unknown>({
  name: 'doc',
  argument: 'DOC',
  help: 'document: an index, or a matcher such as {"kind":"Deployment"}',
  default: undefined,
  unset: 'the only one',
  read: readDoc,
});
export const EXIT_CODE = toggle('exit-code', 'end with 1 if something would change, as git diff does');
export const OP = oneOf(
  'op',
  'what is to be done at the path: set, append, rename and comment need a value',
  ['set', 'append', 'delete', 'rename', 'comment'],
  'set',
);

const CLIENT_NAMES = CLIENTS.map(({ name }) => name);
export const CLIENT = text(
  'client',
  CLIENT_NAMES.join('|'),
  'the MCP client that is to start the server',
  undefined,
  readClient,
);

export const GUARD = toggle(
  'guard',
  "print the settings by which the client's own tools leave these files alone",
);

export const BEFORE = time('before', 'only what is older than this', 'now');

export const SINCE = time('since', 'only what was applied at this time or later', 'from the first');
export const FILE = text('file', 'PATH', 'only what changed this file, or a file in this folder', 'all');

/** The programs of `watch`, by the kind of the event. */
export const ON_EVENT = {
  pending: program('on-pending', 'a preview waits for a reviewer'),
  applied: program('on-applied', 'a change was applied'),
  rejected: program('on-rejected', 'a reviewer has rejected a preview'),
  expired: program('on-expired', 'a preview has expired that waited for a reviewer'),
};
export const WITH_DIFF = toggle(
  'with-diff',
  'tell the programs the diff as well, which shows contents of files',
);
export const TIME_LIMIT = count('time-limit', 'seconds for one program, which is then killed', 60, 3_600);
export const ONCE = toggle('once', 'tell of what has happened until now, and end');
export const LIST = toggle('list', 'list the events whose program has not ended, and run nothing');
export const CHECK_FORMAT = oneOf(
  'format',
  'as text, as annotations of GitHub Actions, or as SARIF 2.1.0 for code scanning',
  ['text', 'github', 'sarif'],
  'text',
);
export const FORMAT = oneOf(
  'format',
  'as text for people, or as mails for "git am"',
  ['text', 'mbox'],
  'text',
);

function program(name: string, when: string) {
  return text(name, 'PROGRAM', `the absolute path of a program to run when ${when}`);
}

export const RULE = text('rule', 'ID', 'only what this rule has sent to a reviewer', 'all');
export const CALLER = text(
  'caller',
  'NAME',
  'only what was requested by a name, or a principal, with this in it',
  'all',
);

function time(name: string, help: string, unset: string) {
  return single<Date | undefined>({
    ...{ name, argument: 'TIME', default: undefined, unset, read: readTime },
    help: `${help}, such as 2026-01-31 or 2026-01-31T12:00:00Z`,
    write: (given) => given?.toISOString() ?? '',
  });
}

function readTime(given: string): Date {
  const found = new Date(given);
  if (/^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/u.test(given) && !Number.isNaN(found.getTime())) return found;
  throw badValue(given, 'expected a day or a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z');
}

function readClient(given: string): string {
  if (CLIENT_NAMES.includes(given)) return given;
  throw badValue(given, `expected ${CLIENT_NAMES.join(' or ')}`);
}

function readNote(given: string): string {
  if (given.length <= MAX_NOTE_CHARACTERS) return given;
  throw new BadValue(`expected at most ${MAX_NOTE_CHARACTERS} characters, got ${given.length}`);
}

/** Parses the document; the tool refuses what is neither an index nor a matcher. */
function readDoc(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw badValue(given, 'expected an index, or a matcher such as {"kind":"Deployment"}');
  }
}
