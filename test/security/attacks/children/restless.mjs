// Writes to a file without a pause until it is ended: `grow` appends, `shrink` truncates and fills again,
// `touch` rewrites the same bytes. It says one line once it has begun.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

const [file, how] = process.argv.slice(2);
const fd = openSync(file, how === 'grow' ? 'a' : 'r+');
const line = `# ${'x'.repeat(4_000)}\n`;
process.on('SIGTERM', () => process.exit(0));
process.stdout.write('begun\n');
for (let round = 0; ; round++) {
  if (how === 'shrink') ftruncateSync(fd, 5);
  writeSync(fd, line, how === 'grow' ? null : 5);
  if (round % 1_000 === 0) await new Promise(setImmediate);
  if (how === 'grow' && round > 500_000) break;
}
closeSync(fd);
