// The list of all commands, from which the command line, its help and the table of docs/options.md are made. The module of a
// command is loaded when it runs.
import { startThread } from '../../engine/start-thread.ts';
import {
  BEFORE,
  CALLER,
  CLIENT,
  DOC,
  EXIT_CODE,
  FILE,
  FORMAT,
  GUARD,
  JSON_OUTPUT,
  KEY,
  LIST,
  NO_COLOR,
  NOTE,
  ON_EVENT,
  ONCE,
  PORT,
  RULE,
  SINCE,
  TIME_LIMIT,
  WEB,
  WITH_DIFF,
} from '../settings/command-options.ts';
import { DAYS, SCOPE } from '../settings/http-options.ts';
import { LIMIT_OPTIONS } from '../settings/options.ts';
import type { Command } from './command.ts';
import { POLICY_COMMANDS } from './policy-commands.ts';

export type { Command } from './command.ts';

const IDS = `A preview_id is what a preview answered; "config-airlock review" lists the pending ones.
An applied preview is a change with a change_id; "config-airlock history" lists them.`;

const TERMINAL = `Needs a real terminal on stdin and stdout: no flag and no variable stands in for a person. That
keeps out whoever can only call tools or run pipes. It does NOT keep out an agent that has a shell
as the same user: it can make a terminal. What does is a passphrase that it does not know.`;

const SIGNATURE = `What counts is a signature by a key in the file that the server was given with --reviewers. Give
the same options as to the server, or the same --config: a preview is valid under its own options only.`;

export const SERVE: Command = {
  name: 'serve',
  args: '',
  summary: 'serve an MCP client over stdin and stdout (default), or many over HTTP',
  details: `With --http HOST:PORT it serves Streamable HTTP to whoever has a token: --http-tokens FILE, or those of
an issuer with --oidc-issuer. Beyond loopback it needs --tls-cert and --tls-key, or --behind-proxy.
SIGHUP has tokens and certificate read again; SIGTERM ends it once the calls under way are answered.

Exit codes: see config-airlock --help.`,
  options: [],
  run: async (context) => {
    const thread = startThread({ parsedSizeBytes: context.settings.of(LIMIT_OPTIONS.parsedSizeBytes).value });
    try {
      return await (await import('./serve.ts')).serve(context, thread);
    } catch (error) {
      // A refused start must end the process, which the thread would keep alive.
      await thread.worker.terminate();
      throw error;
    }
  },
};

