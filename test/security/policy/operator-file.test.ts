// A file that the operator names is read whole, as what it is, and refused where it is anything else: as a policy to `policy lint`.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../harness/run-command.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const FINE = '\ufeffdefault: preview\nrules: [{ id: a, paths: x, then: human }] # caf\u00e9\n';
const long = (bytes: number) => FINE.slice(1).padEnd(bytes - 1, '#');

it.each<{ why: string; says: string; make: (file: string) => void }>([
  { why: 'UTF-8', says: 'nothing found', make: (file) => writeFileSync(file, FINE) },
  {
    why: 'a link',
    says: 'nothing found',
    make: (file) => {
      writeFileSync(`${file}.real`, FINE);
      symlinkSync(`${file}.real`, file);
    },
  },
  { why: 'a million bytes', says: 'nothing found', make: (file) => writeFileSync(file, long(1_000_000)) },
  { why: 'more', says: 'larger than 1000000 bytes', make: (file) => writeFileSync(file, long(1_000_001)) },
  { why: 'nothing', says: 'does not exist', make: () => undefined },
  { why: 'a folder', says: 'no plain file', make: (file) => mkdirSync(file) },
  { why: 'a FIFO', says: 'no plain file', make: (file) => void execFileSync('mkfifo', ['-m', '600', file]) },
  { why: 'Latin-1', says: 'not UTF-8', make: (file) => writeFileSync(file, Buffer.from([0x63, 0xe9])) },
  {
    why: 'a file that others can write',
    says: 'others may write to it',
    make: (file) => {
      writeFileSync(file, FINE);
      chmodSync(file, 0o666);
    },
  },
])('the operator names $why: $says', async ({ says, make }) => {
  const place = tempRoot();
  onTestFinished(() => place.remove());
  const file = join(place.dir, 'policy.yaml');
  make(file);
  const { status, stdout, stderr } = await runCommand(['policy', 'lint', file]);
  expect(`${stdout}${stderr}`).toContain(says);
  expect(status).toBe(says === 'nothing found' ? 0 : 2);
});
