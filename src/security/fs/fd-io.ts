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
  const bytes = bytesOf(text);
  for (let done = 0; done < bytes.length; ) done += writeFd(fd, bytes, done);
}

/** Made when it is first needed, and used again: fresh memory of that size costs more than what is done with it. */
let shared: Buffer | undefined;
const SHARED_BYTES = 262_144;

/** Good until the next text. */
function bytesOf(text: string): Uint8Array {
  if (Buffer.byteLength(text) > SHARED_BYTES) return Buffer.from(text, 'utf8');
  shared ??= Buffer.alloc(SHARED_BYTES);
  return shared.subarray(0, shared.write(text));
}
