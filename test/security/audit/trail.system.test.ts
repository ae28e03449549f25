import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { trailNumbers } from '../../../src/security/audit/record.ts';
import { end } from '../../harness/end.ts';
import { eventually } from '../../harness/wait.ts';
import { codeOf, started } from '../fixture.ts';
import { trailGround } from './ground.ts';

const APPENDER = fileURLToPath(new URL('./appender.mjs', import.meta.url));

describe('the audit trail', () => {
  it('keeps what is noted in the chain, and is whole without the end of it that a power cut took [AUD-6]', () => {
    const { trail, again, file, verify } = trailGround(1);
    for (const each of [trail, again(), again(), trail]) each.note(() => [{ action: 'propose' }]);
    expect(verify()).toMatchObject({ isWhole: true, records: 5, notes: [] });
    const lines = readFileSync(file(), 'utf8').split('\n');
    for (const rest of ['', '{"action":', `\0\0\0${lines[4] ?? ''}\n`]) {
      writeFileSync(file(), `${lines.slice(0, 4).join('\n')}\n${rest}`);
      expect(verify()).toMatchObject({ isWhole: true, records: 4 });
    }
    // Only a process that saw more of it knows that something is gone.
    expect(codeOf(() => trail.append(() => [{ action: 'apply' }]))).toBe('IO_ERROR');
    again().append(() => [{ action: 'apply' }]);
    expect(verify()).toMatchObject({ isWhole: true, records: 5, notes: [] });
    writeFileSync(file(), `${lines.slice(0, 4).join('\n')}\n`);
    expect(verify().damage).toMatchObject({ how: 'tail cut' });
  });

  // AUDI-006.
  it.each([
    { why: 'in one file', rotateBytes: '1000000' },
    { why: 'over many files, each of which one begins', rotateBytes: '600' },
  ])('is one chain when three processes append at once, $why', async ({ rotateBytes }) => {
    const { dir, here, verify, again, folder } = trailGround(1);
    const children = [1, 2, 3].map(() =>
      spawn(process.execPath, [APPENDER, dir, here.root, '40', rotateBytes]),
    );
    for (const [code] of await Promise.all(children.map((child) => once(child, 'exit'))))
      expect(code).toBe(0);
    const seals = trailNumbers(folder).length - 1;
    expect(verify()).toMatchObject({ isWhole: true, records: 121 + seals, notes: [] });
    if (rotateBytes === '600') expect(seals).toBeGreaterThan(20);
    const start = again();
    for (const { pid } of children)
      for (let n = 0; n < 40; n += 1) expect(start.statusOf(`${pid} ${n}`).rejectedBy).toBe('ann');
  });

  it.each(['1000000', '600'])(
    'holds after kill -9 at any moment, and goes on: files of %s bytes',
    async (most) => {
      const { dir, here, verify, again, lines, headNow } = trailGround(1);
      for (let round = 0; round < 5; round += 1) {
        const child = spawn(process.execPath, [APPENDER, dir, here.root, '100000', most]);
        onTestFinished(() => end(child));
        const before = Number(headNow()?.['seq']);
        await started(child);
        await eventually(() => expect(headNow()?.['seq']).toBeGreaterThan(before + round));
        await end(child);
        expect(verify().isWhole).toBe(true);
        const start = again({ rotateBytes: Number(most) });
        start.append(() => [{ action: 'recover' }]);
        expect(verify()).toMatchObject({ isWhole: true, notes: [] });
        expect(start.statusOf(`${child.pid} 0`).rejectedBy).toBe('ann');
      }
      expect(lines(2).length > 0).toBe(most === '600');
    },
  );
});
