// What the disk is asked for, in its order, and a disk that fails: through the functions of Node itself. Linux only: it
// says which descriptor is which.
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { openStateDir } from '../../../src/security/index.ts';
import { StateFolder } from '../../../src/security/records/state-folder.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { codeOf, place } from '../fixture.ts';

export type DiskCall =
  | 'writeSync'
  | 'fsyncSync'
  | 'linkSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'ftruncateSync'
  | 'fchmodSync'
  | 'readSync'
  | 'opendirSync';

/** Without those that only look. */
const EFFECTS = ['writeSync', 'fsyncSync', 'linkSync', 'renameSync', 'unlinkSync', 'ftruncateSync'] as const;

function failure(code: string): Error {
  return Object.assign(new Error(code), { code, errno: -1, syscall: 'open' });
}

/** The `nth` such call fails until the mocks are restored. */
export function failing(call: DiskCall, code: string, nth = 1): void {
  const real = fs[call];
  let calls = 0;
  vi.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
    calls += 1;
    if (calls === nth) throw failure(code);
    return Reflect.apply(real, fs, args);
  });
}

/** The disk gives and takes that many bytes at a time until the mocks are restored. */
export function slowDisk(most: number): void {
  const { readSync, writeSync } = fs;
  vi.spyOn(fs, 'readSync').mockImplementation((...args: unknown[]) => {
    const [fd, into, offset, length, position] = args;
    return Reflect.apply(readSync, fs, [fd, into, offset, Math.min(Number(length), most), position]);
  });
  vi.spyOn(fs, 'writeSync').mockImplementation((...args: unknown[]) => {
    const [fd, bytes, offset, length] = args;
    return Reflect.apply(writeSync, fs, [fd, bytes, offset, Math.min(Number(length), most)]);
  });
}

/** Each effect as `sync preview.json`; a draft's name is `draft`. */
export function effectsOf(act: () => unknown): readonly string[] {
  const found: string[] = [];
  for (const call of EFFECTS) {
    const real = fs[call];
    vi.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
      const names = args.slice(0, call === 'linkSync' || call === 'renameSync' ? 2 : 1).map(nameOf);
      found.push([call.replace(/Sync$/u, '').replace('fsync', 'sync'), ...names].join(' '));
      return Reflect.apply(real, fs, args);
    });
  }
  try {
    act();
  } finally {
    vi.restoreAllMocks();
  }
  return found;
}

export const isLinux = process.platform === 'linux';

/** A folder of a state directory, and what stands in it. */
export function openedFolder() {
  const here = place(memoryDisk());
  const dir = join(here.base, 'folder');
  fs.mkdirSync(dir, { mode: 0o700 });
  const folder = new StateFolder(pinRoot(isLinux ? 'fd-walk' : 'checked', dir));
  onTestFinished(() => folder.close());
  const at = (name: string) => join(dir, name);
  return {
    ...{ dir, folder, at },
    write: (name: string, text: string, mode = 0o600) => fs.writeFileSync(at(name), text, { mode }),
    text: (name: string) => fs.readFileSync(at(name), 'utf8'),
    /** What all of it leaves open. */
    leaks: (act: () => unknown) => {
      const before = openDescriptors(dir);
      codeOf(act);
      return openDescriptors(dir) - before;
    },
  };
}

/** How many this process has open below a folder: what it still closes elsewhere is of no interest. */
export function openDescriptors(below: string): number {
  return fs.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(below);
    } catch {
      // That of the listing itself is closed by now.
      return false;
    }
  }).length;
}

function nameOf(of: unknown): string {
  const path = typeof of === 'number' ? fs.readlinkSync(`/proc/self/fd/${of}`) : String(of);
  const name = basename(path.replace(/ \(deleted\)$/u, ''));
  return name.endsWith('.draft') ? 'draft' : name;
}

export { messageOf } from '../../harness/refusals.ts';

/** Where a state directory may come to be. */
export function dirToOpen() {
  const here = place(memoryDisk());
  const dir = join(here.base, 'state');
  const roots = [{ name: undefined, dir: here.root }];
  const open = () => {
    const state = openStateDir(dir, roots);
    onTestFinished(() => state.close());
    return state;
  };
  return { here, dir, roots, open };
}

export const PRIVATE = { mode: 0o700 };
