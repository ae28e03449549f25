// Starts the attacker: the C program, compiled once a run, or the slower one in Node where nothing compiles it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { end } from '../../harness/end.ts';
import { started } from '../fixture.ts';

export const MANNERS = ['exchange', 'rename', 'away'] as const;
/** `exchange` needs the C program; `away` looks at what happens out there only with it. */
export type Manner = (typeof MANNERS)[number];

export interface Orders {
  readonly manner: Manner;
  readonly victim: string;
  /** Where the symlink leads that takes its place. */
  readonly target: string;
  /** Where the victim is meanwhile: on the same file system. */
  readonly aside: string;
  /** The file to watch while its folder is away, relative to the victim. */
  readonly leaf: string;
}

/** What the attacker did and saw. */
export interface Deeds {
  readonly swaps: number;
  /** How often the file was written, and its folder touched, while they were outside of the root. */
  readonly written: number;
  readonly touched: number;
}

export const hasCompiler = compiles();

export async function underAttack(orders: Orders, act: () => void | Promise<void>): Promise<Deeds> {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-attacker-'));
  const counter = join(folder, 'counter');
  writeFileSync(counter, '0 0 0');
  const [program = '', ...first] = attackerIn(folder);
  const { manner, victim, target, aside, leaf } = orders;
  const attacker = spawn(program, [...first, manner, victim, target, aside, counter, leaf]);
  onTestFinished(async () => {
    await end(attacker);
    rmSync(folder, { recursive: true, force: true });
  });
  await started(attacker);
  await act();
  const ended = once(attacker, 'exit');
  attacker.kill('SIGTERM');
  await ended;
  const last = readFileSync(counter, 'utf8').trim().split('\n').at(-1) ?? '';
  const [swaps = 0, written = 0, touched = 0] = last.split(' ').map(Number);
  return { swaps, written, touched };
}

function attackerIn(folder: string): readonly string[] {
  if (!hasCompiler) return [process.execPath, join(import.meta.dirname, 'attacker.mjs')];
  const program = join(folder, 'attacker');
  compile(join(import.meta.dirname, 'attacker.c'), program);
  return [program];
}

function compiles(): boolean {
  if (process.platform !== 'linux') return false;
  const folder = mkdtempSync(join(tmpdir(), 'airlock-attacker-'));
  try {
    writeFileSync(join(folder, 'a.c'), 'int main(void) { return 0; }\n');
    compile(join(folder, 'a.c'), join(folder, 'a'));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(source: string, program: string): void {
  execFileSync('cc', ['-O2', '-o', program, source], { stdio: ['ignore', 'ignore', 'pipe'] });
}
