// FILE-018, FILE-030: `kill -9` in the middle of commits. Every file is one whole version, never torn, and the
// next start removes what was left behind. AIRLOCK_LONG=n makes it n times longer. Needs `npm run build`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { count } from '../../harness/figures.ts';
import { leftovers, place, rewritten, started } from '../fixture.ts';

const TRIALS = 25 * Number(process.env['AIRLOCK_LONG'] ?? '1');
const SIZE = 200_000;

it('leaves every file whole after kill -9, and nothing else after the next start', async () => {
  const here = place();
  const whole = ['a', 'b'].map((letter) => letter.repeat(SIZE));
  for (const file of ['a.yaml', 'd/b.yaml']) here.write(`root/${file}`, whole[0] ?? '', 0o640);
  let left = 0;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const script = join(import.meta.dirname, '../children/committer.mjs');
    const child = spawn(process.execPath, [script, here.root, join(here.base, 'child.jsonl'), String(SIZE)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await started(child);
    await setTimeout(Math.random() * 15);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const texts = ['a.yaml', 'd/b.yaml'].map((file) => readFileSync(join(here.root, file), 'utf8'));
    count('torn files', texts.filter((text) => !whole.includes(text)).length);
    for (const text of texts) expect(whole).toContain(text);
    const folders = [here.root, join(here.root, 'd')];
    left += folders.flatMap(leftovers).length;
    // The next start sweeps, breaking the lock of the dead process, and can write at once.
    const sandbox = here.open();
    count('kills', 1);
    count('leftovers after the next start', folders.flatMap(leftovers).length);
    expect(folders.flatMap(leftovers)).toEqual([]);
    sandbox.commit([
      rewritten(sandbox, 'a.yaml', whole[trial % 2] ?? ''),
      rewritten(sandbox, 'd/b.yaml', whole[0] ?? ''),
    ]);
    expect(folders.flatMap(leftovers)).toEqual([]);
    sandbox.close();
  }
  process.stderr.write(`${TRIALS} kills left ${left} files behind, all swept\n`);
}, 600_000);
