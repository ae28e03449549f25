// Random bytes, each given out once. Drawn from the system many at a time, for a draw costs as much as a small file.
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(1024);
let given = pool.length;

export function freshBytes(count: number): Buffer {
  if (given + count > pool.length) {
    randomFillSync(pool);
    given = 0;
  }
  const bytes = Buffer.from(pool.subarray(given, given + count));
  // Nobody finds here what was given out.
  pool.fill(0, given, given + count);
  given += count;
  return bytes;
}
