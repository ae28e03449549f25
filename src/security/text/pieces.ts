// Tests texts of UTF-8 piece by piece, each of some whole lines. A copy of a large text would take longer than the test itself.
import { isAscii } from 'node:buffer';

const PIECE_BYTES = 4_096;
const LINE_FEED = 10;

/** True if the test is true for one of the pieces. `bytes` are well-formed. */
export function holdsPiece(bytes: Uint8Array, test: (piece: string) => boolean): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < buffer.length; ) {
    const lineBreak = buffer.indexOf(LINE_FEED, at + PIECE_BYTES);
    const end = lineBreak === -1 ? buffer.length : lineBreak + 1;
    const piece = buffer.subarray(at, end);
    if (test(piece.toString(isAscii(piece) ? 'latin1' : 'utf8'))) return true;
    at = end;
  }
  return false;
}
