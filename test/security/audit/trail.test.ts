import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { end } from '../../harness/end.ts';
import { eventually } from '../../harness/wait.ts';
import { codeOf, started } from '../fixture.ts';
import { trailGround } from './ground.ts';

const APPENDER = fileURLToPath(new URL('../children/appender.mjs', import.meta.url));

describe('the audit trail', () => {
  // AUDI-005.
  it('is a chain that holds', () => {
    const { verify, trail } = trailGround(5);
    const [head] = trail.append({ action: 'undo' });
    expect(verify()).toEqual({ isWhole: true, records: 6, sha256: head?.sha256, notes: [] });
  });

  it('keeps what is noted in the chain, and is whole without the end of it that a power cut took [AUD-6]', () => {
    const { trail, again, file, verify } = trailGround(1);
    for (const each of [trail, again(), again(), trail]) each.note({ action: 'propose' });
    expect(verify()).toMatchObject({ isWhole: true, records: 5, notes: [] });
    const lines = readFileSync(file(), 'utf8').split('\n');
    for (const rest of ['', '{"action":', `\0\0\0${lines[4] ?? ''}\n`]) {
      writeFileSync(file(), `${lines.slice(0, 4).join('\n')}\n${rest}`);
      expect(verify()).toMatchObject({ isWhole: true, records: 4 });
    }
    // Only a process that saw more of it knows that something is gone.
    expect(codeOf(() => trail.append({ action: 'apply' }))).toBe('IO_ERROR');
    again().append({ action: 'apply' });
    expect(verify()).toMatchObject({ isWhole: true, records: 5, notes: [] });
    writeFileSync(file(), `${lines.slice(0, 4).join('\n')}\n`);
    expect(verify().damage).toMatchObject({ how: 'tail cut' });
  });

  // AUDI-006.
  it('is one chain when two processes append at once', async () => {
    const { dir, here, verify } = trailGround(1);
    const ends = [1, 2].map(() => once(spawn(process.execPath, [APPENDER, dir, here.root, '50']), 'exit'));
    for (const [code] of await Promise.all(ends)) expect(code).toBe(0);
    expect(verify()).toMatchObject({ isWhole: true, records: 101, notes: [] });
  });

  it('holds after kill -9 at any moment, and goes on', async () => {
    const { dir, here, verify, trail, lines } = trailGround(1);
    for (let round = 0; round < 5; round += 1) {
      const child = spawn(process.execPath, [APPENDER, dir, here.root, '100000']);
      onTestFinished(() => end(child));
      await started(child);
      const { length } = lines();
      await eventually(() => expect(lines().length).toBeGreaterThan(length + round));
      await end(child);
      expect(verify().isWhole).toBe(true);
      trail.append({ action: 'recover' });
      expect(verify()).toMatchObject({ isWhole: true, notes: [] });
    }
  });
});
