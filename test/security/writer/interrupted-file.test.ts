// One file that a dead commit left: what it is now, and that each way on asks everything again before it replaces anything.
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { newNameOf, oldNameOf } from '../../../src/security/paths/denylist.ts';
import { InterruptedFile } from '../../../src/security/writer/interrupted-file.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { sha256 } from '../../harness/sha256.ts';
import { codeOf, isRoot, place } from '../fixture.ts';
import { counted, type Heed } from './counted.ts';

afterEach(() => vi.restoreAllMocks());

const BATCH = 'ab'.repeat(12);
const LIMIT = 10;
const INTENDED = { name: 'a.yaml', base: sha256('old\n'), result: sha256('new\n') };

/** The file and its temporary ones with these contents; undefined where there is none. */
function left(file: string | undefined, fresh?: string, old?: string, heed: Heed = () => {}) {
  const here = place(memoryDisk());
  const at = (name: string) => join(here.root, name);
  const paths = { file: at('a.yaml'), fresh: at(newNameOf(BATCH, 3)), old: at(oldNameOf(BATCH, 3)) };
  if (file !== undefined) writeFileSync(paths.file, file, { mode: 0o640 });
  if (fresh !== undefined) writeFileSync(paths.fresh, fresh, { mode: 0o640 });
  if (old !== undefined) writeFileSync(paths.old, old, { mode: 0o640 });
  const directory = pinRoot('fd-walk', here.root);
  onTestFinished(() => directory.close());
  const one = new InterruptedFile(counted(directory, heed), INTENDED, { batch: BATCH, index: 3 }, LIMIT);
  return { ...here, paths, one };
}

const text = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

