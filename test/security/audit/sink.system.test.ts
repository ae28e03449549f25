// What a log line does where the descriptor takes only a part of it, or nothing, and which files are no place for one.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileSink, stderrSink } from '../../../src/security/audit/sink.ts';
import { quoted } from '../../../src/security/index.ts';
import { startServer } from '../../harness/start-server.ts';
import { place } from '../fixture.ts';
import { intercepted, type Take } from './log-stage.ts';

function complaintOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? `${error.constructor.name} ${error.message}` : 'no error';
  }
  return undefined;
}

function logPlace() {
  const { base } = place();
  const folder = join(base, 'logs');
  mkdirSync(folder);
  return { base, folder, file: join(folder, 'own.log') };
}

/** Each look at the clock is half a second after the one before. */
function fastClock(): void {
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 500));
  onTestFinished(() => clock.mockRestore());
}

describe('a line', () => {
  it.each<{ why: string; takes: Take[]; text: string }>([
    { why: 'in its middle', takes: [2, 'ENOSPC'], text: 'fi\nsecond\nthird\n' },
    { why: 'before its end', takes: [5, 'ENOSPC'], text: 'first\nsecond\nthird\n' },
    { why: 'at its beginning', takes: ['ENOSPC'], text: 'second\nthird\n' },
    { why: 'by an unknown fault', takes: [2, 'E2BIG'], text: 'fi\nsecond\nthird\n' },
  ])('that is cut off $why does not have the next one glued to it', ({ takes, text }) => {
    const stderr = intercepted(2, ...takes);
    const sink = stderrSink();
    expect(complaintOf(() => sink.write('first\n'))).toBe('Error test');
    for (const line of ['second\n', 'third\n']) sink.write(line);
    expect(stderr.text()).toBe(text);
  });

  it.each<{ why: string; before: Take[]; text: string }>([
    { why: 'at all', before: [], text: 'second\nthird\n' },
    { why: 'to its end', before: [2], text: 'fi\nsecond\nthird\n' },
  ])('that nobody reads $why holds the server up for a second, the next not at all', ({ before, text }) => {
    const stderr = intercepted(2, ...before, ...Array<Take>(9).fill(0));
    fastClock();
    const sink = stderrSink();
    for (const tries of [2 + before.length, 1, 1]) {
      const writes = stderr.writes();
      expect(complaintOf(() => sink.write('first\n'))).toBe('Error nobody reads the log');
      expect(stderr.writes() - writes).toBe(tries);
    }
    // Somebody reads again, and so has a second again.
    stderr.takes();
    sink.write('second\n');
    stderr.takes(0);
    sink.write('third\n');
    expect(stderr.text()).toBe(text);
  });
});

describe('a file that the log does not trust', () => {
  it.each([
    { why: 'it is a symbolic link', make: (file: string) => symlinkSync('/dev/null', file) },
    { why: 'it cannot be opened for writing', make: (file: string) => mkdirSync(file) },
    {
      why: 'it is no plain file',
      make: (file: string) => {
        execFileSync('mkfifo', [file]);
        const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
        onTestFinished(() => closeSync(reader));
      },
    },
    {
      why: 'it has a second name, or belongs to another user, or others may write to it',
      make: (file: string) => {
        writeFileSync(file, '');
        linkSync(file, `${file}.2`);
      },
    },
    {
      why: 'it has a second name, or belongs to another user, or others may write to it',
      make: (file: string) => {
        writeFileSync(file, '');
        chmodSync(file, 0o620);
      },
    },
    {
      why: 'others can replace what stands in "FOLDER" on the way to it: take the right to write there from the group and from all (chmod go-w)',
      make: (file: string) => chmodSync(join(file, '..'), 0o702),
    },
    {
      why: 'its folder does not exist',
      make: (file: string) => rmSync(join(file, '..'), { recursive: true }),
    },
  ])('AUDI-002 is named, and why: $why [AUD-8]', ({ why, make }) => {
    const { file } = logPlace();
    make(file);
    expect(complaintOf(() => fileSink(file))).toBe(
      `StartError cannot log to ${quoted(file)}: ${why.replace('FOLDER', dirname(file))}`,
    );
  });

  it('inside a root stops the start (AUDI-007) [AUD-8]', async () => {
    const { root } = place();
    const started = startServer({ root, flags: ['--log-file', join(root, 'log.yaml')] });
    await expect(started).rejects.toThrow('the log file is inside a root');
  });

  it('is what stands there once the folder was replaced by a link, and none is made there', () => {
    const { file, folder, base } = logPlace();
    const sink = fileSink(file);
    renameSync(folder, join(base, 'moved'));
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), folder);
    const complaint = `StartError cannot log to ${quoted(file)}: its folder was replaced by a link`;
    expect(complaintOf(() => sink.refresh())).toBe(complaint);
    expect(readdirSync(join(base, 'elsewhere'))).toEqual([]);
    // The very file, by way of the link, is at its place.
    rmSync(folder);
    symlinkSync(join(base, 'moved'), folder);
    expect(sink.refresh()).toBe(false);
  });
});

describe('a log file that was rotated away', () => {
  it('is gone on with in a new one, which does not begin with the end of a line', () => {
    const { file } = logPlace();
    const sink = fileSink(file);
    expect([sink.refresh(), sink.path]).toEqual([false, file]);
    const full = intercepted('any', 2, 'ENOSPC');
    expect(complaintOf(() => sink.write('first\n'))).toBe('Error test');
    full.end();
    renameSync(file, `${file}.1`);
    expect([sink.refresh(), sink.refresh()]).toEqual([true, false]);
    sink.write('second\n');
    expect(readFileSync(file, 'utf8')).toBe('second\n');
  });
});
