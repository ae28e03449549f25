// The socket: 127.0.0.1 and nothing else, few connections, small heads, short patience. Hands on whole requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { StartError } from '../../security/index.ts';

export interface Listener {
  /** As in `127.0.0.1:4711`. */
  readonly authority: string;
  close(): void;
}

/** The only place to listen at. There is no option for another. */
const LOOPBACK = '127.0.0.1';

const BOUNDS = {
  // Cookies know no ports: those of other servers on this machine come along.
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
  requireHostHeader: true,
  insecureHTTPParser: false,
} as const;
const MOST_CONNECTIONS = 32;
const MOST_REQUESTS_PER_CONNECTION = 200;
const SILENCE_MS = 15_000;

/** Throws StartError where the port is taken or not ours to take. */
export async function listen(
  port: number,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listener> {
  const server = createServer(BOUNDS, onRequest);
  server.maxRequestsPerSocket = MOST_REQUESTS_PER_CONNECTION;
  server.setTimeout(SILENCE_MS, (socket) => socket.destroy());
  const open = new Set<IncomingMessage['socket']>();
  server.on('connection', (socket) => {
    if (socket.remoteAddress !== LOOPBACK) socket.destroy();
    // Whoever connects and says nothing must not lock the person out: who has been there longest goes.
    const [longest] = open;
    if (open.size >= MOST_CONNECTIONS && longest !== undefined) {
      open.delete(longest);
      longest.destroy();
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  // Neither proxies nor other protocols.
  server.on('connect', (_, socket) => socket.destroy());
  server.on('upgrade', (_, socket) => socket.destroy());
  server.on('checkContinue', (_, response) => response.writeHead(417, { connection: 'close' }).end());
  server.on('clientError', (_, socket) => {
    if (socket.writable)
      socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(new StartError(`cannot listen on ${LOOPBACK}:${port}: it is taken, or not ours`)),
    );
    server.listen({ host: LOOPBACK, port, exclusive: true }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string' || address.address !== LOOPBACK) {
    server.close();
    throw new StartError(`cannot listen: the system gave another address than ${LOOPBACK}`);
  }
  return {
    authority: `${LOOPBACK}:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
