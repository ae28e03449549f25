// `npm run screenshots`: the reviewer's page as it is, photographed in Chromium for the README: a list of what
// waits, one change, and the same on a narrow dark window. Works on a copy of examples/ in a temp folder.

import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(HOME, 'docs/images');
const MOST_BYTES = 150_000;
const ASKED = new Date('2026-11-21T15:48:00.000Z');
const SEEN = new Date('2026-11-21T16:00:00.000Z');

const built = (module) => import(join(HOME, 'dist', `${module}.js`));
const { shownAnew } = await built('adapters/review/describe-edit');
const { makeReviewerKey } = await built('security/approval/reviewer-key');
const { createLog } = await built('security/audit/log');
const { splice } = await built('security/edits/edit');
const { openState } = await built('security/state/state');
const { ReviewService } = await built('review/review-service');
const { serveReviewPage } = await built('review/web/serve-page');
const { openAirlock } = await built('server');

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'config-airlock-screenshots-'));
const root = join(folder, 'shop');
cpSync(join(HOME, 'examples'), root, { recursive: true });
mkdirSync(IMAGES, { recursive: true });
try {
  await photograph(await setTheScene());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function setTheScene() {
  const { key, line } = makeReviewerKey('ann');
  const reviewers = join(folder, 'reviewers');
  writeFileSync(reviewers, line, { mode: 0o600 });
  const log = createLog({ level: 'error', format: 'json', file: join(folder, 'log.jsonl') });
  const { policy, sandbox } = await openAirlock({ roots: [root], stateDir: join(folder, 'other'), log });
  const location = { directory: join(folder, 'state') };
  const state = await openState({ location, reviewers }, policy, log, () => ASKED);
  const look = (file) => shownAnew(sandbox.parse(file.file), file, policy.limits);
  const propose = async (files) => {
    const shown = files.map(([file, ...swaps]) => fileOf(file, swaps, look));
    return (await state.previews.save(previewOf(shown, sandbox.policyFingerprint))).id;
  };
  const change = await propose([
    [
      'deploy/storefront.yaml',
      ['  replicas: 2 ', '  replicas: 3 '],
      ['maxUnavailable: 0', 'maxUnavailable: 1'],
    ],
  ]);
  await propose([
    ['helm/values.yaml', ['tag: "1.10"', 'tag: "1.11"']],
    ['compose.yaml', ['restart: "no"', 'restart: on-failure']],
  ]);
  const unquoted = await propose([['helm/values.yaml', ['tag: "1.10"', 'tag: 1.10']]]);
  const service = new ReviewService({ policy, sandbox, state, now: () => SEEN });
  await service.reject(unquoted, 'Keep the quotes: unquoted, 1.10 is the number 1.1.', key);
  return { change, unquoted, log, service, key };
}

async function photograph({ change, unquoted, service, key, log }) {
  const served = await serveReviewPage({ service, key, port: 0, log, now: () => SEEN });
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const tab = await browser.newPage({ viewport: { width: 880, height: 200 }, colorScheme: 'light' });
    await tab.goto(served.url);
    const list = tab.url();
    await take(tab, 'review-list');
    await tab.goto(`${list}change/${change}`);
    await take(tab, 'review-change');
    await tab.emulateMedia({ colorScheme: 'dark' });
    await tab.setViewportSize({ width: 375, height: 200 });
    await tab.goto(`${list}change/${unquoted}`);
    await take(tab, 'review-narrow-dark');
  } finally {
    await browser.close();
    served.close();
  }
}

async function take(tab, name) {
  const path = join(IMAGES, `${name}.png`);
  await tab.screenshot({ path, fullPage: true });
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${name}.png is too large: ${size} bytes`);
  process.stdout.write(`docs/images/${name}.png: ${Math.round(size / 1000)} KB\n`);
}

function previewOf(files, policy) {
  return {
    caller: { name: 'Claude Code', version: '3.1' },
    policy,
    approval: 'human',
    tool: 'config_edit',
    request: {},
    origin: { kind: 'edit' },
    files,
    rules: [],
    warnings: [],
  };
}

/** `swaps`: pairs of a text that stands there once, and what it becomes. */
function fileOf(file, swaps, look) {
  const base = readFileSync(join(root, file), 'utf8');
  const edits = swaps.map(([from, insert]) => {
    const start = base.indexOf(from);
    if (start === -1) throw new Error(`${file} holds no ${from}`);
    return { start, end: start + from.length, insert };
  });
  const after = splice(base, edits);
  const hashes = { base_sha256: sha256(base), result_sha256: sha256(after) };
  return { file, base, edits, ...hashes, ...look({ file, base, edits }) };
}

function sha256(text) {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
