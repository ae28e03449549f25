// Reads a file that the operator named on the command line, whole and as strict UTF-8, wherever it
// stands. Not for anything an agent says: no policy is asked, and symbolic links are followed.

import { StartError } from '../errors/start-error.ts';
import { ambientOpen, closeFd, factsOfFd, O_NONBLOCK, O_RDONLY, readFd } from '../fs/ambient-fs.ts';
import { quoted } from '../text/visible.ts';

const MOST_BYTES = 1_000_000;

/** Throws StartError. */
export function readOperatorFile(file: string): string {
  const fd = opened(file);
  try {
    const { kind, sizeBytes } = factsOfFd(fd);
    if (kind !== 'file') throw refused(file, 'it is no plain file');
    if (sizeBytes > MOST_BYTES) throw refused(file, `it is larger than ${MOST_BYTES} bytes`);
    const bytes = Buffer.alloc(sizeBytes);
    let done = 0;
    for (let count = -1; count !== 0 && done < sizeBytes; done += count) {
      count = readFd(fd, bytes, done, sizeBytes - done, done);
    }
    return decoded(bytes.subarray(0, done), file);
  } finally {
    closeFd(fd);
  }
}

function opened(file: string): number {
  try {
    // Non-blocking: a FIFO in its place must not hang the start.
    return ambientOpen(file, O_RDONLY | O_NONBLOCK);
  } catch {
    throw refused(file, 'it does not exist, or may not be read');
  }
}

function decoded(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(file, 'it is not UTF-8');
  }
}

function refused(file: string, reason: string): StartError {
  return new StartError(`cannot read ${quoted(file)}: ${reason}`);
}
