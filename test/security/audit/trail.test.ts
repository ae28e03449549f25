import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

  it('does not go on behind a tail that was cut, a file that is gone or a head that is none', () => {
    const cut = trailGround(3);
    cut.rewrite((lines) => lines.slice(0, 2));
    const gone = trailGround(3);
    rmSync(gone.file());
    const headless = trailGround(3);
    rmSync(join(headless.dir, 'audit/head.json'));
    const headlessFromTheStart = trailGround(1);
    rmSync(join(headlessFromTheStart.dir, 'audit/head.json'));
    const garbled = trailGround(3);
    writeFileSync(join(garbled.dir, 'audit/head.json'), '{}');
    for (const { trail, verify } of [cut, gone, headless, headlessFromTheStart, garbled]) {
      expect(codeOf(() => trail.append({ action: 'apply' }))).toBe('IO_ERROR');
      expect(verify().isWhole).toBe(false);
    }
  });

  it('goes on behind what a killed process left: an unfinished line, or a head that is behind', () => {
    const { trail, file, verify, dir } = trailGround(3);
    const head = join(dir, 'audit/head.json');
    const before = readFileSync(head);
    trail.append({ action: 'apply' });
    writeFileSync(head, before);
    appendFileSync(file(), '{"action":"app');
    expect(verify()).toMatchObject({ isWhole: true, records: 4 });
    expect(verify().notes).toHaveLength(2);
    trail.append({ action: 'apply' });
    expect(verify()).toMatchObject({ isWhole: true, records: 5, notes: [] });
    truncateSync(head, 0);
    expect(codeOf(() => trail.append({ action: 'apply' }))).toBe('IO_ERROR');
  });

  it('goes on behind the very first records of a process that was killed before the head knew of them', () => {
    const { trail, verify, dir } = trailGround(0);
    const head = join(dir, 'audit/head.json');
    trail.append();
    const before = readFileSync(head);
    trail.append({ action: 'apply' }, { action: 'apply' }, { action: 'apply' });
    writeFileSync(head, before);
    expect(verify()).toMatchObject({ isWhole: true, records: 3 });
    trail.append({ action: 'apply' });
    expect(verify()).toMatchObject({ isWhole: true, records: 4, notes: [] });
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
