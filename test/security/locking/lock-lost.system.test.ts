// A lock whose contents a power cut took: without an owner it is broken only where it is older than this run of the machine.
import { linkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { codeOfLater } from '../fixture.ts';
import type { Heed } from '../writer/counted.ts';
import { prepared } from './lockable.ts';

afterEach(() => vi.restoreAllMocks());

/** As if the machine had been started again since. */
function started(): void {
  const later = Date.now() + uptime() * 1_000 + 60_000;
  vi.spyOn(Date, 'now').mockReturnValue(later);
}

type Prepared = ReturnType<typeof prepared>;

describe('a lock without contents', () => {
  const empty = ({ stands }: Prepared) => stands('');
  it.each<{ why: string; make: (at: Prepared) => void; isNow?: boolean; is: boolean }>([
    { why: 'is dead where it is older than this run', make: empty, is: true },
    { why: 'is dead where only zeros are left', make: ({ stands }) => stands('\0\0\0'), is: true },
    { why: 'may be alive where it is younger', make: empty, isNow: true, is: false },
    { why: 'is none of ours where it has others', make: ({ stands }) => stands('\0x\0'), is: false },
    {
      why: 'is none of ours where it has a second name',
      make: ({ stands, file, root }) => {
        stands('');
        linkSync(file, join(root, 'second'));
      },
      is: false,
    },
    {
      why: 'is none of ours where it is a link',
      make: ({ file, base }) => {
        writeFileSync(join(base, 'empty'), '');
        symlinkSync(join(base, 'empty'), file);
      },
      is: false,
    },
  ])('$why', async ({ make, isNow = false, is }) => {
    const at = prepared();
    make(at);
    if (!isNow) started();
    expect(await codeOfLater(async () => (await at.lock()).release())).toBe(is ? 'no error' : 'BUSY');
    expect(at.names()).toEqual(is ? [] : [LOCK_NAME]);
  });

  it('is broken by one at a time: by whoever makes the file that is named after its number', async () => {
    const { file, stands, lock } = prepared();
    stands('');
    const number = statSync(file).ino.toString(16).padStart(32, '0');
    started();
    const named: string[] = [];
    const heed: Heed = (call, names) => {
      if (call === 'link') named.push(names.split(' ').at(-1) ?? '');
    };
    (await lock(heed)).release();
    expect(named.filter((name) => name !== LOCK_NAME)).toEqual([`${LOCK_NAME}.${number}`]);
  });
});
