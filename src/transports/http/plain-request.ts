// Refuses requests that two programs may read differently. This server and a proxy in front must see the same token and path.
import type { ListenOptions } from '../../listener/listen.ts';

type OnRequest = ListenOptions['onRequest'];
type RequestHead = Pick<Parameters<OnRequest>[0], 'url' | 'rawHeaders'>;

/** A path without a scheme, a host, empty parts or dots; a query may follow. */
const PLAIN_TARGET = /^(?=\/)(?:(?!\/{2}|\/\.{1,2}(?:[/?]|$)|%2e|\\).)*$/iu;
const TOKEN = /^[^,]*$/u;

function isPlain({ url = '', rawHeaders }: RequestHead): boolean {
  const tokens = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization',
  );
  const [token = ''] = tokens;
  return PLAIN_TARGET.test(url) && tokens.length <= 1 && TOKEN.test(token);
}

/** Serves plain requests only. */
export function plainOnly(serve: (...asked: Parameters<OnRequest>) => unknown): OnRequest {
  return (request, response) => {
    if (isPlain(request)) void serve(request, response);
    else response.writeHead(400, { connection: 'close' }).end();
  };
}