export const COMMANDS: readonly Command[] = [
  SERVE,
  {
    name: 'init',
    args: '',
    summary: 'print what an MCP client has to be told, to start this server',
    details: `Give the options that the server shall have. Prints where the text goes, and a link where the client
has one. With --http-url URL (or --http) it prints the settings for a server over HTTP, with the token from a
variable. With --guard it prints the settings of the command "hook" for that client. Writes nothing.

Exit codes: 0 printed, 2 error.`,
    options: [CLIENT, GUARD],
    run: async (context) => (await import('./init.ts')).init(context),
  },
  {
    name: 'hook',
    args: '<host>',
    summary: "deny an agent host's own tools every write to a file of this server",
    details: `<host> is claude-code, which runs it before its tools (PreToolUse) and gives the call on stdin. Give the
options of the server. Calls of Edit, Write, MultiEdit and NotebookEdit are judged by their file, and Bash by the files
that its text plainly names. "config-airlock init --client claude-code --guard" prints the settings.

Exit codes: 0 denied (with the reason as JSON), or nothing to say; 2 any error: the host does not run the tool.`,
    options: [],
    run: async (context) => (await import('./hook.ts')).hook(context),
  },
  {
    name: 'doctor',
    args: '',
    summary: 'check whether a server with these options works here, and say what mends what does not',
    details: `Give the options of the server. Looks at Node, the user, roots, containment, state, audit trail, reviewers,
policy, HTTP and the clock. Then it starts the server over stdio, lists its tools, makes a preview and drops it.

Exit codes: 0 no fault (warnings are printed), 2 faults.`,
    options: [JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./doctor.ts')).doctor(context),
  },
  {
    name: 'tools',
    args: '',
    summary: 'print the list of tools that a client is shown, with its hash',
    details: `Give --read-only and --replies of the server: they change the list. The hash is the SHA-256 of the list as
canonical JSON (RFC 8785), the same on every machine. Pin it, and read what an update changes before you use it.

Exit codes: 0 printed, 2 error.`,
    options: [JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./tools.ts')).tools(context),
  },
  {
    name: 'review',
    args: '',
    summary: 'read pending previews and approve or reject them, whole or part by part',
    details: `${TERMINAL}

${SIGNATURE}

Exit codes: 0 done or quit, 1 left with Ctrl-D, 2 error, 130 Ctrl-C. Whatever was not decided stays
pending.

With --web the passphrase is asked here, and the rest is done in a browser on this machine: a page on
127.0.0.1 that opens with a link from this terminal, once, and closes after half an hour without use.
If you are logged in from another machine, choose a port and forward it from there:
  ssh -L 8400:127.0.0.1:8400 HOST     and on HOST: config-airlock review --web --port 8400 ...
Both numbers must be the same, or the page refuses the browser.`,
    options: [FILE, RULE, CALLER, WEB, PORT, KEY, NO_COLOR],
    run: async (context) => (await import('./review.ts')).review(context),
  },
  {
    name: 'approve',
    args: '<preview_id>',
    summary: 'read one pending preview, and sign that it may be applied',
    details: `${IDS}\n\n${TERMINAL}\n\n${SIGNATURE}\n\nExit codes: 0 approved, 1 not approved, 2 error, 130 Ctrl-C.`,
    options: [KEY, NO_COLOR],
    run: async (context) => (await import('./decide.ts')).approve(context),
  },
  {
    name: 'reject',
    args: '<preview_id>',
    summary: 'read one pending preview, and sign that it may not be applied',
    details: `${IDS}\n\n${TERMINAL}\n\n${SIGNATURE}\n\nExit codes: 0 rejected, 1 not rejected, 2 error, 130 Ctrl-C.`,
    options: [NOTE, KEY, NO_COLOR],
    run: async (context) => (await import('./decide.ts')).reject(context),
  },
  {
    name: 'history',
    args: '[change_id]',
    summary: 'list applied changes, or show one with its diff',
    details: `${IDS}

With --format mbox each change is a mail for "git am", oldest first. A change whose diff has masked values is refused.

Exit codes: 0 shown, 2 error.`,
    options: [FILE, SINCE, FORMAT, JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./history.ts')).history(context),
  },
  {
    name: 'record',
    args: '<change_id>',
    summary: 'print the signed record of who approved a change, for verify-record',
    details: `One line for each reviewer who signed: an in-toto statement in a DSSE envelope. It has digests of the masked
texts, the rules, who proposed and who signed, and no contents. docs/review.md describes it.

Exit codes: 0 printed, 2 error, or no reviewer has signed the change.`,
    options: [],
    run: async (context) => (await import('./record.ts')).record(context),
  },
  {
    name: 'verify-record',
    args: '<file>',
    summary: 'check a record of "record" with neither the server nor its state',
    details: `Needs --reviewers, the file that lists who could approve then. With --root the files below it are compared
with the record, but for those that hold masked values.

Exit codes: 0 it holds, 1 it does not, 2 error.`,
    options: [NO_COLOR],
    run: async (context) => (await import('./record.ts')).verifyRecord(context),
  },
  {
    name: 'watch',
    args: '',
    summary: 'run programs of yours when something waits, is applied, is rejected or has expired',
    details: `Each program gets JSON on stdin, without contents of files unless --with-diff is given, and no arguments. It has the
environment of this command, a process group of its own and a limited time. Each event is claimed in the state before
its program starts, so that it starts at most once, however many machines watch; --list shows what did not end. The first
watch begins with what happens after it has started. examples/hooks has programs for Git, pull requests and a chat.

Exit codes: 0 ended, 1 a program failed (--once), or something has not ended (--list), 2 error.`,
    options: [...Object.values(ON_EVENT), WITH_DIFF, TIME_LIMIT, ONCE, LIST, NO_COLOR],
    run: async (context) => (await import('./watch.ts')).watch(context),
  },
  {
    name: 'undo',
    args: '<change_id>',
    summary: 'undo an applied change, after showing what that does',
    details: `${IDS}

${TERMINAL}

With --approval human it is signed with your key, like an approval.

Exit codes: 0 undone, 1 not undone, 2 error, 130 Ctrl-C.`,
    options: [KEY, NO_COLOR],
    run: async (context) => (await import('./undo.ts')).undo(context),
  },
  {
    name: 'audit verify',
    args: '',
    summary: 'verify that every record of the audit trail is present, unchanged and in order',
    details: `Needs the state only: --state-dir or --state. With --reviewers the signature of each approval is checked, too:
then the file has to name all who approved, also those who no longer may.

Exit codes: 0 intact, 1 damaged: the first bad record is named, 2 error.`,
    options: [JSON_OUTPUT],
    run: async (context) => (await import('./audit.ts')).auditVerify(context),
  },
  {
    name: 'audit export',
    args: '',
    summary: 'print the audit trail as JSON Lines, for another system',
    details: `Needs the state only: --state-dir or --state. Each line has the number of the record, the hash of the one before,
its own hash, and the record. The hash is the SHA-256 of the number, the hash before and the text of the
record, each on a line of its own.

Exit codes: 0 printed, 2 error.`,
    options: [],
    run: async (context) => (await import('./audit.ts')).auditExport(context),
  },
  {
    name: 'state erase',
    args: '',
    summary: 'erase the texts and secrets of old previews and changes',
    details: `Needs the state only: --state-dir or --state. What waits for a person is lost, too, and erased changes can no longer
be undone. The audit trail stays complete. Changes that were killed in the middle stay until their server
has started once more. In PostgreSQL only the owner of the tables can erase, and backups keep their copies.

Exit codes: 0 erased, 2 error.`,
    options: [BEFORE, JSON_OUTPUT],
    run: async (context) => (await import('./state.ts')).stateErase(context),
  },
  {
    name: 'state setup',
    args: '<account>',
    summary: 'make the tables in PostgreSQL, and let an account use them as a server does',
    details: `Needs --state with the account that is to own the tables; it is run once for each account of a server. Such an
account can add to the audit trail, and not change or delete what is there.

Exit codes: 0 ready, 2 error.`,
    options: [],
    run: async (context) => (await import('./state.ts')).stateSetup(context),
  },
  {
    name: 'state settle',
    args: '<change_id>',
    summary: 'end a write whose server died and will not start again',
    details: `Needs the state only: --state-dir or --state. The refusal of a write to one of its files names the id. Look at the
files first: nothing is written to them, and the record says that what came of the write is unknown.
If its server can be started again, do that instead: it settles its own writes.

${TERMINAL}

Exit codes: 0 no such write is open any more, 1 it was left, 2 error, 130 Ctrl-C.`,
    options: [NO_COLOR],
    run: async (context) => (await import('./state.ts')).stateSettle(context),
  },
  {
    name: 'state unlock',
    args: '<file>',
    summary: 'take away the lock of a folder whose owner died on another machine',
    details: `<file> is the one whose write was refused. Shows which process of which machine has made the lock, and asks.
Nobody can tell from here whether that process lives: look there first.

${TERMINAL}

Exit codes: 0 no lock stands there any more, 1 it was left, 2 error, 130 Ctrl-C.`,
    options: [NO_COLOR],
    run: async (context) => (await import('./state.ts')).stateUnlock(context),
  },
  {
    name: 'preview',
    args: '<file> <path> <value>',
    summary: 'show what setting one value would change, and keep that as a preview',
    details: `For scripts. <path> is a node path such as server.host, items[0].name or /paths/~1users. <value> is a
fragment of YAML: '"1.10"' is a text, 1.10 a number. Nothing is written; the preview_id goes to
"config-airlock apply", or with --approval human to a person first. With --read-only nothing is kept.

Exit codes: 0 shown, 1 there is a change (--exit-code), 2 error.`,
    options: [DOC, EXIT_CODE, JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./scripted.ts')).preview(context),
  },
  {
    name: 'apply',
    args: '<preview_id>',
    summary: 'apply a preview, exactly as it was shown',
    details: `${IDS}

For scripts. With --approval human it needs a signed approval; with --approval client it is refused,
because only a connected client can ask its person.

Exit codes: 0 applied, 2 error or refused.`,
    options: [JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./scripted.ts')).apply(context),
  },
  {
    name: 'keygen',
    args: '<name>',
    summary: 'make a reviewer key, and print its line for the reviewers file',
    details: `An Ed25519 key, encrypted with a passphrase of at least 12 characters that is asked at the terminal.
The file gets mode 0600, and an existing file is never overwritten. Keep the reviewers file where no
agent can write, and the passphrase where no agent can read.

Exit codes: 0 made, 2 error, 130 Ctrl-C.`,
    options: [KEY],
    run: async (context) => (await import('./keygen.ts')).keygen(context),
  },
  {
    name: 'token',
    args: '<name>',
    summary: 'make a bearer token for serve --http, and print its line for the tokens file',
    details: `<name> is the principal that stands in previews, changes and the audit trail. The file has a hash of the
token and not the token, which is printed once and kept nowhere. Without --scope write it only reads.

Exit codes: 0 made, 2 error.`,
    options: [SCOPE, DAYS, JSON_OUTPUT],
    run: async (context) => (await import('./token.ts')).token(context),
  },
  ...POLICY_COMMANDS,
];
