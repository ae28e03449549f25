// Every command, once: the command line, its help and the README's table are made from this list. What a command
// does is loaded only when it is run.
import { DOC, JSON_OUTPUT, KEY, NO_COLOR, NOTE, PORT, WEB } from '../settings/command-options.ts';
import type { Option } from '../settings/option.ts';
import type { CommandContext } from './context.ts';

export interface Command {
  readonly name: string;
  /** `<required>` and `[optional]`; a word without brackets is typed as it is. */
  readonly args: string;
  /** One line, in the list of commands. */
  readonly summary: string;
  /** Below it in the command's own help: what it needs, and how it ends. */
  readonly details: string;
  /** Its own, on top of those of the server. */
  readonly options: readonly Option<unknown>[];
  /** Answers the exit code. Throws UsageError, StartError, Refusal or PromptAborted. */
  run(context: CommandContext): Promise<number>;
}

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
  summary: 'serve an MCP client over stdin and stdout (default)',
  details: 'Exit codes: see config-airlock --help.',
  options: [],
  run: async (context) => (await import('./serve.ts')).serve(context),
};

export const COMMANDS: readonly Command[] = [
  SERVE,
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
    options: [WEB, PORT, KEY, NO_COLOR],
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
    details: `${IDS}\n\nExit codes: 0 shown, 2 error.`,
    options: [JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./history.ts')).history(context),
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
    name: 'audit',
    args: 'verify',
    summary: 'verify that every record of the audit trail is present, unchanged and in order',
    details: `Needs the state directory only.

Exit codes: 0 intact, 1 damaged: the first bad record is named, 2 error.`,
    options: [JSON_OUTPUT],
    run: async (context) => (await import('./audit.ts')).audit(context),
  },
  {
    name: 'preview',
    args: '<file> <path> <value>',
    summary: 'show what setting one value would change, and keep that as a preview',
    details: `For scripts. <path> is a node path such as server.host, items[0].name or /paths/~1users. <value> is a
fragment of YAML: '"1.10"' is a text, 1.10 a number. Nothing is written; the preview_id goes to
"config-airlock apply", or with --approval human to a person first. With --read-only nothing is kept.

Exit codes: 0 no change, 1 a change, 2 error.`,
    options: [DOC, JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./scripted.ts')).preview(context),
  },
  {
    name: 'apply',
    args: '<preview_id>',
    summary: 'apply a preview, exactly as it was shown',
    details: `${IDS}

For scripts. With --approval human it needs a signed approval; with --approval client it is refused,
because only a connected client can ask its person.

Exit codes: 0 no change, 1 changed, 2 error or refused.`,
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
    name: 'policy lint',
    args: '<file>',
    summary: 'find what is wrong in a policy file, and rules that have no effect',
    details: `Says with its line what would stop the server, and what it accepts and was hardly meant: a rule that
another one makes pointless, a pattern that is not anchored, a default that lets everything pass.

Exit codes: 0 nothing found, 1 warnings, 2 faults, or it cannot be read.`,
    options: [JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./policy-lint.ts')).policyLint(context),
  },
];
