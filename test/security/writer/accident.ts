// A commit in which something happens just before one certain call to the disk, and all that comes of it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitContext } from '../../../src/security/writer/commit.ts';
import { trailOf } from '../../harness/state.ts';
import { refusalOfLater } from '../fixture.ts';
import { committing, type Ground, ground, own, plain } from './mortal.ts';

type Accident = (here: Ground) => void;

export const failing =
  (code: string): Accident =>
  () => {
    throw Object.assign(new Error(code), { errno: -1, code });
  };
export const editing =
  (file: string): Accident =>
  (here) =>
    writeFileSync(join(here.root, file), 'mine\n');

/** Has that happen before the call that is named, the `nth` time that it is made, and from then on where `isForGood`. */
export async function committed(
  files: readonly string[],
  at: {
    readonly call: string;
    readonly nth?: number;
    readonly act: Accident;
    readonly isForGood?: boolean;
    /** What the disk refuses from then on as well. */
    readonly after?: string;
  },
  changes: Partial<CommitContext> = {},
) {
  const here = ground(files);
  const made: string[] = [];
  let seen = 0;
  const refusal = await refusalOfLater(() =>
    committing(
      here,
      (call, name) => {
        const it = `${call} ${plain(name)}`.trim();
        made.push(it);
        if (seen > 0 && it === at.after) failing('EIO')(here);
        if (it !== at.call) return;
        seen += 1;
        if (seen === (at.nth ?? 1) || (seen > (at.nth ?? 1) && at.isForGood)) at.act(here);
      },
      changes,
    ),
  );
  const texts = files.map((file) => textOf(join(here.root, file)));
  const records = trailOf(join(here.base, 'state')).map(({ outcome, code }) =>
    [outcome, code].filter((each) => each !== undefined).join(' '),
  );
  return { here, refusal, texts, records, made, left: own(here).map((name) => plain(name)) };
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : 'gone';
}
