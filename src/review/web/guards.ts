// Checks the head of a request before its content is read. It must be sent to this server by its name, by a page of this server or a
// person who typed the address, and never from a frame. Another site can make a browser send requests, but cannot forge these headers.

/** The head of a request as it was sent. It is plain data, so that tests can make any. */
export interface PageRequest {
  readonly method: string;
  readonly url: string;
  /** The headers with names in lower case, in their order, repeated ones included. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The reason for a refusal, as a word for the log, and the status. */
export interface RequestError {
  readonly status: number;
  readonly reason: string;
}

const MAX_URL_LENGTH = 300;
const MAX_BODY_BYTES = 65_536;

/** Checks a request; undefined if it is fine. `authority` is such as `127.0.0.1:4711`. */
export function requestError(asked: PageRequest, authority: string): RequestError | undefined {
  return addressError(asked, authority) ?? senderError(asked, authority) ?? bodyError(asked);
}

export function headerValue({ headers }: PageRequest, name: string): string | undefined {
  return headers.find(([key]) => key === name)?.[1];
}

function addressError(asked: PageRequest, authority: string): RequestError | undefined {
  if (asked.method !== 'GET' && asked.method !== 'POST') return { status: 405, reason: 'method' };
  // In an attack by DNS rebinding, the attacker's own name is in the host header.
  if (headerValues(asked, 'host').join() !== authority) return { status: 421, reason: 'host' };
  // Only plain paths are accepted: no scheme and host, no query, no escapes, no dots.
  if (asked.url.length > MAX_URL_LENGTH || !/^\/(?:[\w-]+\/)*[\w-]*$/u.test(asked.url))
    return { status: 404, reason: 'path' };
  return undefined;
}

function senderError(asked: PageRequest, authority: string): RequestError | undefined {
  const { method } = asked;
  const [site, mode, dest, origin] = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'origin'].map(
    (name) => headerValues(asked, name).join() || undefined,
  );
  // A page that is fetched ahead would use up the secret before anybody has seen it.
  if (/prefetch|prerender/u.test(`${headerValue(asked, 'sec-purpose')} ${headerValue(asked, 'purpose')}`))
    return { status: 403, reason: 'prefetch' };
  if (dest !== undefined && dest !== 'document') return { status: 403, reason: 'frame' };
  if (mode !== undefined && mode !== 'navigate') return { status: 403, reason: 'fetch' };
  if (method === 'GET') return undefined;
  // Every modern browser says where a form was sent from; a request that does not say it is refused.
  if (origin !== `http://${authority}`) return { status: 403, reason: 'origin' };
  if (site !== 'same-origin') return { status: 403, reason: 'site' };
  return undefined;
}

function bodyError(asked: PageRequest): RequestError | undefined {
  const lengths = headerValues(asked, 'content-length');
  const hasOther = ['transfer-encoding', 'content-encoding', 'trailer', 'expect', 'upgrade'].some(
    (name) => headerValue(asked, name) !== undefined,
  );
  if (hasOther) return { status: 400, reason: 'encoding' };
  if (asked.method === 'GET') return lengths.join('') === '' ? undefined : { status: 400, reason: 'body' };
  if (!/^\d{1,9}$/u.test(lengths.join())) return { status: 411, reason: 'length' };
  if (Number(lengths[0]) > MAX_BODY_BYTES) return { status: 413, reason: 'size' };
  if (headerValues(asked, 'content-type').join() !== 'application/x-www-form-urlencoded')
    return { status: 415, reason: 'type' };
  return undefined;
}

function headerValues({ headers }: PageRequest, name: string): readonly string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}
