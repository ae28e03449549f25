// Where a sync costs nothing: for what is made and removed by the thousand, and for what no test looks at.
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const TMPFS = 0x01021994;
const LEAST_BYTES = 250_000_000;

/** Where there is none with some room, the usual place. */
export function memoryDisk(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    const { type, bavail, bsize } = statfsSync('/dev/shm');
    return type === TMPFS && bavail * bsize > LEAST_BYTES ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}
