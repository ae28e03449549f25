// A command in this process, from its words to its exit code, where no terminal, no signal and no start of a process matters.
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../src/cli/main.ts';
import { CLI } from './start-process.ts';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Given {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function runCommand(
  argv: readonly string[],
  { input = '', env = {} }: Given = {},
): Promise<Ended> {
  const restore = borrowProcess(env);
  const output = new PassThrough();
  const errors = new PassThrough();
  const [stdout, stderr] = [text(output), text(errors)];
  try {
    const status = await runCommandLine({
      script: CLI,
      argv,
      env,
      input: Readable.from([Buffer.from(input)]),
      output,
      errors,
    });
    output.end();
    errors.end();
    return { status, stdout: await stdout, stderr: await stderr };
  } finally {
    restore();
  }
}

/** A command forgets the environment, and changes the umask and the listeners of its process. Answers what puts them back. */
function borrowProcess(env: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  const listeners = new Set(process.listeners('SIGUSR1'));
  const umask = process.umask();
  const setEnvironment = (entries: Readonly<Record<string, string | undefined>>) => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, entries);
  };
  setEnvironment(env);
  return () => {
    setEnvironment(before);
    process.umask(umask);
    for (const listener of process.listeners('SIGUSR1'))
      if (!listeners.has(listener)) process.off('SIGUSR1', listener);
  };
}
