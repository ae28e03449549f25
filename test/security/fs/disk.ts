// A slow disk, through the functions of Node itself; and what this process has open.
import fs from 'node:fs';
import { vi } from 'vitest';

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
