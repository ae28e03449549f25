// A socket for HTTP/1.1 within bounds: few connections, small heads, short waiting times. It passes on requests whose head is
// complete, and knows nothing about their content.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { ignoring } from '../security/errors/refusal.ts';
import { StartError } from '../security/errors/start-error.ts';

export interface Bounds {
  /** The most connections; beyond it, the one that has been without a request for the longest is closed. */
  readonly connections: number;
  readonly requestsPerConnection: number;
  /** The time for a request to arrive completely. */
  readonly requestMs: number;
  /** The times after which a silent connection is closed: between two requests, and in general. */
  readonly keepAliveMs: number;
  readonly silenceMs: number;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface ListenOptions {
  readonly host: string;
  /** The port; 0 means any that is free. */
  readonly port: number;
  readonly bounds: Bounds;
  /** With a certificate, it serves HTTPS. */
  readonly certificate?: Certificate | undefined;
  /** Connections from any other address are closed. */
  readonly onlyFrom?: string;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface Listener {
  /** The address that the system gave it. */
  readonly address: string;
  readonly port: number;
  /** Renews the certificate for later connections. False if it cannot be used; then the old one stays, which protects as well. */
  renew(read: () => Certificate): boolean;
  /** Accepts no more connections, and closes those without a running request. */
  stop(): void;
  close(): void;
}

const BOUNDS = {
  // Cookies are sent to all ports, so those of other servers on this machine come along.
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 500,
  requireHostHeader: true,
  insecureHTTPParser: false,
} as const;

/** Starts to listen. Throws StartError where it cannot. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, bounds, certificate } = options;
  const settings = { ...BOUNDS, requestTimeout: bounds.requestMs, keepAliveTimeout: bounds.keepAliveMs };
  const tls = certificate && createTls({ ...settings, ...certificate });
  const server = tls ?? createServer(settings);
  // Node would silently drop headers beyond a maximum. The size of the head bounds their number anyway.
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
  // Proxy requests and other protocols are not served.
  server.on('connect', (_, socket) => socket.destroy());
  server.on('upgrade', (_, socket) => socket.destroy());
  server.on('checkContinue', (_, response) => response.writeHead(417, { connection: 'close' }).end());
  server.on('clientError', (error, socket) => {
    const code = 'code' in error ? error.code : undefined;
    const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    // A browser takes what is written on a silent connection as the reply to its next request.
    if (socket.writable && code !== 'ERR_HTTP_REQUEST_TIMEOUT')
      socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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

/** Returns the connections without a running request; the one that has waited longest comes first. */
function boundConnections(server: Server, { bounds, onlyFrom }: ListenOptions): Map<string, Socket> {
  const open = new Set<Socket>();
  const idle = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    if (onlyFrom !== undefined && socket.remoteAddress !== onlyFrom) {
      socket.destroy();
      return;
    }
    // A client that connects and says nothing must not lock others out.
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

/** Names a connection; the TLS over it has the same name. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
