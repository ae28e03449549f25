// The completions, in the shells themselves: what each offers for what was typed. zsh and fish come from Debian; where one is
// missing, its tests are skipped.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { ALL_OPTIONS } from '../../src/cli/settings/options.ts';
import { CLI } from '../harness/start-process.ts';
import { tempRoot } from '../harness/temp-root.ts';

const place = tempRoot({ 'some.yaml': 'a: 1\n', 'some-folder/b.yaml': 'b: 1\n' });
afterAll(() => place.remove());

const ENV = { PATH: process.env['PATH'] ?? '', HOME: place.dir, TERM: 'dumb', LC_ALL: 'C.UTF-8' };
/** A shell that waits for something that never comes is ended. */
const PATIENCE = { timeout: 60_000 };

function ran(program: string, args: readonly string[]) {
  return spawnSync(program, args, { cwd: place.dir, env: ENV, encoding: 'utf8', ...PATIENCE });
}

function scriptFor(shell: string): string {
  const { status, stdout, stderr } = ran(process.execPath, [CLI, 'completion', shell]);
  if (status !== 0) throw new Error(stderr);
  const file = join(place.dir, `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

/** What is typed, the last word of it unfinished, and what is offered for that. */
const CASES = [
  { typed: '--appro', offers: ['--approval'] },
  { typed: '--approval hu', offers: ['human'] },
  { typed: '--log-level ', offers: ['debug', 'info', 'warn', 'error'] },
  { typed: 'rev', offers: ['review'] },
  { typed: 'policy ex', offers: ['explain'] },
  { typed: 'policy explain --op ren', offers: ['rename'] },
  { typed: 'audit ', offers: ['verify'] },
  { typed: 'init --client vs', offers: ['vscode'] },
  { typed: '--read-only --root some-f', offers: ['some-folder'] },
  { typed: '--config some.y', offers: ['some.yaml'] },
  { typed: 'completion --root . --appr', offers: ['--approval'] },
];

const offered: Readonly<Record<string, (script: string, typed: string) => string>> = {
  bash: (script, typed) => {
    const words = `COMP_WORDS=(config-airlock ${typed}${/^$| $/.test(typed) ? '""' : ''})`;
    const ask = `COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _config_airlock; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return ran('bash', ['--norc', '-c', `source ${script}; ${words}; ${ask}`]).stdout;
  },
  fish: (script, typed) =>
    ran('fish', ['--no-config', '-c', `source ${script}; complete -C "config-airlock ${typed}"`]).stdout,
  zsh: (script, typed) => {
    shownByZsh ??= allInZsh(script);
    return shownByZsh.get(typed) ?? '';
  },
};

let shownByZsh: ReadonlyMap<string, string> | undefined;

/** A zsh behind a terminal of its own, once for all: its completion works in the line editor only, and it starts slowly. */
function allInZsh(script: string): ReadonlyMap<string, string> {
  const setUp = `PS1='prompt''> '; setopt NO_AUTO_MENU LIST_AMBIGUOUS; autoload -U compinit; compinit -u -D; source ${script}`;
  const steps = CASES.flatMap(({ typed }) => [
    // The second tab lists what the first could not choose from.
    `zpty -w -n s $'config-airlock ${typed}\\t\\t\\C-e'`,
    `zpty -w -n s $'\\C-uprint mark''> \\n'; zpty -r s out '*mark> *prompt> *'; print -r -- "$out"; print -r -- ----`,
  ]);
  const start = [
    'zmodload zsh/zpty; zpty -b s "zsh -f -i"',
    `zpty -w s "${setUp}"; zpty -r s out '*prompt> *'`,
  ];
  const { stdout } = ran('zsh', ['-f', '-c', [...start, ...steps, 'zpty -d s'].join('\n')]);
  const parts = stdout.split('----\n');
  return new Map(CASES.map(({ typed }, at) => [typed, parts[at] ?? '']));
}

describe.each(['bash', 'zsh', 'fish'])('the completions for %s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!isThere) process.stdout.write(`there is no ${shell} here: its completions are not tried\n`);

  it.runIf(isThere).each(CASES)('offer $offers after "$typed"', ({ typed, offers }) => {
    const shown = offered[shell]?.(scriptFor(shell), typed) ?? '';
    for (const offer of offers) expect(shown).toContain(offer);
  });
});

describe.each(['bash', 'fish'])('of %s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;

  it.runIf(isThere)('every command and every option is offered', () => {
    const script = scriptFor(shell);
    const commands = offered[shell]?.(script, '') ?? '';
    for (const { name } of COMMANDS) expect(commands).toContain(name.split(' ')[0]);
    const options = offered[shell]?.(script, '--') ?? '';
    for (const { name } of ALL_OPTIONS) expect(options).toContain(`--${name}`);
  });
});

it('another shell is named as unknown', () => {
  const { status, stderr } = ran(process.execPath, [CLI, 'completion', 'tcsh']);
  expect([status, stderr]).toEqual([2, 'config-airlock: completion is there for bash, zsh, fish\n']);
});
