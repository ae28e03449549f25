// MCP over a pair of byte streams, one JSON-RPC message a line. Promises an answer to every malformed line, that no line kills
// the connection, and that reading stops while output is full. It carries messages and understands none beyond the handshake.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import {
  Handshake,
  type ProtocolFault,
  readMessage,
  writeFault,
  writeMessage,
} from '../../protocol/index.ts';
import type { Log } from '../../security/index.ts';
import { LineSplitter, OVERLONG } from './line-splitter.ts';
import { IdleTimer, PendingRequests } from './pending-requests.ts';

/** How long answers may still take once the client has closed its end. */
const DRAIN_MS = 5_000;
/** A client that has more to ask at once asks within that time. */
const IDLE_MS = 100;
/** As much is received in one turn of the event loop. */
const TURN_BYTES = 128 * 1024;
/** What a line costs beside its bytes, as if it had so many more. */
const LINE_BYTES = 8 * 1024;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Settles once the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #log: Log;
  readonly #maxLineBytes: number;
  readonly #lines: LineSplitter;
  readonly #handshake = new Handshake();
  readonly #idle = new IdleTimer(IDLE_MS);
  readonly #pending = new PendingRequests();
  /** Our own requests to the client. */
  readonly #asked = new Set<RequestId | undefined>();
  readonly #closing = new AbortController();
  /** Settles when the last chunk that came was received. */
  #receiving: Promise<void> | undefined;

  constructor(input: Readable, output: Writable, log: Log, maxLineBytes: number) {
    this.#input = input;
    this.#output = output;
    this.#log = log;
    this.#maxLineBytes = maxLineBytes;
    this.#lines = new LineSplitter(maxLineBytes);
    this.closed = once(this.#closing.signal, 'abort').then(() => undefined);
  }

  /** Settles the first time that neither side has said anything for a moment. */
  get idle(): Promise<void> {
    return this.#idle.elapsed;
  }

  async start(): Promise<void> {
    this.#input.on('error', this.#onBroken);
    // The client went away (EPIPE): an end like any other. The listener stays, so that a late failure
    // of a write under way is not an uncaught exception.
    this.#output.on('error', this.#onBroken);
    this.#input.on('data', this.#onData);
    this.#input.on('end', this.#onEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    // What kind it is shows in its members: it was checked where it came from.
    if ('result' in message || 'error' in message) {
      this.#pending.remove(message.id);
      if ('error' in message) this.#handshake.failed(message.id);
    } else if ('id' in message) {
      this.#asked.add(message.id);
    }
    return this.#write(writeMessage(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#closing.abort();
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.destroy();
    this.#pending.clear();
    this.#idle.stop();
    this.onclose?.();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#idle.reset();
    this.#receiving = this.#receiveAll(chunk);
  };

  /** While it waits between two lines, the input is paused, so that nothing overtakes. */
  async #receiveAll(chunk: Buffer): Promise<void> {
    this.#input.pause();
    let turnBytes = 0;
    for (const line of this.#lines.push(chunk)) {
      if (this.#output.writableNeedDrain) await this.#drained();
      this.#receive(line);
      turnBytes += LINE_BYTES + line.length;
      if (turnBytes <= TURN_BYTES) continue;
      await nextTurn();
      turnBytes = 0;
    }
    if (this.#output.writableNeedDrain) await this.#drained();
    if (!this.#isClosed) this.#input.resume();
  }

  /** Settles at the end of the connection as well. */
  async #drained(): Promise<void> {
    await once(this.#output, 'drain', { signal: this.#closing.signal }).catch(() => undefined);
  }

  readonly #onEnd = async (): Promise<void> => {
    await this.#receiving;
    const last = this.#lines.end();
    if (last !== undefined) this.#receive(last);
    this.#giveUpAsking();
    // A client that has sent its last request may still read: it gets its answers first.
    await this.#pending.none(DRAIN_MS);
    await this.close();
  };

  readonly #onBroken = (): void => {
    void this.close();
  };

  #receive(line: Buffer | typeof OVERLONG): void {
    if (this.#isClosed) return;
    if (line === OVERLONG) {
      this.#refuse(overlong(this.#maxLineBytes));
      return;
    }
    const incoming = readMessage(line);
    if (incoming.kind === 'fault') this.#refuse(incoming.fault);
    if (incoming.kind === 'message') this.#deliver(incoming.message);
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      const objection = this.#handshake.objection(message);
      if (objection !== undefined) {
        this.#refuse(objection);
        return;
      }
      // A subscription stays open until the connection ends: nobody waits for its answer.
      if (message.method !== 'subscriptions/listen') this.#pending.add(message.id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.#pending.remove(message.params?.['requestId']);
    } else if ('result' in message || 'error' in message) this.#asked.delete(message.id);
    this.onmessage?.(message);
  }

  /** A client that has closed its end answers nothing any more: whoever waits for that learns it now, and not in minutes. */
  #giveUpAsking(): void {
    for (const id of this.#asked) {
      const error = { code: ProtocolErrorCode.InternalError, message: 'the input has ended' };
      this.onmessage?.({ jsonrpc: '2.0', id, error });
    }
    this.#asked.clear();
  }

  #refuse(fault: ProtocolFault): void {
    this.#log.event('warn', 'message_refused', { status: 'refused', code: String(fault.code) });
    // Its failure is the output's 'error' event, which ends the connection.
    this.#write(writeFault(fault)).catch(() => undefined);
  }

  #write(line: string): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#idle.reset();
    return new Promise((resolve, reject) => {
      this.#output.write(line, (error) => (error ? reject(error) : resolve()));
    });
  }
}

function overlong(maxLineBytes: number): ProtocolFault {
  return {
    id: null,
    code: ProtocolErrorCode.InvalidRequest,
    message: `A message may be at most ${maxLineBytes} bytes long: send it in several calls. The operator raises the limit with --max-parsed-size`,
  };
}
