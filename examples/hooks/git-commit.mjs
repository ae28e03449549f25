#!/usr/bin/env node
// Commits the files of an applied change: config-airlock watch --on-applied /etc/airlock/hooks/git-commit.mjs
// REPOSITORY is the checkout that is served as the root. Nothing is pushed, and other changes in it stay as they are.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { REPOSITORY = '.' } = process.env;
const {
  change_id: change,
  files,
  caller,
  reason,
  confirmed_by,
  reviewer,
} = JSON.parse(readFileSync(0, 'utf8'));

const git = (...args) => execFileSync('git', ['-C', REPOSITORY, ...args], { encoding: 'utf8' });

// Files of a named root are called @name/file.
const paths = files.map(({ file }) => `:(literal)${file.replace(/^@[^/]*\//, '')}`);
git('add', '--all', '--', ...paths);
if (git('diff', '--cached', '--name-only', '--', ...paths) === '') {
  process.stderr.write(`${change}: another commit has these changes already\n`);
} else {
  const [first, ...more] = files.map(({ file }) => file);
  const subject = `config: ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  const trailers = [
    `Airlock-Change: ${change}`,
    `Airlock-Requested-By: ${caller?.principal ?? caller?.name ?? 'unknown'}`,
    `Airlock-Approved-By: ${reviewer ?? confirmed_by}`,
  ].join('\n');
  const body = reason === undefined ? [] : ['-m', reason];
  git('commit', '--quiet', '--only', '-m', subject, ...body, '-m', trailers, '--', ...paths);
}
