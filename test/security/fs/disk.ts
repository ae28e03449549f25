// What the disk is asked for, in its order, and a disk that fails: through the functions of Node itself. Linux only: it
// says which descriptor is which.
import fs from 'node:fs';
import { basename } from 'node:path';
import { vi } from 'vitest';

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
