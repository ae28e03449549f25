// A disk that fails at any call of a commit, once or from then on: the files stay as they were or become what
// they were to be, all together; the answer has the code of the failure; and the next start finds nothing left.
import { readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onDiskCalls } from '../../harness/disk-calls.mjs';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { timesOf } from '../../harness/runs.ts';
import { codeOfLater, type Place, place, rewritten } from '../fixture.ts';
import { bury, own } from './mortal.ts';

const OLD = `a: old\n${'# old\n'.repeat(500)}`;
const NEW = `a: new\n${'# new\n'.repeat(500)}`;

const FAULTS = [
  { errno: 'ENOSPC', code: 'NO_SPACE' },
  { errno: 'EDQUOT', code: 'NO_SPACE' },
  { errno: 'EFBIG', code: 'IO_ERROR' },
  { errno: 'EROFS', code: 'PERMISSION_DENIED' },
  { errno: 'EACCES', code: 'PERMISSION_DENIED' },
  { errno: 'EIO', code: 'IO_ERROR' },
  { errno: 'EMFILE', code: 'BUSY' },
] as const;

const COMMITS = [
  { what: 'one file', files: ['a.yaml'] },
  { what: 'three files of two folders', files: ['a.yaml', 'd/b.yaml', 'd/c.yaml'] },
] as const;

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: a fault of the test`), { errno: -1, code, syscall: 'test' });
}

async function prepared(files: readonly string[]) {
  const here = place(memoryDisk());
  for (const file of files) here.write(`root/${file}`, OLD, 0o640);
  const sandbox = here.open();
  const edits = files.map((file) => rewritten(sandbox, file, NEW));
  await here.state();
  return { ...here, sandbox, apply: (to = edits) => here.commit(sandbox, to) };
}

function states({ root }: Place, files: readonly string[]): string {
  const found = files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    if ((statSync(join(root, file)).mode & 0o7777) !== 0o640) return 'another mode';
    return text === OLD ? 'old' : text === NEW ? 'new' : 'torn';
  });
  return [...new Set(found)].join(' and ');
}

/** Of the log, or in the state directory with the audit trail: a descriptor, or a name in a folder that one holds. */
function isOfLog(of: unknown): boolean {
  const path = typeof of === 'number' ? `/proc/self/fd/${of}` : String(of);
  const [, fd = '', name = ''] = /^(\/proc\/self\/fd\/\d+)(.*)$/u.exec(path) ?? [];
  return /\/state(?:\/|$)|log\.jsonl$/u.test(fd === '' ? path : readlinkSync(fd) + name);
}

/** Runs it with a disk that fails from that call on; `isOver` where there were fewer. */
async function failing(
  act: () => Promise<unknown>,
  { step, errno, isForGood }: { step: number; errno: string; isForGood: boolean },
): Promise<{ readonly code: string; readonly isOver: boolean; readonly wasLog: boolean }> {
  let calls = 0;
  let wasLog = false;
  const stop = onDiskCalls((_name, args) => {
    calls += 1;
    if (calls < step || (calls > step && !isForGood)) return;
    wasLog ||= isOfLog(args[0]);
    throw failure(errno);
  });
  try {
    return { code: await codeOfLater(act), isOver: calls < step, wasLog };
  } finally {
    stop();
  }
}

describe.each(COMMITS)('a commit of $what', ({ files }) => {
  it.each([
    { how: 'once', isForGood: false },
    { how: 'from then on', isForGood: true },
  ])('is whole, and says why, where the disk fails at any call of it $how [WRT-8]', async ({ isForGood }) => {
    const outcomes = new Set<string>();
    for (let step = 1, isOver = false; !isOver; step += 1) {
      const { errno, code } = FAULTS[step % FAULTS.length] ?? FAULTS[0];
      const here = await prepared(files);
      const answer = await failing(() => here.apply(), { step, errno, isForGood });
      isOver = answer.isOver;
      const why = `call ${step}, ${errno}, ${answer.code}`;
      if (answer.code === 'no error') expect(states(here, files), why).toBe('new');
      else expect([code, answer.wasLog ? 'IO_ERROR' : code], why).toContain(answer.code);
      if (answer.code !== 'no error' && !isForGood) expect(states(here, files), why).toBe('old');
      here.sandbox.close();
      bury(here);
      (await here.start()).close();
      outcomes.add(`${answer.code === 'no error' ? 'done' : 'refused'}: ${states(here, files)}`);
      expect(['old', 'new'], why).toContain(states(here, files));
      expect(own(here), why).toEqual([]);
    }
    expect(outcomes).toContain('refused: old');
    expect(outcomes).toContain('done: new');
  });

  it('can be repeated by the same server once the disk works again [WRT-8]', async () => {
    // `npm run test:long` tries each of them.
    for (let step = 1, isOver = false; !isOver; step += timesOf(4, 1)) {
      const here = await prepared(files);
      const answer = await failing(() => here.apply(), { step, errno: 'EIO', isForGood: true });
      isOver = answer.isOver;
      const again = () =>
        codeOfLater(() => here.apply(files.map((file) => rewritten(here.sandbox, file, `# ${step}\n`))));
      const code = await again();
      const why = `call ${step}, ${answer.code}`;
      // What could not be put back at once was put back first.
      if (code === 'FILE_CHANGED')
        expect([states(here, files), await again()], why).toEqual(['old', 'no error']);
      else expect(code, why).toBe('no error');
      here.sandbox.close();
    }
  });

  it.skipIf(files.length === 1)(
    'harms no other folder where one of its folders vanishes at any call',
    async () => {
      for (let step = 1, isOver = false; !isOver; step += timesOf(2, 1)) {
        const here = await prepared(files);
        let calls = 0;
        const stop = onDiskCalls(() => {
          calls += 1;
          if (calls === step) rmSync(join(here.root, 'd'), { recursive: true });
        });
        const code = await codeOfLater(() => here.apply());
        stop();
        isOver = calls < step;
        expect(
          ['no error', 'FILE_NOT_FOUND', 'FILE_CHANGED', 'IO_ERROR', 'BUSY'],
          `${step}: ${code}`,
        ).toContain(code);
        expect(['old', 'new'], `${step}`).toContain(states(here, ['a.yaml']));
        here.sandbox.close();
        bury(here);
        (await here.start()).close();
        expect(['old', 'new'], `${step}`).toContain(states(here, ['a.yaml']));
        expect(own(here), `${step}`).toEqual([]);
      }
    },
  );
});
