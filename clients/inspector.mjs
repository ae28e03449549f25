// The MCP inspector on its command line: a process and a connection for each call.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { textOf } from './sdk-session.mjs';

const INSPECTOR = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));
const run = promisify(execFile);

export function openHttp(url, headers) {
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const ask = async (...args) => {
    const all = ['--cli', url, '--transport', 'http', ...given, ...args];
    // It ends with an error where a tool refuses, and prints the refusal all the same.
    const { stdout } = await run(INSPECTOR, all, { maxBuffer: 10e6 }).catch((error) => {
      if (error.stdout) return error;
      throw error;
    });
    return JSON.parse(stdout);
  };
  return {
    names: async () => (await ask('--method', 'tools/list')).tools.map(({ name }) => name),
    call: async (name, args) => {
      const texts = Object.entries(args).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const { content, isError } = await ask('--method', 'tools/call', '--tool-name', name, ...texts);
      return { text: textOf(content), isRefused: isError === true };
    },
    close: async () => undefined,
  };
}
