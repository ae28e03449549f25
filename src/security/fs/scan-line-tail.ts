// The end of a line that may be megabytes long, without a text being made of all of it.
import { readFd } from './ambient-fs.ts';

const PIECE_BYTES = 65_536;
const MOST_CARRIED = 1_024;
const LINE_END = 10;

/**
 * From the last `mark` of the first line on, so many bytes as ASCII; fewer where the line ends before that. Undefined
 * where no line ends, or none holds it. `length`: at least the mark's, and at most 1,024.
 */
export function scanLineTail(fd: number, mark: string, length: number): string | undefined {
  const piece = Buffer.alloc(PIECE_BYTES + MOST_CARRIED);
  let found: string | undefined;
  // What a mark at the end of the piece before may go on with.
  let carried = 0;
  for (let at = 0; ; ) {
    const count = readFd(fd, piece, carried, PIECE_BYTES, at);
    if (count === 0) return undefined;
    at += count;
    const filled = piece.subarray(0, carried + count);
    const end = filled.indexOf(LINE_END, carried);
    const line = end === -1 ? filled : filled.subarray(0, end);
    const from = line.lastIndexOf(mark);
    if (from !== -1) found = line.toString('latin1', from, from + length);
    if (end !== -1) return found;
    carried = Math.min(length, line.length);
    piece.copyWithin(0, line.length - carried, line.length);
  }
}
