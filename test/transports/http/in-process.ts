// The transport without a socket: requests of the web go in, and responses come out. What a socket adds is tested with the
// built command, in test/security/attacks/http.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLog } from '../../../src/security/audit/log.ts';
import { closeStore } from '../../../src/security/state/open-store.ts';
import { type AirlockOptions, forManyClients, openAirlock } from '../../../src/server.ts';
import { randomHex, sha256Hex } from '../../../src/state/canonical.ts';
import { createApp } from '../../../src/transports/http/app.ts';
import { type CallLimits, Limits } from '../../../src/transports/http/limits.ts';
import { type Authenticator, TokenFile } from '../../../src/transports/http/tokens.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { tempRoot } from '../../harness/temp-root.ts';

export const URL_OF_MCP = 'http://127.0.0.1:8080/mcp';
export const BODY_BYTES = 100_000;

/** `ann` may write, `bob` may read, and `old` has a token that was good until last year. */
export const TOKENS = { ann: secret(), bob: secret(), old: secret() };

function secret(): string {
  return `airlock_${randomHex(32)}`;
}

export function lineOf(name: string, scopes: string, expiry: string, token: string): string {
  return `${name} ${scopes} ${expiry} sha256:${sha256Hex(token)}\n`;
}

export const LINES = [
  lineOf('ann', 'config:read,config:write', '2999-12-31', TOKENS.ann),
  lineOf('bob', 'config:read', '2999-12-31T12:00Z', TOKENS.bob),
  lineOf('old', 'config:read,config:write', '2020-12-31', TOKENS.old),
].join('');

export interface InProcess {
  readonly tokensFile: string;
  readonly authenticator: Authenticator;
  readonly root: string;
  readonly state: string;
  /** As a client sends it: with the length of its body, and the host that it was given. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** A message by whoever has the token, and what came of it. */
  call(token: string, message: object, headers?: Record<string, string>): Promise<Answer>;
  log(): readonly Readonly<Record<string, unknown>>[];
  end(): void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of an answer in JSON, or of the one event of a stream. */
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Options {
  readonly airlock?: Partial<AirlockOptions>;
  readonly limits?: Partial<CallLimits>;
  readonly authenticator?: Authenticator;
  readonly url?: string;
}

export async function startInProcess(options: Options = {}): Promise<InProcess> {
  const { airlock: more = {}, limits = {}, url = URL_OF_MCP } = options;
  const place = tempRoot({ 'root/a.yaml': 'a: 1\n', 'root/b.yaml': 'b: 1\n', tokens: LINES }, memoryDisk());
  const at = (name: string): string => join(place.dir, name);
  const log = createLog({ level: 'debug', format: 'json', file: at('log') });
  const opened = await openAirlock({ roots: [at('root')], stateDir: at('state'), log, ...more });
  const airlock = await forManyClients(opened);
  const authenticator = options.authenticator ?? new TokenFile(at('tokens'), log);
  let isEnding = false;
  const app = createApp({
    ...{ airlock, authenticator, url: new URL(url), hostnames: ['127.0.0.1', 'localhost'] },
    limits: new Limits({ atOnce: 8, perMinute: 600, ...limits }),
    maxBodyBytes: BODY_BYTES,
    isEnding: () => isEnding,
  });
  onTestFinished(async () => {
    await app.close();
    airlock.engine.close();
    airlock.sandbox.close();
    if (airlock.state !== undefined) await closeStore(airlock.state);
    place.remove();
  });
  const send: InProcess['fetch'] = (to, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('host')) headers.set('host', new URL(to).host);
    const { body } = init;
    if (typeof body === 'string' && !headers.has('content-length'))
      headers.set('content-length', `${Buffer.byteLength(body)}`);
    const over: (() => void)[] = [];
    const answered = app.fetch(new Request(to, { ...init, headers }), (done) => over.push(done));
    void answered.finally(() => {
      for (const done of over) done();
    });
    return answered;
  };
  return {
    ...{ authenticator, tokensFile: at('tokens'), root: at('root'), state: at('state'), fetch: send },
    call: async (token, message, headers = {}) => {
      const usual = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
      return answerOf(await send(url, { method: 'POST', headers: { ...usual, ...headers }, body }));
    },
    log: () => jsonLines(readFileSync(at('log'), 'utf8')),
    end: () => {
      isEnding = true;
    },
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const data = /^data: (.*)$/mu.exec(text)?.[1] ?? text;
  const { status, headers } = response;
  return { status, headers, text, json: data.startsWith('{') ? JSON.parse(data) : {} };
}

/** As a client of before 2026-07-28 calls a tool. */
export function toolCall(name: string, args: object): object {
  return { method: 'tools/call', params: { name, arguments: args } };
}

export function rewriteTokens({ tokensFile }: InProcess, text: string): void {
  writeFileSync(tokensFile, text);
}
