// Options that only some commands have. They come from the command line alone; no variable and no config file sets them. None
// of them replaces a person's consent or carries a passphrase.
import { MAX_NOTE_CHARACTERS } from '../../security/index.ts';
import { CLIENTS } from '../clients/clients.ts';
import { BadValue, bad, oneOf, path, single, toggle, wholeNumber } from './option.ts';

const USUAL_KEY_FILE = '~/.config/config-airlock/reviewer.key';

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
export const KEY = path('key', 'FILE', 'your reviewer key', USUAL_KEY_FILE);
export const WEB = toggle('web', 'as a page in a browser on this machine');
export const PORT = single<number | undefined>({
  name: 'port',
  argument: 'N',
  help: 'port of that page on 127.0.0.1',
  default: undefined,
  unset: 'any free port',
  // The low ports belong to services of the system.
  read: (text) => wholeNumber(text, 1024, 65_535),
});
export const NOTE = single<string | undefined>({
  name: 'note',
  argument: 'TEXT',
  help: `reason for the agent, at most ${MAX_NOTE_CHARACTERS} characters`,
  default: undefined,
  read: readNote,
});
export const DOC = single<unknown>({
  name: 'doc',
  argument: 'DOC',
  help: 'document: an index, or a matcher such as {"kind":"Deployment"}',
  default: undefined,
  unset: 'the only one',
  read: readDoc,
});
export const OP = oneOf(
  'op',
  'what is to be done at the path: set, append, rename and comment need a value',
  ['set', 'append', 'delete', 'rename', 'comment'],
  'set',
);

export const CLIENT = single<string | undefined>({
  name: 'client',
  argument: CLIENTS.map(({ name }) => name).join('|'),
  help: 'the MCP client that is to start the server',
  default: undefined,
  read: readClient,
});

export const FROM = single<string | undefined>({
  name: 'from',
  argument: 'PLACE',
  help: 'the state that is copied: a state directory, or postgres://user@host/database',
  default: undefined,
  unset: 'that of --state-dir or --state',
  read: (text) => text,
});
export const TO = single<string | undefined>({
  name: 'to',
  argument: 'PLACE',
  help: 'where it is copied to; nothing may be kept there yet',
  default: undefined,
  read: (text) => text,
});
export const BEFORE = single<Date | undefined>({
  name: 'before',
  argument: 'TIME',
  help: 'only what is older than this, such as 2026-01-31 or 2026-01-31T12:00:00Z',
  default: undefined,
  unset: 'now',
  read: readTime,
  write: (time) => time?.toISOString() ?? '',
});

export const SINCE = single<Date | undefined>({
  name: 'since',
  argument: 'TIME',
  help: 'only what was applied at this time or later, such as 2026-01-31 or 2026-01-31T12:00:00Z',
  default: undefined,
  unset: 'from the first',
  read: readTime,
  write: (time) => time?.toISOString() ?? '',
});
export const FILE = single<string | undefined>({
  name: 'file',
  argument: 'PATH',
  help: 'only what changed this file, or a file in this folder',
  default: undefined,
  unset: 'all',
  read: (text) => text,
});

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
export const TIME_LIMIT = single<number>({
  name: 'time-limit',
  argument: 'SECONDS',
  help: 'time for one program, which is then killed',
  default: 60,
  read: (text) => wholeNumber(text, 1, 3_600),
});
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
  return single<string | undefined>({
    name,
    argument: 'PROGRAM',
    help: `the absolute path of a program to run when ${when}`,
    default: undefined,
    read: (text) => text,
  });
}

export const RULE = narrowing('rule', 'ID', 'only what this rule has sent to a reviewer');
export const CALLER = narrowing(
  'caller',
  'NAME',
  'only what was requested by a name, or a principal, with this in it',
);

function narrowing(name: string, argument: string, help: string) {
  const read = (text: string) => text;
  return single<string | undefined>({ name, argument, help, default: undefined, unset: 'all', read });
}

function readTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/u.test(text) && !Number.isNaN(time.getTime())) return time;
  throw bad(text, 'expected a day or a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z');
}

function readClient(text: string): string {
  if (CLIENTS.some(({ name }) => name === text)) return text;
  throw bad(text, `expected ${CLIENTS.map(({ name }) => name).join(' or ')}`);
}

function readNote(text: string): string {
  if (text.length <= MAX_NOTE_CHARACTERS) return text;
  throw new BadValue(`expected at most ${MAX_NOTE_CHARACTERS} characters, got ${text.length}`);
}

/** Parses the document; the tool refuses what is neither an index nor a matcher. */
function readDoc(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bad(text, 'expected an index, or a matcher such as {"kind":"Deployment"}');
  }
}
