// The file of the log, as a server uses it: what is no place for a log stops the start, and what becomes of the file while it is used is
// noticed. What stands in the log is in canaries.system.test.ts.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { jsonLines } from '../../harness/json-lines.ts';
import { startServer } from '../../harness/start-server.ts';
import { startToolServer } from '../../harness/tool-server.ts';
import { place } from '../fixture.ts';

function logPlace() {
  const { base, root } = place();
  const file = join(base, 'logs/own.log');
  mkdirSync(dirname(file));
  return { root, file, flags: ['--log-file', file, '--log-format', 'json'] };
}

it.each<{ why: string; make: (file: string) => void }>([
  { why: 'it is a symbolic link', make: (file) => symlinkSync('/dev/null', file) },
  { why: 'it cannot be opened for writing', make: (file) => mkdirSync(file) },
  {
    why: 'it is no plain file',
    make: (file) => {
      execFileSync('mkfifo', [file]);
      const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
      onTestFinished(() => closeSync(reader));
    },
  },
  {
    why: 'it has a second name, or belongs to another user, or others may write to it',
    make: (file) => {
      writeFileSync(file, '');
      linkSync(file, `${file}.2`);
    },
  },
  {
    why: 'it has a second name, or belongs to another user, or others may write to it',
    make: (file) => {
      writeFileSync(file, '');
      chmodSync(file, 0o620);
    },
  },
  { why: 'others can replace what stands in', make: (file) => chmodSync(dirname(file), 0o702) },
  { why: 'its folder does not exist', make: (file) => rmSync(dirname(file), { recursive: true }) },
])('a log file stops the start where $why (AUDI-002) [AUD-8]', async ({ why, make }) => {
  const { root, file, flags } = logPlace();
  make(file);
  await expect(startServer({ root, flags })).rejects.toThrow(`cannot log to ${JSON.stringify(file)}: ${why}`);
});

it.each(['/dev/full', '/dev/stdout', '/proc/self/fd/1', 'root/log.yaml'])(
  'a log in %s stops the start (AUDI-007) [AUD-8]',
  async (file) => {
    const { base, root } = place();
    const flags = ['--log-file', join(file.startsWith('/') ? '/' : base, file)];
    await expect(startServer({ root, flags })).rejects.toThrow(/log/u);
  },
);

it.each<{ why: string; put?: (file: string) => void }>([
  { why: 'is rotated away' },
  { why: 'is deleted', put: (file) => rmSync(`${file}.1`) },
  { why: 'is replaced by another', put: (file) => writeFileSync(file, '', { mode: 0o600 }) },
])(
  'a log file that $why is gone on with by its name, and the log says so (AUDI-004) [AUD-2]',
  async ({ put }) => {
    const { root, file, flags } = logPlace();
    const server = await startToolServer({ root, flags });
    onTestFinished(() => server.close());
    await server.ok('config_list');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    renameSync(file, `${file}.1`);
    put?.(file);
    for (const _ of [1, 2]) await server.ok('config_list');
    const events = jsonLines(readFileSync(file, 'utf8')).map(({ event }) => event);
    expect(events).toEqual(['log_reopened', 'tool_call', 'tool_call']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  },
);

it.each<{ why: string; put: (file: string) => void }>([
  { why: 'a link', put: (file) => symlinkSync(`${file}.1`, file) },
  { why: 'a folder', put: (file) => mkdirSync(file) },
  {
    why: 'a file that everybody can write to',
    put: (file) => {
      writeFileSync(file, '');
      chmodSync(file, 0o666);
    },
  },
])(
  'what replaces a log file gets no line where it is $why, and lines that are lost are counted (AUDI-004) [AUD-2]',
  async ({ put }) => {
    const { root, file, flags } = logPlace();
    const server = await startToolServer({ root, flags });
    onTestFinished(() => server.close());
    renameSync(file, `${file}.1`);
    put(file);
    const said = readFileSync(`${file}.1`, 'utf8');
    for (const _ of [1, 2]) await server.ok('config_list');
    expect(readFileSync(`${file}.1`, 'utf8')).toBe(said);
    rmSync(file, { recursive: true });
    await server.ok('config_list');
    const lines = jsonLines(readFileSync(file, 'utf8'));
    expect(lines.map(({ event, count }) => [event, count])).toEqual([
      ['log_reopened', undefined],
      ['log_lines_lost', 2],
      ['tool_call', undefined],
    ]);
  },
);
