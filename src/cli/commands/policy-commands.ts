// The commands for the operator's policy. The module of a command is loaded only when it runs.
import { CHECK_FORMAT, DOC, JSON_OUTPUT, NO_COLOR, OP } from '../settings/command-options.ts';
import type { Command } from './command.ts';

export const POLICY_COMMANDS: readonly Command[] = [
  {
    name: 'policy lint',
    args: '<file>',
    summary: 'find what is wrong in a policy file, or hardly meant',
    details: `Says with its line what would stop the server, and what it accepts and was hardly meant: a rule that
another one makes pointless, a pattern that is not anchored, a default that lets everything pass. Give
the options of the server (--allow, --deny, --root, --reviewers, --http-tokens), and rules about files,
roots and people that it does not know are found, too.

Exit codes: 0 nothing found, 1 warnings, 2 faults, or it cannot be read.`,
    options: [JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./policy-lint.ts')).policyLint(context),
  },
  {
    name: 'policy explain',
    args: '<file> <path> [value]',
    summary: 'tell which rule decides about an edit, why, and what would pass',
    details: `Nothing is kept or written. <file>, <path> and <value> are those of "config-airlock preview"; --op rename
takes the new key as <value>, --op comment the comment, --op delete none. Says of each change which rule
decides, whether its constraint holds, what would pass, and what the other rules say. No value of the
file is shown.

Exit codes: 0 explained, 2 error, or the edit cannot be made.`,
    options: [OP, DOC, JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./policy-explain.ts')).policyExplain(context),
  },
  {
    name: 'policy test',
    args: '<cases>',
    summary: 'try a policy on cases: the edits, and the level and rule that are expected',
    details: `<cases> is a YAML or JSON file; docs/policy.md describes it, and examples/policy has one. Needs --policy, and
no root: each case is tried in a folder of its own among the temporary files, where nothing is masked.

Exit codes: 0 all passed, 1 some failed, 2 error.`,
    options: [JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./policy-test.ts')).policyTest(context),
  },
  {
    name: 'policy replay',
    args: '',
    summary: 'tell what a policy says of the changes that were made here',
    details: `Give the options of the server, and the new policy with --policy. Counts the changes that are kept in the
state directory by the level that they would need, and lists those that were confirmed otherwise.

Exit codes: 0 told, 2 error.`,
    options: [JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./policy-replay.ts')).policyReplay(context),
  },
  {
    name: 'policy check',
    args: '',
    summary: 'tell what a policy says of a Git diff on stdin, for CI',
    details: `Needs --policy, and no root: paths of the diff count from the root, so for a server of a folder of the
repository add --relative. Git is not run here. The diff must hold whole files, and is refused if it does not:
  git diff --no-ext-diff --no-textconv --no-renames --no-color --text --full-index \\
    --src-prefix=a/ --dst-prefix=b/ -U1000000 BASE...HEAD | config-airlock policy check --policy FILE
Files that a server with these options does not serve are counted, and not judged. A name that a server
refuses is denied, because other programs read it, and so is a file that took longer than --max-step-ms; give
the job a time limit, because nothing interrupts that file.

Exit codes: 0 nobody is needed (direct, preview), 1 a person is (client, human), 3 denied, 2 error.`,
    options: [CHECK_FORMAT, JSON_OUTPUT, NO_COLOR],
    run: async (context) => (await import('./policy-check.ts')).policyCheck(context),
  },
];
