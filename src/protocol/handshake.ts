// Whether a request may come yet: revisions before 2026-07-28 begin with `initialize`, once; later
// ones carry their envelope in every request. It negotiates nothing: that is the SDK's work.
import {
  isInitializeRequest,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { ProtocolFault } from './read-message.ts';

export class Handshake {
  #initializeId: RequestId | undefined;

  /** What to answer to a request that is out of order; undefined when it may pass. */
  objection(request: JSONRPCRequest): ProtocolFault | undefined {
    if (request.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined) return undefined;
    if (request.method === 'ping') return undefined;
    const { id, method } = request;
    const hasBegun = this.#initializeId !== undefined;
    const code = ProtocolErrorCode.InvalidRequest;
    if (method !== 'initialize') {
      const message = 'Send "initialize" first, or the _meta envelope of revision 2026-07-28';
      return hasBegun ? undefined : { id, code, message };
    }
    if (hasBegun) return { id, code, message: 'The connection is initialized already' };
    if (!isInitializeRequest(request)) {
      const message = '"initialize" needs protocolVersion, capabilities and clientInfo with name and version';
      return { id, code: ProtocolErrorCode.InvalidParams, message };
    }
    // Counted when it is sent, not when it is answered, so that a client may pipeline what follows.
    this.#initializeId = id;
    return undefined;
  }

  /** A refused `initialize` may be tried again. */
  failed(id: RequestId | undefined): void {
    if (id === this.#initializeId) this.#initializeId = undefined;
  }
}
