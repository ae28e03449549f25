// A socket that speaks HTTP/1.1 within bounds: few connections, small heads, short patience. Hands on requests whose head
// is whole, and knows nothing of what they ask for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { ignoring, StartError } from '../security/index.ts';

export interface Bounds {
  /** Where there are more, the one that has had no request under way for the longest is closed. */
  readonly connections: number;
  readonly requestsPerConnection: number;
  /** For a request to arrive as a whole. */
  readonly requestMs: number;
  /** A connection ends when nobody has said anything for so long: between two requests, and at any time. */
  readonly keepAliveMs: number;
  readonly silenceMs: number;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly bounds: Bounds;
  /** HTTPS with it. */
  readonly certificate?: Certificate | undefined;
  /** From any other address a connection is closed. */
  readonly onlyFrom?: string;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface Listener {
  /** Where the system lets it listen. */
  readonly address: string;
  readonly port: number;
  /** For connections from now on. False where it cannot be used: then the one before stays, which protects as well. */
  renew(read: () => Certificate): boolean;
  /** Takes no more connections, and lets go of those without a request under way. */
  stop(): void;
  close(): void;
}

const BOUNDS = {
  // Cookies know no ports: those of other servers on this machine come along.
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 500,
  requireHostHeader: true,
  insecureHTTPParser: false,
} as const;

/** Throws StartError where it cannot. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, bounds, certificate } = options;
  const settings = { ...BOUNDS, requestTimeout: bounds.requestMs, keepAliveTimeout: bounds.keepAliveMs };
  const tls = certificate && createTls({ ...settings, ...certificate });
  const server = tls ?? createServer(settings);
  // Node would drop further ones in silence, whatever they say. The size of the head bounds their number.
  server.maxHeadersCount = 0;
  server.maxRequestsPerSocket = bounds.requestsPerConnection;
  server.setTimeout(bounds.silenceMs, (socket) => socket.destroy());
  const idle = boundConnections(server, options);
  server.on('request', (request, response) => {
    const { socket } = request;
    const name = nameOf(socket);
    idle.delete(name);
    response.once('close', () => {
      if (!socket.destroyed) idle.set(name, socket);
    });
    options.onRequest(request, response);
  });
  // Neither proxies nor other protocols.
  server.on('connect', (_, socket) => socket.destroy());
  server.on('upgrade', (_, socket) => socket.destroy());
  server.on('checkContinue', (_, response) => response.writeHead(417, { connection: 'close' }).end());
  server.on('clientError', (error, socket) => {
    const isLarge = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW';
    const status = isLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
    if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(new StartError(`cannot listen on ${host}:${port}: it is taken, or not ours`)),
    );
    server.listen({ host, port, exclusive: true }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  return {
    ...{ address: address.address, port: address.port },
    renew: (read) =>
      ignoring('all', () => {
        tls?.setSecureContext(read());
        return true;
      }) === true,
    stop: () => {
      server.close();
      for (const socket of idle.values()) socket.destroy();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Server = ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>;

function createTls(settings: Parameters<typeof createTlsServer>[0]): ReturnType<typeof createTlsServer> {
  try {
    return createTlsServer({ ...settings, minVersion: 'TLSv1.2', handshakeTimeout: BOUNDS.headersTimeout });
  } catch {
    throw new StartError('cannot use the certificate: it is none in PEM, or the key is not its own');
  }
}

/** The connections without a request under way; who has waited longest comes first. */
function boundConnections(server: Server, { bounds, onlyFrom }: ListenOptions): Map<string, Socket> {
  const open = new Set<Socket>();
  const idle = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    if (onlyFrom !== undefined && socket.remoteAddress !== onlyFrom) {
      socket.destroy();
      return;
    }
    // Whoever connects and says nothing must not lock others out.
    const [longest] = idle.values();
    if (open.size >= bounds.connections) (longest ?? socket).destroy();
    const name = nameOf(socket);
    open.add(socket);
    idle.set(name, socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(name);
    });
  });
  return idle;
}

/** The same for a connection and for the TLS over it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
