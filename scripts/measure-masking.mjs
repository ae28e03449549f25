// `npm run figures:masking`: how many of the labelled secrets are masked, and how many of the other values; and how long the
// masking of one text takes. With a folder of mirrors (owner+name/repo, bare), also over the values of public repositories in
// test/tables/masking-public.json, which names them by commit, path and line and holds none of their text.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskText } from '../dist/adapters/secrets/mask-text.js';
import { SafePath } from '../dist/security/paths/safe-path.js';
import { DEFAULT_LIMITS, DEFAULT_MASKING } from '../dist/security/policy/policy.js';

const read = (name) => JSON.parse(readFileSync(new URL(`../test/tables/${name}`, import.meta.url), 'utf8'));
const { search, mask } = maskText({
  limits: DEFAULT_LIMITS,
  masking: DEFAULT_MASKING,
  roots: [{ name: undefined, dir: '.' }],
  verify: 'fast',
});

function spansIn(file, text) {
  let found = [];
  mask(SafePath.parse(file, [undefined]), text, search(text), (spans) => {
    found = spans.filter(({ start, end }) => end > start);
    let [shown, from] = ['', 0];
    for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
      if (start >= from) shown += `${text.slice(from, start)}<secret:00000000>`;
      from = Math.max(from, end);
    }
    return { shown: shown + text.slice(from) };
  });
  return found;
}

const say = (line) => process.stdout.write(`${line}\n`);
const share = (part, all) => `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;

const table = read('masking.json');
let [secrets, found, plain, wrong] = [0, 0, 0, 0];
for (const { file, texts } of [...table.secret, ...table.plain])
  for (const row of texts) {
    const spans = spansIn(file, row.replaceAll(/[«»¬]/gu, ''));
    let at = 0;
    for (const [part] of row.matchAll(/«[^»]*»|[^«]+/gu)) {
      const length = part.replaceAll(/[«»¬]/gu, '').length;
      if (part.startsWith('«')) {
        secrets += 1;
        if (spans.some(({ start, end }) => start <= at && at + length <= end)) found += 1;
      }
      at += length;
    }
    if (row.includes('«')) continue;
    plain += 1;
    if (spans.length > 0) wrong += 1;
  }
say(`labelled texts: secrets masked ${share(found, secrets)}; other texts masked ${share(wrong, plain)}`);

const mirrors = process.argv[2];
if (mirrors !== undefined) {
  const counts = { secret: [0, 0], plain: [0, 0] };
  for (const { repository, commit, values } of read('masking-public.json')) {
    const git = join(mirrors, repository.replace('/', '+'), 'repo');
    if (!existsSync(git)) {
      say(`${repository}: no mirror`);
      continue;
    }
    for (const [path, lines] of Object.entries(values)) {
      const text = execFileSync('git', [`--git-dir=${git}`, 'show', `${commit}:${path}`], {
        encoding: 'utf8',
      });
      const masked = new Set(spansIn(path, text).map(({ start }) => text.slice(0, start).split('\n').length));
      for (const [line, label] of Object.entries(lines)) {
        counts[label][1] += 1;
        if (masked.has(Number(line))) counts[label][0] += 1;
      }
    }
  }
  say(`public values: secrets masked ${share(...counts.secret)}; others masked ${share(...counts.plain)}`);
}

const LINES =
  'service:\n  image: web:1.2.3\n  port: 80\n  # how it starts\n  command: [run, --fast]\n  mapping: {a: b, c: d}\n';
const text = LINES.repeat(Math.ceil(100_000 / LINES.length)).slice(0, 100_000);
for (const [what, one] of [
  ['without a secret', text],
  ['with one', `${text}\npassword: hunter2\n`],
]) {
  const times = Array.from({ length: 41 }, (_, round) => {
    const start = performance.now();
    spansIn('values.yaml', `${one}# ${round}\n`);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  say(`100 KB ${what}: ${times[20].toFixed(2)} ms, the parsing of it included`);
}
