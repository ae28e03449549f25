// The person of the recording: sits at a pseudo-terminal that util-linux `script` makes, reads, and types.
import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

export const HAS_TERMINAL =
  process.platform === 'linux' &&
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

const PATIENCE_MS = 200_000;

/**
 * Runs a command at a terminal; answers each question once it is shown. Resolves to what the screen held, without
 * colours and with them, and the exit code.
 * @param {readonly string[]} command
 * @param {readonly (readonly [question: string, answer: string])[]} answers
 * @param {Readonly<Record<string, string>>} env
 * @returns {Promise<{ text: string, raw: string, status: number | null }>}
 */
export function atTerminal(command, answers, env) {
  const line = `stty cols 94 rows 50; exec ${command.map(quoted).join(' ')}`;
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '1', ...env },
  });
  let text = '';
  let read = 0;
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    for (let [next] = left; next !== undefined && text.includes(next[0], read); [next] = left) {
      read = text.indexOf(next[0], read) + next[0].length;
      left.shift();
      child.stdin.write(`${next[1]}\r`);
    }
  });
  // Who waits at a terminal for a question that never comes gets up at last.
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      clearTimeout(patience);
      resolve({ text: stripVTControlCharacters(text).replaceAll('\r\n', '\n'), raw: text, status });
    });
  });
}

/** @param {string} word */
function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
