// Reads a file that the operator named on the command line, whole and as strict UTF-8, if nobody else can change it. It is not
// for paths from an agent: no policy is asked, and symbolic links are followed.
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { ambientOpen, closingFd, factsOfFd, O_NONBLOCK, O_RDONLY, readBytes } from '../fs/ambient-fs.ts';
import { whyUntrusted } from '../fs/trusted-file.ts';
import { quoted } from '../text/visible.ts';

const MOST_BYTES = 1_000_000;

/** Reads the text. Throws StartError. */
export function readOperatorFile(file: string): string {
  const reason = whyUntrusted(file);
  if (reason !== undefined) throw refused(file, reason);
  return readPlainFile(file);
}

/** Reads the text of a file that proves itself, whoever could change it. Throws StartError. */
export function readPlainFile(file: string): string {
  // The open does not block, because a FIFO at this path must not hang the start.
  const fd = ignoring('all', () => ambientOpen(file, O_RDONLY | O_NONBLOCK));
  if (fd === undefined) throw refused(file, 'it does not exist, or may not be read');
  return closingFd(fd, () => {
    const { kind, sizeBytes } = factsOfFd(fd);
    if (kind !== 'file') throw refused(file, 'it is no plain file');
    if (sizeBytes > MOST_BYTES) throw refused(file, `it is larger than ${MOST_BYTES} bytes`);
    const bytes = readBytes(fd, sizeBytes, 0);
    const text = ignoring('all', () => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (text === undefined) throw refused(file, 'it is not UTF-8');
    return text;
  });
}

function refused(file: string, reason: string): StartError {
  return new StartError(`cannot read ${quoted(file)}: ${reason}`);
}
