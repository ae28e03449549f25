// Routes requests to the addresses of the server, after Host and Origin were checked. So a foreign host name that points here, or a
// page of another site, gets no answer.
import { hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';
import { createEndpoint, type Endpoint, type EndpointOptions, type OnFinished, refusal } from './endpoint.ts';

export interface AppOptions extends Omit<EndpointOptions, 'metadataUrl'> {
  /** The address by which clients know the endpoint. */
  readonly url: URL;
  /** The host names by which this server may be called, and whose pages may call it. */
  readonly hostnames: readonly string[];
  readonly isEnding: () => boolean;
}

export interface HttpApp extends Pick<Endpoint, 'close'> {
  fetch(request: Request, onOver: OnFinished): Promise<Response>;
}

/** The limit of log records about refused requests, so that clients cannot fill the disk with them. */
const MAX_RECORDS_PER_MINUTE = 60;

export function createApp(options: AppOptions): HttpApp {
  const { url, airlock, isEnding } = options;
  const { metadata } = options.authenticator;
  const hostnames = [...options.hostnames];
  // RFC 9728 inserts the prefix like this.
  const wellKnown = new URL(`/.well-known/oauth-protected-resource${url.pathname.replace(/\/$/u, '')}`, url);
  const { answer, close } = createEndpoint({ ...options, metadataUrl: metadata && wellKnown.href });
  let [minute, count] = [0, 0];

  async function route(request: Request, onOver: OnFinished): Promise<Response> {
    const foreign =
      hostHeaderValidationResponse(request, hostnames) ?? originValidationResponse(request, hostnames);
    if (foreign !== undefined) return foreign;
    if (isEnding()) return refusal(503, 'the server is about to end', { 'retry-after': '5' });
    const { pathname } = new URL(request.url);
    if (pathname === url.pathname) return answer(request, onOver);
    const isRead = request.method === 'GET';
    if (isRead && pathname === '/healthz') return Response.json({ status: 'ok' });
    if (isRead && pathname === wellKnown.pathname && metadata !== undefined) return Response.json(metadata);
    return refusal(404, 'there is nothing at this address');
  }

  function record(status: number): void {
    const now = Math.floor(performance.now() / 60_000);
    [minute, count] = now === minute ? [minute, count + 1] : [now, 1];
    if (count <= MAX_RECORDS_PER_MINUTE) airlock.log.event('warn', 'http_refused', { status: `${status}` });
  }

  return {
    fetch: async (request, onOver) => {
      const response = await route(request, onOver);
      const { status, headers } = response;
      headers.set('cache-control', 'no-store');
      headers.set('x-content-type-options', 'nosniff');
      // The client decides whether the connection stays; the SDK would keep that of each stream.
      headers.delete('connection');
      if (status >= 400) {
        // Status 405 is not recorded, because clients of revisions before 2026-07-28 ask once whether there is a stream to read.
        if (status !== 405) record(status);
        // The unread rest of the request is still on its connection, so that is closed.
        headers.set('connection', 'close');
      }
      return response;
    },
    close,
  };
}