describe('a file that was left', () => {
  const [OLD, NEW, BAD, MINE] = ['old\n', 'new\n', 'bad\n', 'my\n'];
  it.each([
    { of: [OLD, NEW, OLD], is: 'base, pending, can finish' },
    { of: [OLD, NEW, undefined], is: 'base, pending, can finish' },
    { of: [OLD, BAD, OLD], is: 'base, pending' },
    { of: [OLD, undefined, OLD], is: 'base, pending' },
    { of: [OLD, undefined, undefined], is: 'base' },
    { of: [NEW, undefined, OLD], is: 'result, pending, can finish, can undo' },
    { of: [NEW, NEW, OLD], is: 'result, pending, can finish, can undo' },
    { of: [NEW, undefined, BAD], is: 'result, pending, can finish' },
    { of: [NEW, undefined, undefined], is: 'result, can finish' },
    { of: [MINE, NEW, OLD], is: 'other, pending' },
    { of: [MINE, undefined, OLD], is: 'other, pending, can finish' },
    { of: [undefined, NEW, OLD], is: 'other, pending' },
  ])('of $of is $is', ({ of: [file, fresh, old], is }) => {
    const { one } = left(file, fresh, old);
    const can = [one.isPending && 'pending', one.canFinish() && 'can finish', one.canUndo() && 'can undo'];
    expect([one.state(), ...can].filter((each) => each !== false).join(', ')).toBe(is);
  });

  it('becomes the new one or the old one again, if it is the other', () => {
    const begun = left('old\n', 'new\n', 'old\n');
    const open = readdirSync('/proc/self/fd').length;
    expect([begun.one.undo(), begun.one.finish(), begun.one.finish()]).toEqual([false, true, false]);
    expect([text(begun.paths.file), text(begun.paths.fresh)]).toEqual(['new\n', undefined]);
    expect([begun.one.undo(), begun.one.undo()]).toEqual([true, false]);
    expect([text(begun.paths.file), text(begun.paths.old)]).toEqual(['old\n', undefined]);
    expect(readdirSync('/proc/self/fd')).toHaveLength(open);
  });

  it('is left alone where it, or what it was to become, is gone', () => {
    const gone = left(undefined, NEW, OLD).one;
    expect([gone.finish(), gone.undo()]).toEqual([false, false]);
    expect([left(OLD).one.finish(), left(NEW).one.undo()]).toEqual([false, false]);
  });

  it.each([
    { mode: 0o600, kept: 0o600, changes: 1 },
    { mode: 0o6755, kept: 0o755, changes: 1 },
    { mode: 0o640, kept: 0o640, changes: 0 },
    { mode: 0o4640, kept: 0o640, changes: 0 },
  ])('keeps the mode $mode that it has now as $kept, for good', ({ mode, kept, changes }) => {
    const { one, paths } = left('old\n', 'new\n');
    chmodSync(paths.file, mode);
    const [chmod, sync] = [vi.spyOn(fs, 'fchmodSync'), vi.spyOn(fs, 'fsyncSync')];
    const open = readdirSync('/proc/self/fd').length;
    expect(one.finish()).toBe(true);
    expect(statSync(paths.file).mode & 0o7777).toBe(kept);
    expect([chmod.mock.calls.length, sync.mock.calls.length]).toEqual([changes, changes]);
    expect(readdirSync('/proc/self/fd')).toHaveLength(open);
  });
  it.each([
    { why: 'the file has a second name', act: ({ file }: Paths) => linkSync(file, `${file}.link`) },
    { why: 'the new contents have a second name', act: ({ fresh }: Paths) => linkSync(fresh, `${fresh}.x`) },
    {
      why: 'the new contents are a link to their like',
      act: ({ fresh }: Paths) => {
        renameSync(fresh, `${fresh}.aside`);
        symlinkSync(`${fresh}.aside`, fresh);
      },
    },
    {
      why: 'a folder stands there',
      act: ({ fresh }: Paths) => {
        rmSync(fresh);
        mkdirSync(fresh);
      },
    },
  ])('stays as it is where $why', ({ act }) => {
    const { one, paths } = left('old\n', 'new\n');
    act(paths);
    expect([one.finish(), text(paths.file)]).toEqual([false, 'old\n']);
  });

  it.skipIf(!isRoot).each([
    { why: 'another owner', uid: 7, gid: 0 },
    { why: 'another group', uid: 0, gid: 8 },
  ])('stays as it is where the new contents have $why (needs root to make some)', ({ uid, gid }) => {
    const { one, paths } = left('old\n', 'new\n');
    chownSync(paths.fresh, uid, gid);
    expect([one.finish(), text(paths.file)]).toEqual([false, 'old\n']);
    chownSync(paths.file, uid, gid);
    expect([one.finish(), text(paths.file)]).toEqual([true, 'new\n']);
  });

  it.skipIf(!isRoot)('stays as it is where it is of another, and so are the new contents', () => {
    const { one, paths } = left('old\n', 'new\n');
    for (const path of [paths.file, paths.fresh]) chownSync(path, 7, 0);
    vi.spyOn(process, 'geteuid').mockReturnValue(1234);
    expect([one.finish(), text(paths.file)]).toEqual([false, 'old\n']);
    one.drop();
    expect(text(paths.fresh)).toBe('new\n');
  });

  it('is not read beyond the limit', () => {
    const { one, paths } = left('old\n', 'new\n');
    writeFileSync(paths.file, 'x'.repeat(LIMIT + 1));
    expect(codeOf(() => one.state())).toBe('FILE_TOO_LARGE');
  });

  /** Before the `nth` call of that kind about that name, once. */
  const before = (call: string, nth: number, act: () => void): Heed => {
    let seen = 0;
    return (made, name) => {
      if (`${made} ${name}`.startsWith(call)) seen += 1;
      if (seen === nth) {
        seen += 1;
        act();
      }
    };
  };
  const FRESH = newNameOf(BATCH, 3);
  it.each([
    { why: 'vanished', call: `hold ${FRESH}`, act: (p: Paths) => rmSync(p.fresh), file: 'old\n' },
    {
      why: 'were replaced',
      call: `hold ${FRESH}`,
      act: (p: Paths) => {
        writeFileSync(`${p.fresh}.x`, 'bad\n');
        renameSync(`${p.fresh}.x`, p.fresh);
      },
      file: 'old\n',
    },
    {
      why: 'were for a file that vanished',
      call: 'look a.yaml',
      act: (p: Paths) => rmSync(p.file),
      file: undefined,
    },
    {
      why: 'were for a file that was replaced',
      call: 'look a.yaml',
      act: (p: Paths) => {
        writeFileSync(`${p.file}.x`, 'old\n');
        renameSync(`${p.file}.x`, p.file);
      },
      file: 'old\n',
    },
    {
      why: 'were for a file that was edited',
      call: 'look a.yaml',
      act: (p: Paths) => writeFileSync(p.file, 'mine\n'),
      file: 'mine\n',
    },
  ])('stays as somebody left it a moment before, where the new contents $why', ({ call, act, file }) => {
    const late: { act?: () => void } = {};
    const { one, paths } = left(
      'old\n',
      'new\n',
      undefined,
      before(call, call.startsWith('hold') ? 2 : 1, () => late.act?.()),
    );
    late.act = () => act(paths);
    const open = readdirSync('/proc/self/fd').length;
    expect(one.finish()).toBe(false);
    expect(text(paths.file)).toBe(file);
    expect(readdirSync('/proc/self/fd')).toHaveLength(open);
  });
});

interface Paths {
  readonly file: string;
  readonly fresh: string;
}

it('what is temporary goes, and nothing that only has its name', () => {
  const { one, paths, root } = left('old\n', 'new\n', 'old\n');
  one.drop();
  one.drop();
  expect(readdirSync(root)).toEqual(['a.yaml']);
  mkdirSync(paths.fresh);
  linkSync(paths.file, paths.old);
  one.drop();
  expect(readdirSync(root).sort()).toEqual([FRESH_NAME, oldNameOf(BATCH, 3), 'a.yaml'].sort());
  rmSync(paths.fresh, { recursive: true });
  rmSync(paths.old);
  symlinkSync('a.yaml', paths.old);
  one.drop();
  expect(readdirSync(root).sort()).toEqual([oldNameOf(BATCH, 3), 'a.yaml'].sort());
});

const FRESH_NAME = newNameOf(BATCH, 3);
