// How a client is asked and answers, frame by frame, before revision 2026-07-28 and since.
import type { Frame, RawConnection } from '../../harness/raw-server.ts';

export interface Asked {
  /** What the person reads. */
  readonly message: string;
  readonly schema: unknown;
  /** Of the request that asks, or the state to bring back. */
  readonly key: unknown;
  /** Sends an answer and waits for what becomes of the call. */
  answer(answer: unknown): Promise<Frame>;
}

export interface Era {
  readonly name: string;
  /** Greets where the era wants it, with these capabilities, as every later call has them. */
  greet(server: RawConnection, capabilities: object): Promise<void>;
  call(server: RawConnection, id: number, tool: string, args: object, more?: object): Promise<Frame>;
  /** Sends the call, which may say `more`, and waits for the question. Throws where something else comes. */
  ask(server: RawConnection, id: number, preview: string, more?: object): Promise<Asked>;
}

const REVISION = '2026-07-28';
const CLIENT = { name: 'raw', version: '1' };

/** The answer to a request; other frames are let go. */
export async function answerTo(server: RawConnection, id: number): Promise<Frame> {
  for (;;) {
    const frame = await server.next();
    if (frame.id === id && frame.method === undefined) return frame;
  }
}

export function send(server: RawConnection, frame: object): void {
  server.send({ jsonrpc: '2.0', ...frame });
}

function legacy(protocolVersion: string): Era {
  return {
    name: protocolVersion,
    greet: async (server, capabilities) => {
      await server.request(0, 'initialize', { protocolVersion, capabilities, clientInfo: CLIENT });
      send(server, { method: 'notifications/initialized' });
    },
    call: (server, id, name, args, more = {}) => {
      send(server, { id, method: 'tools/call', params: { name, arguments: args, ...more } });
      return answerTo(server, id);
    },
    ask: async (server, id, preview, more = {}) => {
      const params = { name: 'config_apply', arguments: { preview_id: preview }, ...more };
      send(server, { id, method: 'tools/call', params });
      const question = await server.next();
      if (question.method !== 'elicitation/create')
        throw new Error(`no question: ${JSON.stringify(question)}`);
      return {
        message: String(question.params?.['message']),
        schema: question.params?.['requestedSchema'],
        key: question.id,
        answer: (result) => {
          send(server, { id: question.id, result });
          return answerTo(server, id);
        },
      };
    },
  };
}

function modern(): Era {
  let capabilities: object = {};
  const call: Era['call'] = (server, id, name, args, more = {}) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': CLIENT,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    send(server, { id, method: 'tools/call', params: { _meta, name, arguments: args, ...more } });
    return answerTo(server, id);
  };
  return {
    name: REVISION,
    greet: async (_server, declared) => {
      capabilities = declared;
    },
    call,
    ask: async (server, id, preview, said = {}) => {
      const args = { preview_id: preview };
      const { result } = await call(server, id, 'config_apply', args, said);
      if (result?.['resultType'] !== 'input_required')
        throw new Error(`no question: ${JSON.stringify(result)}`);
      const requestState = result?.['requestState'];
      const { params } = Object(Object(result?.['inputRequests'])['approval']);
      return {
        message: String(params?.message),
        schema: params?.requestedSchema,
        key: requestState,
        answer: (answer) => {
          const more = { requestState, inputResponses: { approval: answer } };
          return call(server, id + 1_000, 'config_apply', args, more);
        },
      };
    },
  };
}

/** Elicitation came with 2025-06-18. */
export const LEGACY: readonly Era[] = [legacy('2025-06-18'), legacy('2025-11-25')];
export const MODERN = modern();
