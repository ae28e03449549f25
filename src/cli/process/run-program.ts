// Starts a program of the operator for the command `watch`: without a shell and without arguments, in a process group of its own,
// for a limited time. Nothing else in this project starts a program.
import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';

export interface ProgramInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text for its stdin. */
  readonly text: string;
  readonly timeLimitMs: number;
}

/** Runs a program. Returns how it ended: `exit 0`, `exit 3`, `signal SIGKILL`, `not started`, or `out of time`. */
export function runProgram(file: string, { env, text, timeLimitMs }: ProgramInput): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(file, [], {
      // The output of the program goes to stderr, as the errors of this command do.
      stdio: ['pipe', 2, 2],
      cwd: dirname(file),
      detached: true,
      shell: false,
      env: { ...env },
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child);
    }, timeLimitMs);
    const end = (how: string) => {
      clearTimeout(timer);
      // Processes that the program has started and left behind are ended, too.
      killGroup(child);
      resolve(how);
    };
    child.on('error', () => end('not started'));
    child.on('exit', (code, signal) =>
      end(isLate ? 'out of time' : code === null ? `signal ${signal}` : `exit ${code}`),
    );
    // A program may end without reading its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}
