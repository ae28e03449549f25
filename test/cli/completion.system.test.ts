// The completions, in the shells themselves: what each offers for what was typed. zsh and fish come from Debian; where one is
// missing, its tests are skipped.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { ALL_OPTIONS } from '../../src/cli/settings/options.ts';
import { CLI } from '../harness/start-process.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { PATIENCE_MS } from '../harness/wait.ts';

const place = tempRoot({
  'some.yaml': 'a: 1\n',
  'some-folder/b.yaml': 'b: 1\n',
  'with space.yaml': 'c: 1\n',
});
afterAll(() => place.remove());

const ENV = { PATH: process.env['PATH'] ?? '', HOME: place.dir, TERM: 'dumb', LC_ALL: 'C.UTF-8' };

function ran(program: string, args: readonly string[]) {
  // A shell that waits for something that never comes is ended.
  return spawnSync(program, args, { cwd: place.dir, env: ENV, encoding: 'utf8', timeout: PATIENCE_MS });
}

function scriptFor(shell: string): string {
  const { status, stdout, stderr } = ran(process.execPath, [CLI, 'completion', shell]);
  if (status !== 0) throw new Error(stderr);
  const file = join(place.dir, `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

const COMMAND_NAMES = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))];

/** What is typed, the last word of it unfinished, what is offered for that, and what is not. */
const CASES = [
  { typed: '', offers: COMMAND_NAMES, not: ['lint', 'verify'] },
  { typed: '--', offers: ALL_OPTIONS.map(({ name }) => `--${name}`), not: ['--note'] },
  { typed: '--appro', offers: ['--approval'], not: ['--root'] },
  { typed: '--approval hu', offers: ['human'], not: ['client'] },
  { typed: '--approval=hu', offers: ['human'], not: ['client'] },
  { typed: '--log-level ', offers: ['debug', 'info', 'warn', 'error'], not: ['review'] },
  { typed: 'rev', offers: ['review'], not: ['reject'] },
  { typed: '--root some-folder rev', offers: ['review'], not: ['reject'] },
  { typed: '--approval=human rev', offers: ['review'], not: ['reject'] },
  { typed: 'policy ex', offers: ['explain'], not: ['lint'] },
  { typed: 'policy explain --op ren', offers: ['rename'], not: ['append'] },
  { typed: 'policy explain some.yaml --o', offers: ['--op'], not: ['--note'] },
  { typed: 'policy lint some.', offers: ['some.yaml'], not: ['some-folder'] },
  { typed: 'policy lint with', offers: ['with'], not: ['some'] },
  { typed: 'audit ', offers: ['verify', 'export'], not: ['lint'] },
  { typed: 'init --client vs', offers: ['vscode'], not: ['cursor'] },
  { typed: '--read-only --root some-f', offers: ['some-folder'], not: ['some.yaml'] },
  { typed: '--config some.y', offers: ['some.yaml'], not: ['some-folder'] },
  { typed: 'completion --root . --appr', offers: ['--approval'], not: ['--root'] },
];
const TYPED = CASES.map(({ typed }) => typed);
const MARK = '----\n';

/** What each shell answers to all of them, in one process. */
const ASKED: Readonly<Record<string, (script: string) => string>> = {
  bash: (script) => {
    const asks = TYPED.map((typed) => {
      const words = typed.replace('=', ' = ') + (/^$| $/.test(typed) ? '""' : '');
      return `COMP_WORDS=(config-airlock ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _config_airlock; printf '%s\\n' "\${COMPREPLY[@]}" ----`;
    });
    return ran('bash', ['--norc', '-c', [`source ${script}`, ...asks].join('\n')]).stdout;
  },
  fish: (script) => {
    const asks = TYPED.map(
      (typed) => `complete -C "config-airlock ${typed}" | string replace -r '\\t.*' ''; echo ----`,
    );
    return ran('fish', ['--no-config', '-c', [`source ${script}`, ...asks].join('\n')]).stdout;
  },
  // Its completion works in the line editor only, behind a terminal: a key of our own asks, and what is found goes to a file.
  zsh: (script) => {
    writeFileSync(join(place.dir, 'ask.zsh'), zshAsking(script));
    const start = [
      'zmodload zsh/zpty; zpty s "zsh -f -i"',
      "zpty -w s 'source ask.zsh'; zpty -r s line '*ready*'",
      "zpty -w -n s $'\\C-x'; while zpty -t s; do zpty -r s line; done; true",
    ];
    const { status, stderr } = ran('zsh', ['-f', '-c', start.join('\n')]);
    if (status !== 0) throw new Error(`zsh ended with ${status}: ${stderr}`);
    return readFileSync(join(place.dir, 'found'), 'utf8');
  },
};

function zshAsking(script: string): string {
  const typed = TYPED.map((text) => `'${text}'`).join(' ');
  return `autoload -U compinit; compinit -u -D; source ${script}
compadd() {
  local -a found
  # What only fills a variable is no offer yet.
  [[ \${@[1,(i)(-|--)]} == *-(O|A|D)* ]] || { builtin compadd -A found "$@"; print -rl -- "\${found[@]}" >> found; }
  builtin compadd "$@"
}
ask() {
  local typed
  for typed in ${typed}; do
    BUFFER="config-airlock $typed"; CURSOR=$#BUFFER
    zle list-choices
    print -- ---- >> found
  done
  exit
}
zle -N ask; bindkey '^X' ask; print ready
`;
}

describe.each(Object.keys(ASKED))('the completions for %s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!isThere) process.stdout.write(`there is no ${shell} here: its completions are not tried\n`);
  let answers: readonly string[] = [];
  beforeAll(() => {
    if (isThere) answers = ASKED[shell]?.(scriptFor(shell)).split(MARK) ?? [];
  });

  it.runIf(isThere).each(CASES)('are right after "$typed"', ({ typed, offers, not }) => {
    const shown = new Set(answers[TYPED.indexOf(typed)]?.split(/[\s=/\\]+/u));
    expect(offers.filter((offer) => !shown.has(offer))).toEqual([]);
    expect(not.filter((offer) => shown.has(offer))).toEqual([]);
  });
});

it('another shell is named as unknown', () => {
  const { status, stderr } = ran(process.execPath, [CLI, 'completion', 'tcsh']);
  expect([status, stderr]).toEqual([2, 'config-airlock: completion is there for bash, zsh, fish\n']);
});
