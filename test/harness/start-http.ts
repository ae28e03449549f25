// The built command as a service over HTTP on a port that the system chooses, and whatever bytes one likes to send to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { randomHex, sha256Hex } from '../../src/state/canonical.ts';
import { end } from './end.ts';
import { jsonLines } from './json-lines.ts';
import { memoryDisk } from './memory-disk.ts';
import { CLI } from './start-process.ts';
import { tempRoot } from './temp-root.ts';
import { eventually } from './wait.ts';

export interface HttpServer {
  readonly child: ChildProcess;
  readonly port: number;
  readonly url: string;
  readonly tokens: Readonly<Record<'ann' | 'bob' | 'old', string>>;
  readonly tokensFile: string;
  disk(file: string): string;
  log(): readonly Readonly<Record<string, unknown>>[];
  /** All that it has written, to both of its outputs. */
  output(): string;
  /** Sends these bytes on a connection of their own, and answers all that comes until it is closed. */
  exchange(text: string): Promise<string>;
  /** The exit code, once it has ended. */
  readonly exit: Promise<number | null>;
  /** Kills it where it still runs, and removes all that it had. */
  close(): Promise<void>;
}

export const FILES = { 'a.yaml': 'a: 1 # one\n', 'b.yaml': 'b: 1\n' };

export interface HttpOptions {
  readonly scheme?: string;
  /** A file of tokens and a root that others use as well; of its own if it is not said. */
  readonly beside?: { readonly tokensFile: string; readonly root: string };
}

/** `flags` are added to those of a server on loopback with tokens. */
export async function startHttp(
  flags: readonly string[] = [],
  { scheme = 'http', beside }: HttpOptions = {},
): Promise<HttpServer> {
  const tokens = { ann: tokenOf(), bob: tokenOf(), old: tokenOf() };
  const lines = [
    lineOf('ann', 'config:read,config:write', '2999-12-31', tokens.ann),
    lineOf('bob', 'config:read', '2999-12-31', tokens.bob),
    lineOf('old', 'config:read,config:write', '2020-12-31', tokens.old),
  ];
  const place = tempRoot({ tokens: lines.join(''), ...inRoot(FILES) }, memoryDisk());
  const at = (name: string): string => join(place.dir, name);
  const { tokensFile, root } = beside ?? { tokensFile: at('tokens'), root: at('root') };
  const isShared = flags.includes('--state');
  writeFileSync(at('log'), '', { mode: 0o600 });
  const out = openSync(at('log'), 'a');
  const argv = [
    'serve',
    '--http',
    '127.0.0.1:0',
    '--http-tokens',
    tokensFile,
    '--root',
    isShared ? `shop=${root}` : root,
    ...flags,
  ];
  const child = spawn(process.execPath, [CLI, ...argv], {
    env: {
      PATH: process.env['PATH'] ?? '',
      AIRLOCK_LOG_LEVEL: 'debug',
      AIRLOCK_STATE_DIR: at('state'),
    },
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const exit = once(child, 'exit').then(([code]): number | null => code);
  const output = () => readFileSync(at('log'), 'utf8');
  const log = () => jsonLines(output());
  const port = await eventually(() => {
    const found = log().find(({ event }) => event === 'listening');
    if (found === undefined) throw new Error(`it does not listen: ${output()}`);
    return Number(found['port']);
  });
  return {
    ...{ child, port, tokens, exit, output, log, tokensFile },
    url: `${scheme}://127.0.0.1:${port}/mcp`,
    disk: (file) => readFileSync(join(root, file), 'utf8'),
    exchange: (text) => exchange(port, text),
    close: async () => {
      await end(child);
      place.remove();
    },
  };
}

function inRoot(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`root/${name}`, text]));
}

export function tokenOf(): string {
  return `airlock_${randomHex(32)}`;
}

export function lineOf(name: string, scopes: string, expiry: string, token: string): string {
  return `${name} ${scopes} ${expiry} sha256:${sha256Hex(token)}\n`;
}

async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server that closes while we still send is part of some tests.
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return Buffer.concat(chunks).toString('latin1');
}
