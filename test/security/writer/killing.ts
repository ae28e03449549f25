// One trial of `kill -9`: a process that commits single files and batches is killed, then perhaps those who bring
// in order what it left, one after the other; then a server opens the root. Says what it found, and counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { end } from '../../harness/end.ts';
import { count } from '../../harness/figures.ts';
import type { Random } from '../../harness/random.ts';
import type { Place } from '../fixture.ts';

const FILES = ['a.yaml', 'b.json', 'd/c.yaml', 'd/e.yaml', 'f/g/h.yaml', 'f/i.yml'];
const MODES = [0o640, 0o600, 0o644, 0o664, 0o660, 0o604];
const SCRIPT = join(import.meta.dirname, '../children/committer.mjs');
const COMMITS = 30;
/** Beyond what one commit of six files makes; the calls of several commits are counted together. */
const MOST_CALLS = 400;

interface Batch {
  readonly id: string;
  readonly files: readonly string[];
  readonly text: string;
}

/** What must never be, by its name; empty where all is well. */
export type Faults = readonly string[];

export function furnish(here: Place): void {
  for (const [index, file] of FILES.entries())
    chmodSync(here.write(`root/${file}`, textOf('first', 50)), MODES[index] ?? 0o600);
}

export async function killTrial(here: Place, random: Random): Promise<Faults> {
  const before = FILES.map((file) => read(here, file));
  const batches = Array.from({ length: COMMITS }, () => batchOf(random));
  here.write('batches.json', JSON.stringify(batches));
  const begun = await killed(here, 'commit', random);
  const last = batches.findIndex(({ id }) => id === begun.at(-1));
  const old = after(before, batches.slice(0, Math.max(last, 0)));
  const fresh = after(before, batches.slice(0, last + 1));
  const isTorn = FILES.filter((file, index) => ![old[index], fresh[index]].includes(read(here, file)));
  count('kills', 1);
  while (random.below(2) === 0) {
    await killed(here, 'recover', random);
    count('kills of a recovery', 1);
  }
  (await here.start()).close();
  const now = FILES.map((file) => read(here, file));
  const isHalf = ![old, fresh].some((texts) => texts.every((text, index) => text === now[index]));
  const left = readdirSync(here.root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.config-airlock-[0-9a-f]+\.(?:new|old)$/u.test(name),
  );
  const wrongModes = FILES.filter(
    (file, index) => (statSync(join(here.root, file)).mode & 0o7777) !== MODES[index],
  );
  count('torn files', isTorn.length);
  count('batches in halves', isHalf ? 1 : 0);
  count('leftovers after the next start', left.length);
  count('wrong modes', wrongModes.length);
  return [
    ...isTorn.map((file) => `${file} is torn`),
    ...(isHalf ? [`half of ${batches[last]?.files.join()}`] : []),
    ...left.map((name) => `${name} is left`),
    ...wrongModes.map((file) => `${file} has another mode`),
  ];
}

function killed(here: Place, task: 'commit' | 'recover', random: Random): Promise<readonly string[]> {
  const files = [join(here.base, 'child.jsonl'), join(here.base, 'batches.json')];
  const args = [SCRIPT, task, here.root, JSON.stringify(here.kept), ...files];
  return killedChild(args, random, { calls: MOST_CALLS, ms: task === 'commit' ? 40 : 8 });
}

/**
 * What the child said before its death: half of the time at an instant, half at a disk call, whose number is its last
 * argument.
 */
export async function killedChild(
  args: readonly string[],
  random: Random,
  most: { readonly calls: number; readonly ms: number },
): Promise<readonly string[]> {
  const byOwnHand = random.below(2) === 0;
  const lastCall = byOwnHand ? 1 + random.below(most.calls) : 0;
  const child = spawn(process.execPath, [...args, String(lastCall)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => end(child));
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  if (!byOwnHand) {
    await setTimeout(random.below(most.ms));
    await end(child);
  }
  await closed;
  // One that failed by itself was in the middle of nothing.
  if (child.exitCode !== null && child.exitCode !== 0)
    throw new Error(`the child ended with ${child.exitCode}`);
  return Buffer.concat(said).toString().split('\n').filter(Boolean);
}

let batchNumber = 0;

function batchOf(random: Random): Batch {
  const files = [...FILES];
  const wanted = random.below(3) === 0 ? 1 : 2 + random.below(5);
  while (files.length > wanted) files.splice(random.below(files.length), 1);
  batchNumber += 1;
  const id = String(batchNumber);
  return { id, files, text: textOf(id, random.pick([1, 50, 3_000, 20_000])) };
}

/** Long and short, so that some take several writes. */
function textOf(id: string, lines: number): string {
  return `id: ${id}\n${`# ${id}\n`.repeat(lines)}end: ${id}\n`;
}

function after(before: readonly string[], batches: readonly Batch[]): readonly string[] {
  return FILES.map(
    (file, index) => batches.findLast(({ files }) => files.includes(file))?.text ?? before[index] ?? '',
  );
}

function read(here: Place, file: string): string {
  return readFileSync(join(here.root, file), 'utf8');
}
