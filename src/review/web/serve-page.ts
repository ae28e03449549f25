// Serves the page of `review --web` on 127.0.0.1, for one person and one session. It ends when it is not used. It does not protect
// against a program of the same user, which could read the key itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../listener/listen.ts';
import type { ReviewerKey } from '../../security/approval/reviewer-key.ts';
import type { Log } from '../../security/audit/log.ts';
import { StartError } from '../../security/errors/start-error.ts';
import type { PendingFilter } from '../pending.ts';
import type { ReviewService } from '../review-service.ts';
import { type PageReply, pageReply, redirect } from './answer.ts';
import { readForm } from './form.ts';
import { headerValue, type PageRequest, requestError } from './guards.ts';
import { addressesBelow, noSessionPage, REFRESH_PATH, refusedPage } from './pages/layout.ts';
import { getPage, postForm, type UndoActions, type Visit } from './routes.ts';
import { Session } from './session.ts';

export interface PageOptions {
  readonly service: ReviewService;
  /** The key that signs decisions on the page; it is dropped when the session ends. */
  readonly key: ReviewerKey;
  /** The port; 0 means any that is free. */
  readonly port: number;
  readonly log: Log;
  /** The actions to undo changes; left out where the files are on another machine. */
  readonly undoing?: UndoActions | undefined;
  /** The filter of the queue at the start. */
  readonly filter?: PendingFilter;
  readonly now?: () => Date;
  /** A clock in milliseconds that never goes back. */
  readonly clock?: () => number;
}

export interface ReviewPage {
  /** The address for the person at the terminal only: it holds the secret, and works once. */
  readonly url: string;
  /** The reason of the end: the person asked for it, or nobody used the page. */
  readonly ended: Promise<'asked' | 'unused'>;
  close(): void;
}

const CHECK_INTERVAL_MS = 1_000;
/** The only address to listen at; no option changes it. */
const LOOPBACK = '127.0.0.1';
const BOUNDS = {
  ...{ connections: 32, requestsPerConnection: 200 },
  ...{ requestMs: 10_000, keepAliveMs: 5_000, silenceMs: 15_000 },
} as const;

/** Serves the page. Throws StartError for a key that is not listed, and where it cannot listen. */
export async function serveReviewPage(options: PageOptions): Promise<ReviewPage> {
  const page = new Page(options);
  const listener = await listen({
    ...{ host: LOOPBACK, port: options.port, onlyFrom: LOOPBACK, bounds: BOUNDS },
    onRequest: (asked, response) => void page.answer(asked, response),
  });
  if (listener.address !== LOOPBACK) {
    listener.close();
    throw new StartError(`cannot listen: the system gave another address than ${LOOPBACK}`);
  }
  return page.begin(`${LOOPBACK}:${listener.port}`, () => listener.close());
}

class Page {
  readonly #options: Required<Omit<PageOptions, 'key' | 'undoing'>> & Pick<PageOptions, 'undoing'>;
  readonly #session: Session;
  readonly #reviewer: string;
  #key: ReviewerKey | undefined;
  #filter: PendingFilter;
  #authority = '';
  #finish: (why: 'asked' | 'unused') => void = () => undefined;

  constructor({ key, ...options }: PageOptions) {
    this.#options = { now: () => new Date(), clock: () => performance.now(), filter: {}, ...options };
    this.#filter = this.#options.filter;
    this.#session = new Session(this.#options.clock);
    this.#reviewer = options.service.nameOf(key);
    this.#key = key;
  }

  begin(authority: string, close: () => void): ReviewPage {
    this.#authority = authority;
    const look = setInterval(() => {
      if (this.#session.hasEnded()) this.#finish('unused');
    }, CHECK_INTERVAL_MS);
    const ended = new Promise<'asked' | 'unused'>((resolve) => {
      this.#finish = (why) => {
        clearInterval(look);
        this.#key = undefined;
        close();
        resolve(why);
      };
    });
    return {
      url: `http://${authority}/enter/${this.#session.secret}`,
      ended,
      close: () => this.#finish('asked'),
    };
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      send(response, await this.#answerTo(request));
    } catch (error) {
      this.#options.log.event('error', 'page_failed', {
        error_name: error instanceof Error ? error.name : typeof error,
      });
      if (!response.headersSent) send(response, pageReply(500, refusedPage(500)));
    }
  }

  async #answerTo(request: IncomingMessage): Promise<PageReply> {
    const asked = pageRequestOf(request);
    const fault = requestError(asked, this.#authority);
    if (fault !== undefined) return this.#refused(fault.status, fault.reason);
    const [, secret] = /^\/enter\/([\w-]+)$/u.exec(asked.url) ?? [];
    if (secret !== undefined && asked.method === 'GET') return this.#enter(secret);
    const { base } = this.#session;
    const path = asked.url.slice(base.length);
    // The request that the browser repeats by itself does not count as use.
    const isUse = path !== REFRESH_PATH;
    if (!asked.url.startsWith(`${base}/`) || !this.#session.admits(headerValue(asked, 'cookie'), isUse))
      return this.#closed('session');
    const answer = asked.method === 'GET' ? await this.#page(path) : await this.#post(path, request);
    return answer ?? pageReply(404, refusedPage(404));
  }

  #enter(secret: string): PageReply {
    const cookie = this.#session.enter(secret);
    if (cookie === undefined) return this.#closed('secret');
    const { base } = this.#session;
    this.#options.log.event('info', 'page_opened');
    return redirect(`${base}/`, { value: cookie, path: base });
  }

  async #page(path: string): Promise<PageReply | undefined> {
    const visit = this.#visit();
    return visit === undefined ? this.#closed('session') : getPage(path, visit);
  }

  async #post(path: string, request: IncomingMessage): Promise<PageReply | undefined> {
    // Node reads no more of it than the length that the guards have allowed.
    const form = readForm(await buffer(request));
    if (form === undefined) return this.#refused(400, 'form');
    if (!this.#session.isOurForm(form.get('token')?.[0])) return this.#refused(403, 'token');
    // The session is checked again, because it may have ended while the body was read.
    const visit = this.#visit();
    return visit === undefined ? this.#closed('session') : postForm(path, form, visit);
  }

  #visit(): Visit | undefined {
    if (this.#key === undefined || this.#session.hasEnded()) return undefined;
    const { service, now, undoing } = this.#options;
    const { base, formToken } = this.#session;
    return {
      ...{ service, undoing, key: this.#key },
      frame: {
        ...{ at: addressesBelow(base), formToken, now: now(), reviewer: this.#reviewer },
        canUndo: undoing !== undefined,
      },
      filter: this.#filter,
      setFilter: (filter) => {
        this.#filter = filter;
      },
      // The delay lets the answer be sent first.
      end: () => void setTimeout(() => this.#finish('asked'), 100),
    };
  }

  /** Refuses a request in the same words, whether or not there is a session. */
  #closed(reason: string): PageReply {
    return this.#refused(403, reason, noSessionPage());
  }

  #refused(status: number, reason: string, page = refusedPage(status)): PageReply {
    this.#options.log.event('warn', 'page_refused', { reason, status: `${status}` });
    return pageReply(status, page, status === 405 ? { allow: 'GET, POST' } : {});
  }
}

function pageRequestOf({ method = '', url = '', rawHeaders }: IncomingMessage): PageRequest {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  return { method, url, headers };
}

function send(response: ServerResponse, { status, headers, body }: PageReply): void {
  // A refused client may still be sending, so its connection is closed.
  const ends = status >= 400 ? { connection: 'close' } : {};
  response.writeHead(status, { ...headers, ...ends, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
