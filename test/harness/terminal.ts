// The built command at a pseudo-terminal, with a person who reads before they type: util-linux `script` makes
// it, which is part of every Debian. Elsewhere tests with it skip.
import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { end } from './end.ts';
import { CLI } from './start-process.ts';
import { PATIENCE_MS } from './wait.ts';

export const HAS_TERMINAL =
  process.platform === 'linux' &&
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

export const ENTER = '\r';
export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';

export interface Window {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** Typed before the command starts. */
  readonly early?: string | undefined;
}

export interface Screen {
  /** Waits until this was shown, behind what was waited for before. Throws with what there is instead. */
  sees(text: string | RegExp): Promise<void>;
  types(text: string): void;
  /** Everything so far, byte for byte. */
  raw(): string;
  /** Without colours, and with plain line ends. */
  text(): string;
  /** Waits for the end of the command. `isSane`: the terminal echoes and edits lines again. */
  ends(): Promise<{ readonly status: number | null; readonly isSane: boolean }>;
}

export function atTerminal(
  args: readonly string[],
  { env = {}, columns = 80, rows = 24, early }: Window = {},
): Screen {
  const command = [process.execPath, CLI, ...args].map(quoted).join(' ');
  // The shell takes one line, and with it all that follows is in the terminal's queue before the command starts.
  const wait = early === undefined ? '' : 'read -r _;';
  const line = `stty cols ${columns} rows ${rows}; ${wait} ${command}; code=$?; echo; echo STTY; stty -a; exit $code`;
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', SHELL: '/bin/sh', ...env },
  });
  onTestFinished(() => end(child));
  if (early !== undefined) child.stdin.write(`${ENTER}${early}`);
  let shown = '';
  let read = 0;
  let wake = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    shown += chunk;
    wake();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      resolve(code);
      wake();
    });
  });
  const more = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('nothing more was shown')), PATIENCE_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    sees: async (text) => {
      for (;;) {
        const rest = plain(shown).slice(read);
        const at = typeof text === 'string' ? rest.indexOf(text) : rest.search(text);
        const length = typeof text === 'string' ? text.length : (text.exec(rest)?.[0].length ?? 0);
        if (at !== -1) {
          read += at + length;
          return;
        }
        if (child.exitCode !== null) throw new Error(`not shown: ${String(text)}; but:\n${rest}`);
        await more().catch(() => {
          throw new Error(`not shown in time: ${String(text)}; but:\n${rest}`);
        });
      }
    },
    types: (text) => void child.stdin.write(text),
    raw: () => shown,
    text: () => plain(shown).split('\nSTTY\n', 1)[0] ?? '',
    ends: async () => {
      const status = await ended;
      const settings = plain(shown).split('\nSTTY\n')[1] ?? '';
      return { status, isSane: / echo /.test(settings) && / icanon /.test(settings) };
    },
  };
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r\n', '\n');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
