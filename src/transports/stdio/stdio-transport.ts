// MCP over a pair of byte streams, with one JSON-RPC message in each line. Every malformed line gets an answer, no line ends
// the connection, and reading stops while the output is full. It carries messages and understands none beyond the handshake.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { Handshake, idOfOverlong, type ProtocolFault, readMessage } from '../../protocol/read-message.ts';
import { writeFault, writeMessage } from '../../protocol/write-message.ts';
import type { Log } from '../../security/audit/log.ts';
import { LineSplitter, type Overlong } from './line-splitter.ts';
import { IdleTimer, PendingRequests } from './pending-requests.ts';

/** The time in milliseconds for answers once the client has closed its end. */
const DRAIN_MS = 5_000;
/** The time after which the connection counts as idle; a client that has more to ask at once asks earlier. */
const IDLE_MS = 100;
/** The bytes that are received in one turn of the event loop. */
const TURN_BYTES = 128 * 1024;
/** The cost of a line beside its bytes, as a number of bytes. */
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
  /** The ids of our own requests to the client. */
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
    // The client has gone (EPIPE), which is an end like any other. The listener stays, so that a late failure of
    // a write is not an uncaught exception.
    this.#output.on('error', this.#onBroken);
    this.#input.on('data', this.#onData);
    this.#input.on('end', this.#onEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    // The members of a message show its kind; it was checked where it came from.
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

  /** Receives all lines of a chunk. While it waits between two lines, the input is paused, so that the order stays. */
  async #receiveAll(chunk: Buffer): Promise<void> {
    this.#input.pause();
    let turnBytes = 0;
    for (const line of this.#lines.push(chunk)) {
      if (this.#output.writableNeedDrain) await this.#drained();
      this.#receive(line);
      turnBytes += LINE_BYTES + ('head' in line ? 0 : line.length);
      if (turnBytes <= TURN_BYTES) continue;
      await nextTurn();
      turnBytes = 0;
    }
    if (this.#output.writableNeedDrain) await this.#drained();
    if (!this.#isClosed) this.#input.resume();
  }

  /** Waits until the output takes more; settles at the end of the connection as well. */
  async #drained(): Promise<void> {
    await once(this.#output, 'drain', { signal: this.#closing.signal }).catch(() => undefined);
  }

  readonly #onEnd = async (): Promise<void> => {
    await this.#receiving;
    const last = this.#lines.end();
    if (last !== undefined) this.#receive(last);
    this.#giveUpAsking();
    // A client that has sent its last request may still read, so it gets its answers first.
    await this.#pending.none(DRAIN_MS);
    await this.close();
  };

  readonly #onBroken = (): void => {
    void this.close();
  };

  #receive(line: Buffer | Overlong): void {
    if (this.#isClosed) return;
    if ('head' in line) {
      this.#refuse(tooLong(line, this.#maxLineBytes));
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
      // A subscription stays open until the connection ends, so nobody waits for its answer.
      if (message.method !== 'subscriptions/listen') this.#pending.add(message.id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.#pending.remove(message.params?.['requestId']);
    } else if ('result' in message || 'error' in message) this.#asked.delete(message.id);
    this.onmessage?.(message);
  }

  /** Ends our own requests: a client that has closed its end will not answer, and their callers should learn it at once. */
  #giveUpAsking(): void {
    for (const id of this.#asked) {
      const error = { code: ProtocolErrorCode.InternalError, message: 'the input has ended' };
      this.onmessage?.({ jsonrpc: '2.0', id, error });
    }
    this.#asked.clear();
  }

  #refuse(fault: ProtocolFault): void {
    this.#log.event('warn', 'message_refused', { status: 'refused', code: String(fault.code) });
    // A failure is reported by the output's 'error' event, which ends the connection.
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

function tooLong({ head, tail }: Overlong, maxLineBytes: number): ProtocolFault {
  return {
    id: idOfOverlong(head, tail),
    code: ProtocolErrorCode.InvalidRequest,
    message: `A message may be at most ${maxLineBytes} bytes long: send it in several calls. The operator raises the limit with --max-parsed-size`,
  };
}
