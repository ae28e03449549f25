// Reads and writes small texts in open files whole, checks that a file is ours, and always closes the descriptor.
import { closeFd, type FileFacts, readFd, writeFd } from './ambient-fs.ts';

export function isOurs({ kind, uid, mode }: FileFacts): boolean {
  const self = process.geteuid?.();
  // Windows has neither owners nor modes.
  return kind === 'file' && (self === undefined || (uid === self && (mode & 0o022) === 0));
}

/** Reads `length` bytes from the offset `from`; fewer where the file ends earlier. */
export function readBytes(fd: number, length: number, from: number): Buffer {
  const bytes = Buffer.alloc(Math.max(length, 0));
  let done = 0;
  while (done < bytes.length) {
    const count = readFd(fd, bytes, done, bytes.length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

export function readText(fd: number, length: number, from: number): string {
  return readBytes(fd, length, from).toString('utf8');
}

export function writeAll(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  for (let done = 0; done < bytes.length; ) done += writeFd(fd, bytes, done);
}

export function closing<Resource extends { close(): void }, Result>(
  resource: Resource,
  use: (resource: Resource) => Result,
): Result {
  try {
    return use(resource);
  } finally {
    resource.close();
  }
}

/** Returns what `use` answers, and closes the file descriptor. */
export function closingFd<Result>(fd: number, use: (fd: number) => Result): Result {
  return closing({ close: () => closeFd(fd) }, () => use(fd));
}
