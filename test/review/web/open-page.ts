// The page over a review service of its own, and a client that can send whatever it likes to it, byte by byte.
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { UndoActions } from '../../../src/review/web/routes.ts';
import { serveReviewPage } from '../../../src/review/web/serve-page.ts';
import { createLog } from '../../../src/security/audit/log.ts';
import { reviewFixture } from '../fixture.ts';

export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A page that ann has opened at her terminal; `tick` moves its clock. */
export async function openPage(undoing?: UndoActions) {
  const here = await reviewFixture();
  const logFile = `${here.here.base}/page-log.jsonl`;
  const log = createLog({ level: 'debug', format: 'json', file: logFile });
  let time = 0;
  const page = await serveReviewPage({
    service: here.service,
    key: here.keys.ann,
    port: 0,
    log,
    undoing,
    clock: () => time,
    now: here.now,
  });
  onTestFinished(() => page.close());
  const { host, port, pathname } = new URL(page.url);
  const send = (text: string | Uint8Array) => exchange(Number(port), text);
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    send(requestText('GET', path, { host, ...headers }));
  return {
    ...{ ...here, page, host, port: Number(port), logFile, send, get, secretPath: pathname },
    tick: (minutes: number) => {
      time += minutes * 60_000;
    },
    /** A session, as a browser would have it. */
    enter: async () => {
      const { headers } = await get(pathname);
      const base = (headers.get('location') ?? '').replace(/\/$/u, '');
      const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
      const list = await get(`${base}/`, { cookie });
      const token = /name="token" value="([\w-]+)"/u.exec(list.body)?.[1] ?? '';
      const own = { host, cookie, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      return {
        ...{ base, cookie, token },
        get: (path: string) => get(`${base}${path}`, { cookie }),
        /** `headers`: what is different; undefined takes one out. */
        post: (
          path: string,
          fields: Readonly<Record<string, string>> | string = { token },
          headers: Readonly<Record<string, string | undefined>> = {},
        ) => {
          const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
          const type = 'application/x-www-form-urlencoded';
          const length = `${Buffer.byteLength(body)}`;
          const all = { ...own, 'content-type': type, 'content-length': length, ...headers };
          return send(requestText('POST', `${base}${path}`, all) + body);
        },
      };
    },
  };
}

export function requestText(
  method: string,
  target: string,
  headers: Readonly<Record<string, string | undefined>>,
): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/**
 * Sends all of it, and answers the first reply; status 0 where the connection was closed without one. `and ends`:
 * says that no more will come.
 */
export function exchange(port: number, text: string | Uint8Array, rest?: 'and ends'): Promise<Reply> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let got = '';
    const end = () => {
      socket.destroy();
      resolve(parsed(got));
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      got += chunk;
      if (isWhole(got)) end();
    });
    socket.on('error', end);
    socket.on('close', end);
    if (rest === 'and ends') socket.end(text);
    else socket.write(text);
  });
}

function isWhole(text: string): boolean {
  const at = text.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)\r$/imu.exec(text)?.[1];
  return at !== -1 && length !== undefined && Buffer.byteLength(text.slice(at + 4)) >= Number(length);
}

function parsed(text: string): Reply {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/su);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(first.split(' ')[1] ?? 0), headers, body };
}
