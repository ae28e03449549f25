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
    const hasBegun = this.#initializeId !== undefined;
    const fault = (
      message: string,
      code: ProtocolFault['code'] = ProtocolErrorCode.InvalidRequest,
    ): ProtocolFault => {
      return { id: request.id, code, message };
    };
    if (request.method !== 'initialize') {
      return hasBegun
        ? undefined
        : fault('Send "initialize" first, or the _meta envelope of revision 2026-07-28');
    }
    if (hasBegun) return fault('The connection is initialized already');
    if (!isInitializeRequest(request)) {
      const needed = '"initialize" needs protocolVersion, capabilities and clientInfo with name and version';
      return fault(needed, ProtocolErrorCode.InvalidParams);
    }
    // Counted when it is sent, not when it is answered, so that a client may pipeline what follows.
    this.#initializeId = request.id;
    return undefined;
  }

  /** A refused `initialize` may be tried again. */
  failed(id: RequestId | undefined): void {
    if (id === this.#initializeId) this.#initializeId = undefined;
  }
}
