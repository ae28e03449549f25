// `npm run test:security`: every attack and every race, and one table of what came of them. Exits 1 where a
// test failed or a figure that must be 0 is not.
//   --long   also the figures of SECURITY.md: a million reads and 300,000 writes by each walk, 500 kills, 2,000
//            rounds of two servers
//   --write  the table into docs/security-figures.md as well
// Other servers are attacked by `npm run redteam`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { broken, table } from './security/table.mjs';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const LONG_CONFIG = ['--config', 'vitest.long.config.ts'];
const LONG = ['races', 'kills', 'two-writers'].map((name) => `test/long/${name}.test.ts`);

const { long, write } = parseArgs({
  options: { long: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
}).values;

const folder = mkdtempSync(join(tmpdir(), 'airlock-figures-'));
const figures = join(folder, 'figures.jsonl');
writeFileSync(figures, '');

const failed = [
  run('the attacks', 'npx', [
    'vitest',
    'run',
    'test/security',
    'test/protocol',
    'test/transports',
    'test/engine',
    'test/cli',
  ]),
  long && run('the long races', 'npx', ['vitest', 'run', ...LONG_CONFIG, ...LONG]),
].some(Boolean);

const lines = readFileSync(figures, 'utf8').split('\n').filter(Boolean);
rmSync(folder, { recursive: true, force: true });
const counted = lines.map((line) => JSON.parse(line));
const text = table(counted);
process.stdout.write(`\n${text}\n`);
if (write) {
  const where = `Measured with Node ${process.versions.node} on ${process.platform} ${release()}, ${cpus().length} processors.`;
  const document = join(HOME, 'docs/security-figures.md');
  // What takes an hour is measured by itself, and stays as it was said.
  const before = existsSync(document) ? readFileSync(document, 'utf8') : '';
  const [, longRuns = ''] = before.split(/^(?=## Long runs$)/m);
  const others = 'Other servers are in [proof-figures.md](proof-figures.md).';
  const how = `${where} Made by \`npm run test:security -- --write\`${long ? ' with `--long`' : ''}. ${others}`;
  writeFileSync(document, `# Security figures\n\n${how}\n\n${text}${longRuns === '' ? '' : `\n${longRuns}`}`);
}

const wrong = broken(counted);
for (const figure of wrong) process.stdout.write(`must be 0 and is not: ${figure}\n`);
process.exitCode = failed || wrong.length > 0 ? 1 : 0;

/** Answers whether it failed. */
function run(what, command, args) {
  process.stdout.write(`${what}: ${[command, ...args].join(' ')}\n`);
  const env = { ...process.env, TEST_FIGURES: figures };
  const { status } = spawnSync(command, args, { cwd: HOME, env, stdio: 'inherit' });
  return status !== 0;
}
