// `npm run recording`: the review of a change at a terminal, recorded as docs/images/review.svg, an animated picture of
// successive screens. A script proposes a change to a copy of examples/, and a person reviews it, as anybody would.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atTerminal, HAS_TERMINAL } from './recording/person.mjs';
import { pictureOf } from './recording/picture.mjs';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const PICTURE = join(HOME, 'docs/images/review.svg');
const CLI = join(HOME, 'dist', 'cli.js');
const PASSPHRASE = 'a made-up passphrase';

if (!HAS_TERMINAL) throw new Error('this needs Linux with util-linux script');
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'config-airlock-recording-'));
try {
  await record();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function record() {
  const [root, office] = [join(folder, 'shop'), join(folder, 'office')];
  cpSync(join(HOME, 'examples'), root, { recursive: true });
  mkdirSync(office, { mode: 0o700 });
  const [reviewers, key] = [join(office, 'reviewers'), join(office, 'ann.key')];
  const made = await at(
    ['keygen', 'ann', '--key', key],
    [
      ['Passphrase', PASSPHRASE],
      ['again', PASSPHRASE],
    ],
  );
  const line = /^ann ed25519:\S+$/mu.exec(made.text)?.[0] ?? '';
  writeFileSync(reviewers, `${line}\n`, { mode: 0o600 });
  const options = [
    '--root',
    root,
    '--state-dir',
    join(office, 'state'),
    '--approval',
    'human',
    '--reviewers',
    reviewers,
  ];
  const asked = ['preview', 'helm/values.yaml', 'replicaCount', '3', ...options];
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...asked], { encoding: 'utf8' });
  if (status !== 1) throw new Error(`nothing was proposed: ${stderr}`);
  const review = await at(
    ['review', ...options, '--key', key],
    [
      ['[q]uit ?', 'a'],
      ['Passphrase', PASSPHRASE],
    ],
  );
  if (review.status !== 0) throw new Error(`the review ended with ${review.status}: ${review.text}`);
  writeFileSync(PICTURE, pictureOf('config-airlock review', review.raw.replaceAll(folder, '/srv')));
  process.stdout.write('docs/images/review.svg\n');
}

/** Runs a command at a terminal with colours. */
function at(command, answers) {
  return atTerminal([process.execPath, CLI, ...command], answers, { NO_COLOR: undefined, HOME: folder });
}
