// A text of ours in an open file: whose it is, all of it read, all of it written.
import { type FileFacts, readFd, writeFd } from './ambient-fs.ts';

export function isOurs({ kind, uid, mode }: FileFacts): boolean {
  const self = process.geteuid?.();
  // Windows knows neither.
  return kind === 'file' && (self === undefined || (uid === self && (mode & 0o022) === 0));
}

export function readText(fd: number, length: number, from: number): string {
  const bytes = Buffer.alloc(Math.max(length, 0));
  let done = 0;
  while (done < bytes.length) {
    const count = readFd(fd, bytes, done, bytes.length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.toString('utf8', 0, done);
}

export function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) done += writeFd(fd, bytes, done);
}
