// The commands, once: the command line, their help and the README's table are all derived from this list. It
// does nothing itself.

export interface CommandWords {
  /** `<must>` and `[may]`; a word without them is typed as it is. */
  readonly args: string;
  /** One line, in the list of commands. */
  readonly summary: string;
  /** Below it in its own help: what it needs, and how it ends. */
  readonly more: string;
  /** Flags of its own, with their help. */
  readonly flags: Readonly<Record<string, string>>;
}

const KEY = { 'key <FILE>': 'your reviewer key (default: ~/.config/config-airlock/reviewer.key)' };
const NO_COLOR = { 'no-color': 'plain text; the variable NO_COLOR does the same' };
const JSON_FLAG = { json: 'as JSON' };
const DOC = { 'doc <DOC>': 'which document: an index, or a matcher such as {"kind":"Deployment"}' };

/** What the ids are, for every command that takes or shows one. */
const IDS = `A preview_id is what a preview answered; "config-airlock review" lists those that wait for a person.
Once a preview is applied it is a change, and has a change_id: "config-airlock history" lists them.`;
const TERMINAL = `Needs a real terminal on stdin and stdout: no flag and no variable stands in for a person. That
keeps out whoever can only call tools or run pipes. It does NOT keep out an agent that has a shell
as the same user: it can make a terminal. What does is a passphrase that it does not know.`;
const DECIDES = `What counts is a signature by a key of the file that the server was given with --reviewers. Give
the same options as to the server, or the same --config: a preview is worth nothing under others.`;

export const COMMANDS = {
  serve: {
    args: '',
    summary: 'serve an MCP client over stdin and stdout (what happens without a command)',
    more: 'Exit codes: see config-airlock --help.',
    flags: {},
  },
  review: {
    args: '',
    summary: 'go through the previews that wait for a person: read, approve, reject, part by part',
    more: `${TERMINAL}\n\n${DECIDES}\n\nExit codes: 0 done or left, 1 left with Ctrl-D, 2 error, 130 Ctrl-C. What was not decided is not
decided.

With --web the passphrase is asked here, and the rest is done in a browser on this machine: a page on
127.0.0.1 that opens with a link from this terminal, once, and ends after half an hour unused. If you
are logged in from another machine, give a port and take it along from there:
  ssh -L 8400:127.0.0.1:8400 HOST     and on HOST: config-airlock review --web --port 8400 ...
Both numbers must be the same, or the page refuses the browser.`,
    flags: {
      web: 'as a page in a browser on this machine',
      'port <N>': 'where the page listens on 127.0.0.1 (default: any free port)',
      ...KEY,
      ...NO_COLOR,
    },
  },
  approve: {
    args: '<preview_id>',
    summary: 'read one preview that waits, and sign that it may be applied',
    more: `${IDS}\n\n${TERMINAL}\n\n${DECIDES}\n\nExit codes: 0 approved, 1 not approved, 2 error, 130 Ctrl-C.`,
    flags: { ...KEY, ...NO_COLOR },
  },
  reject: {
    args: '<preview_id>',
    summary: 'read one preview that waits, and sign that it may not be applied',
    more: `${IDS}\n\n${TERMINAL}\n\n${DECIDES}\n\nExit codes: 0 rejected, 1 not rejected, 2 error, 130 Ctrl-C.`,
    flags: { 'note <TEXT>': 'why, for the agent to read: at most 500 characters', ...KEY, ...NO_COLOR },
  },
  history: {
    args: '[change_id]',
    summary: 'list what was applied, or show one change with its diff',
    more: `${IDS}\n\nExit codes: 0 shown, 2 error.`,
    flags: { ...JSON_FLAG, ...NO_COLOR },
  },
  undo: {
    args: '<change_id>',
    summary: 'take back an applied change, after showing what that does',
    more: `${IDS}\n\n${TERMINAL}\n\nWith --approval human it is signed with your key, like an approval.\n\nExit codes: 0 undone, 1 not undone, 2 error, 130 Ctrl-C.`,
    flags: { ...KEY, ...NO_COLOR },
  },
  audit: {
    args: 'verify',
    summary: 'see whether every record of the audit trail is there, unchanged and in its place',
    more: 'Needs the state directory only.\n\nExit codes: 0 whole, 1 damaged: the first bad record is named, 2 error.',
    flags: JSON_FLAG,
  },
  preview: {
    args: '<file> <path> <value>',
    summary: 'show what setting one value would change, and keep that as a preview',
    more: `For scripts. <path> is a node path such as server.host, items[0].name or /paths/~1users. <value> is a
fragment of YAML: '"1.10"' is a text, 1.10 a number. Nothing is written; the preview_id goes to
"config-airlock apply", or with --approval human to a person first. With --read-only nothing is kept.

Exit codes: 0 no change, 1 a change, 2 error.`,
    flags: { ...DOC, ...JSON_FLAG, ...NO_COLOR },
  },
  apply: {
    args: '<preview_id>',
    summary: 'apply a preview, exactly as it was shown',
    more: `${IDS}\n\nFor scripts. With --approval human it needs a signed approval; with --approval client there is
nobody to ask, and it is refused.

Exit codes: 0 no change, 1 changed, 2 error or refused.`,
    flags: { ...JSON_FLAG, ...NO_COLOR },
  },
  keygen: {
    args: '<name>',
    summary: 'make a reviewer key, and print its line for the reviewers file',
    more: `An Ed25519 key, encrypted with a passphrase of at least 12 characters that is asked at the terminal, mode
0600, never overwriting. Keep the reviewers file where an agent cannot write, and the passphrase
where it cannot read.

Exit codes: 0 made, 2 error, 130 Ctrl-C.`,
    flags: { 'key <FILE>': 'where to write it (default: ~/.config/config-airlock/reviewer.key)' },
  },
} as const satisfies Record<string, CommandWords>;

export type CommandName = keyof typeof COMMANDS;
