// Serves the MCP endpoint without sessions, in every revision of the protocol. The caller is verified before the body is read, and the
// body is checked before the SDK gets it.
import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  isJsonContentType,
  type JSONRPCMessage,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
} from '@modelcontextprotocol/server';
import { readMessage } from '../../protocol/read-message.ts';
import { type Airlock, createServer, isWritingTool } from '../../server.ts';
import type { Limits } from './limits.ts';
import { type Authenticator, READ, WRITE } from './tokens.ts';

export interface EndpointOptions {
  /** An airlock made by `forManyClients`. */
  readonly airlock: Airlock;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly maxBodyBytes: number;
  /** The address of this resource's metadata, if it has any. */
  readonly metadataUrl: string | undefined;
}

/** Takes a function that is called when the answer was sent, or the client has left. */
export type OnFinished = (done: () => void) => void;

export interface Endpoint {
  answer(request: Request, onOver: OnFinished): Promise<Response>;
  close(): Promise<void>;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { airlock, authenticator: verifier, limits, maxBodyBytes, metadataUrl } = options;
  const challenge = metadataUrl === undefined ? {} : { resourceMetadataUrl: metadataUrl };
  const authenticate = requireBearerAuth({ verifier, requiredScopes: [READ], ...challenge });
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      if (authInfo === undefined) throw new Error('unreachable: request without a verified token');
      const verified = { principal: authInfo.clientId, scopes: authInfo.scopes };
      const isReadOnly = asksReadOnly(requestInfo) || !authInfo.scopes.includes(WRITE);
      return createServer(airlock, { verified, isReadOnly });
    },
    {
      // The tools never change, so a subscription would wait for news that never comes.
      maxSubscriptions: 0,
      // The messages may quote what the client sent, so only the kind of error is logged.
      onerror: ({ name }) => airlock.log.event('debug', 'protocol_error', { error_name: name }),
    },
  );

  async function serve(request: Request, authInfo: AuthInfo): Promise<Response> {
    const { method, headers } = request;
    if (method !== 'POST') return handler.fetch(request, { authInfo });
    if (!isJsonContentType(headers.get('content-type')) || headers.has('content-encoding'))
      return refusal(415, 'a body has to be application/json, and not compressed');
    const length = headers.get('content-length') ?? '';
    if (!/^\d+$/u.test(length)) return refusal(411, 'a body needs its content-length');
    if (Number(length) > maxBodyBytes) return refusal(413, `a body may have at most ${maxBodyBytes} bytes`);
    // Node reads no more bytes than this length.
    const incoming = readMessage(new Uint8Array(await request.arrayBuffer()));
    if (incoming.kind === 'blank') return refusal(400, 'the body is empty');
    if (incoming.kind === 'fault') {
      const { id, ...error } = incoming.fault;
      return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
    }
    const { message } = incoming;
    if (!authInfo.scopes.includes(WRITE) && !asksReadOnly(request) && needsWrite(message, airlock)) {
      const error = new OAuthError(OAuthErrorCode.InsufficientScope, `This tool needs ${WRITE}`);
      return bearerAuthChallengeResponse(error, { requiredScopes: [READ, WRITE], ...challenge });
    }
    return handler.fetch(request, { authInfo, parsedBody: message });
  }

  return {
    answer: async (request, onOver) => {
      const auth = await authenticate(request);
      if (auth instanceof Response)
        return auth.status < 500 ? auth : refusal(503, 'no token can be verified', { 'retry-after': '5' });
      const entered = limits.enter(auth.clientId);
      if (typeof entered !== 'function')
        return refusal(entered.status, entered.reason, { 'retry-after': `${entered.seconds}` });
      onOver(entered);
      const scopes = asksReadOnly(request) ? auth.scopes.filter((scope) => scope !== WRITE) : auth.scopes;
      return serve(request, { ...auth, scopes });
    },
    close: () => handler.close(),
  };
}

function needsWrite(message: JSONRPCMessage, airlock: Airlock): boolean {
  if (!('method' in message) || message.method !== 'tools/call') return false;
  return isWritingTool(airlock, String(message.params?.['name']));
}

/** True if the client asks for no tools that write. Any value of the header but a plain no means that. */
function asksReadOnly(request: Request | undefined): boolean {
  const said = request?.headers.get('x-mcp-readonly') ?? 'false';
  return !['false', '0', ''].includes(said.trim().toLowerCase());
}

export function refusal(status: number, reason: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: `Cannot answer: ${reason}` }, { status, headers });
}
