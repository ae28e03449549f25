// Keeps the process's memory, and with it what was read, out of core dumps. Linux only, and best effort: a
// debugger of the same user reads the memory all the same.
import { ambientOpen, O_WRONLY, writeFd } from './ambient-fs.ts';
import { closingFd } from './fd-io.ts';

/** Whether it could be done. */
export function keepOutOfCoreDumps(): boolean {
  try {
    const filter = ambientOpen('/proc/self/coredump_filter', O_WRONLY);
    // A mask of the kinds of memory that are dumped: none.
    return closingFd(filter, (fd) => writeFd(fd, Buffer.from('0'), 0)) === 1;
  } catch {
    return false;
  }
}
