// A slow disk, through the functions of Node itself.
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
