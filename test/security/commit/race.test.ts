// WORK-004, WORK-005: another process swaps a folder or a file with a symlink while the sandbox reads and
// writes. Nothing but "no escape" is asserted; how often the usual check loses is only reported.
// AIRLOCK_LONG=n makes it n times longer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Refusal, type Sandbox } from '../../../src/security/index.ts';
import { fingerprint, type Place, place, rewritten, started } from '../fixture.ts';

const LONG = Number(process.env['AIRLOCK_LONG'] ?? '1');
const READS = 4_000 * LONG;
const WRITES = 600 * LONG;

const VICTIMS = [
  { name: 'a folder on the way', victim: 'd', target: 'outside/d', file: 'd/e/s.yaml' },
  { name: 'the folder of the file', victim: 'd/e', target: 'outside/d/e', file: 'd/e/s.yaml' },
  { name: 'the file itself', victim: 'd/e/s.yaml', target: 'outside/d/e/s.yaml', file: 'd/e/s.yaml' },
] as const;

async function underAttack(victim: string, target: string, act: (here: Place) => void): Promise<number> {
  const here = place();
  here.write('root/d/e/s.yaml', 'from: inside\n');
  here.write('outside/d/e/s.yaml', 'from: outside\n');
  const counter = join(here.base, 'swaps');
  writeFileSync(counter, '0');
  const script = join(import.meta.dirname, '../children/swapper.mjs');
  const attacker = spawn(process.execPath, [
    script,
    join(here.root, victim),
    join(here.base, target),
    counter,
  ]);
  onTestFinished(() => void attacker.kill('SIGKILL'));
  await started(attacker);
  act(here);
  const ended = once(attacker, 'exit');
  attacker.kill('SIGKILL');
  await ended;
  return Number(readFileSync(counter, 'utf8'));
}

/** What the sandbox answered, by code; anything that is no Refusal fails the test. */
function tally(times: number, act: () => string): Record<string, number> {
  const answers: Record<string, number> = {};
  for (let i = 0; i < times; i += 1) {
    let answer: string;
    try {
      answer = act();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer = error.code;
    }
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
  return answers;
}

describe.each(['fd-walk', 'cwd-walk'] as const)('%s', (containment) => {
  it.each(VICTIMS)(
    'lets no read escape while $name is swapped',
    async ({ victim, target, file }) => {
      let answers: Record<string, number> = {};
      const swaps = await underAttack(victim, target, (here) => {
        const sandbox = here.open(containment);
        answers = tally(READS, () => sandbox.open(sandbox.parse(file)).read().text.trim());
      });
      expect(answers['from: outside'] ?? 0).toBe(0);
      expect(swaps).toBeGreaterThan(0);
    },
    600_000,
  );

  it.each(VICTIMS)(
    'lets no write escape while $name is swapped',
    async ({ victim, target, file }) => {
      const swaps = await underAttack(victim, target, (here) => {
        const before = fingerprint(here.outside);
        const sandbox = here.open(containment);
        tally(WRITES, () => write(sandbox, file));
        expect(fingerprint(here.outside)).toBe(before);
      });
      expect(swaps).toBeGreaterThan(0);
    },
    600_000,
  );
});

it('reports how often the usual check (realpath, prefix, open) loses the same race', async () => {
  let escapes = 0;
  const swaps = await underAttack('d', 'outside/d', (here) => {
    const naive = () => {
      const path = join(here.root, 'd/e/s.yaml');
      const real = realpathSync(path);
      if (!real.startsWith(`${here.root}/`) || !lstatSync(real).isFile()) return 'refused';
      return readFileSync(path, 'utf8').trim();
    };
    for (let i = 0; i < READS; i += 1) escapes += attempt(naive) === 'from: outside' ? 1 : 0;
  });
  process.stderr.write(`the usual check let ${escapes} of ${READS} reads escape (${swaps} swaps)\n`);
  expect(swaps).toBeGreaterThan(0);
}, 600_000);

function attempt(act: () => string): string {
  try {
    return act();
  } catch {
    return 'failed';
  }
}

function write(sandbox: Sandbox, file: string): string {
  sandbox.commit([rewritten(sandbox, file, `from: inside\nround: ${Math.random()}\n`)]);
  return 'written';
}
