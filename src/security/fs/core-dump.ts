// Keeps the process's memory, and with it what was read, out of core dumps. This works on Linux only, and a
// debugger of the same user can read the memory all the same.
import { ambientOpen, closingFd, O_WRONLY, writeFd } from './ambient-fs.ts';

/** Returns true if the core dump filter could be set. */
export function keepOutOfCoreDumps(): boolean {
  try {
    const filter = ambientOpen('/proc/self/coredump_filter', O_WRONLY);
    // The filter is a mask of the kinds of memory that are dumped; 0 dumps none.
    return closingFd(filter, (fd) => writeFd(fd, Buffer.from('0'), 0)) === 1;
  } catch {
    return false;
  }
}
