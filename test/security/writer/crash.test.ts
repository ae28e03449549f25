// WORK-018: a process that dies at every single step of a batch, and a second one that dies at every step of
// bringing it in order. Afterwards all files are old or all are new, and nothing else is left.
// Needs Linux and `npm run build`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog, DEFAULT_LIMITS, openSandbox, recoverRoots } from '../../../src/security/index.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';

// How far the second process comes, as a part of how far the first one came.
const STRIDES = process.env['TEST_LONG'] === undefined ? [0.45] : [0.2, 0.45, 0.7, 1, 1.6, 2.5];

const BATCHES = [
  { why: 'one file', files: ['a.yaml'], steps: 60 },
  { why: 'two files of one folder', files: ['a.yaml', 'b.yaml'], steps: 130 },
  { why: 'four files of three folders', files: ['a.yaml', 'd/b.yaml', 'd/c.yaml', 'e/f/g.yaml'], steps: 330 },
] as const;

describe.skipIf(process.platform !== 'linux').each(BATCHES)('a commit of $why', ({ files, steps }) => {
  const prepared = () => {
    const top = mkdtempSync(join(memoryDisk(), 'airlock-'));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const base = join(top, 'roots');
    for (let step = 1; step <= steps; step += 1) {
      for (const file of files) {
        const path = join(base, String(step), file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, 'old\n', { mode: 0o640 });
      }
    }
    const log = join(top, 'log.jsonl');
    const script = join(import.meta.dirname, '../children/mortal.mjs');
    const run = (task: string, stride = 1) =>
      Number(execFileSync(process.execPath, [script, task, base, log, files.join(','), String(stride)]));
    return { top, base, run, log };
  };

  /** What the root holds once a server that lives has opened it. */
  const outcome = (root: string, logFile: string): string => {
    const policy = {
      roots: [{ name: undefined, dir: root }],
      readOnly: false,
      allow: ['**/*.{yaml,yml,json}'],
      deny: [],
    };
    const rest = {
      limits: DEFAULT_LIMITS,
      schemas: [],
      allowBroadRoot: false,
      approval: 'direct',
      verify: 'fast',
    } as const;
    const log = createLog({ level: 'error', format: 'json', file: logFile });
    const sandbox = openSandbox({ ...policy, ...rest }, log);
    recoverRoots(sandbox);
    sandbox.close();
    const held = files.map((file) => {
      const path = join(root, file);
      const text = readFileSync(path, 'utf8');
      if ((statSync(path).mode & 0o7777) !== 0o640) return 'wrong mode';
      return text === 'old\n' ? 'old' : text === `new: ${file}\n` ? 'new' : 'torn';
    });
    const left = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.config-airlock'),
    );
    return [...new Set([...held, ...left])].join(' and ');
  };

  it('is all old or all new after a death at any step [WRT-6]', () => {
    const { top, base, run, log } = prepared();
    const outlived = run('commit');
    expect(outlived).toBeGreaterThan(0);
    const outcomes = readdirSync(base).map((step) => outcome(join(base, step), log));
    expect(new Set(outcomes)).toEqual(new Set(['old', 'new']));
    // Every intent has got its outcome.
    const records = jsonLines(readFileSync(log, 'utf8')).filter(({ event }) => event === 'audit');
    const of = (...kinds: string[]) =>
      records.filter(({ outcome: kind }) => kinds.includes(String(kind))).length;
    expect(of('unknown')).toBe(0);
    expect(of('applied')).toBeGreaterThan(0);
    expect(of('rolled_back')).toBeGreaterThan(0);
    expect(readdirSync(top).sort()).toEqual(['log.jsonl', 'roots']);
  });

  it.skipIf(files.length === 1).each(STRIDES)(
    'is so as well where those who bring it in order die too (%d) [WRT-6]',
    (stride) => {
      const { base, run, log } = prepared();
      run('commit');
      run('sweep', stride);
      run('sweep', stride / 2);
      const outcomes = readdirSync(base).map((step) => outcome(join(base, step), log));
      expect(new Set(outcomes)).toEqual(new Set(['old', 'new']));
    },
  );
});
