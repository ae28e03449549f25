#!/usr/bin/env node
// Opens a pull request with the files of an applied change, by the forge's own command line, which knows its own token:
// config-airlock watch --on-applied /etc/airlock/hooks/pull-request.mjs
// REPOSITORY is the checkout that is served as the root, REMOTE and BASE where the pull request goes. The checkout itself is not
// changed: the commit is made in a work tree of its own.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const { REPOSITORY = '.', REMOTE = 'origin', BASE = 'main' } = process.env;
const {
  change_id: change,
  files,
  caller,
  reason,
  confirmed_by,
  reviewer,
} = JSON.parse(readFileSync(0, 'utf8'));

const branch = `airlock/${change}`;
const run = (program, cwd, ...args) => execFileSync(program, args, { cwd, encoding: 'utf8' });
const paths = files.map(({ file }) => file.replace(/^@[^/]*\//, ''));
const title = `config: ${paths[0]}${paths.length === 1 ? '' : ` and ${paths.length - 1} more`}`;
const trailers = [
  `Airlock-Change: ${change}`,
  `Airlock-Requested-By: ${caller?.principal ?? caller?.name ?? 'unknown'}`,
  `Airlock-Approved-By: ${reviewer ?? confirmed_by}`,
].join('\n');
const body = [reason, trailers].filter(Boolean).join('\n\n');

const parent = mkdtempSync(join(tmpdir(), 'airlock-pr-'));
const tree = join(parent, 'tree');
try {
  run('git', REPOSITORY, 'fetch', '--quiet', REMOTE, BASE);
  run('git', REPOSITORY, 'worktree', 'add', '--quiet', '-b', branch, tree, `${REMOTE}/${BASE}`);
  for (const path of paths) {
    rmSync(join(tree, path), { force: true });
    if (!existsSync(join(REPOSITORY, path))) continue;
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    cpSync(join(REPOSITORY, path), join(tree, path));
  }
  run('git', tree, 'add', '--all');
  run('git', tree, 'commit', '--quiet', '-m', title, '-m', body);
  run('git', tree, 'push', '--quiet', REMOTE, `HEAD:refs/heads/${branch}`);
  run('gh', tree, 'pr', 'create', '--base', BASE, '--head', branch, '--title', title, '--body', body);
} finally {
  run('git', REPOSITORY, 'worktree', 'remove', '--force', tree);
  run('git', REPOSITORY, 'branch', '--quiet', '-D', branch);
  rmSync(parent, { recursive: true, force: true });
}
