// The end of a process that a test started: dead, not only told to die, so that nothing writes into a folder
// that is being removed.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
