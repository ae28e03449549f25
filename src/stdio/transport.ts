// MCP over a pair of byte streams, one JSON-RPC message a line. Promises an answer to every malformed
// line, that no line stalls or kills the connection, and that input stops while output is full. It
// carries messages and understands none beyond the handshake.
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Log } from '../security/index.ts';
import { Handshake } from './handshake.ts';
import { LineSplitter } from './line-splitter.ts';
import { type Fault, type Frame, readFrame } from './read-frame.ts';
import type { Received } from './reception.ts';
import { Rehearsal } from './rehearsal.ts';
import { Silence } from './silence.ts';
import { atOnce, inTurns } from './steps.ts';
import { Unanswered } from './unanswered.ts';
import { writeFault, writeFrame } from './write-frame.ts';

/** How long answers may still take once the client has said its last word. */
const DRAIN_MS = 5_000;
/** A client that has more to ask at once asks within that time. */
const MOMENT_MS = 30;
/** As much is received in one turn of the event loop; a longer line is read in several. */
const TURN_CHARS = 128 * 1024;
/** What a line costs beside its characters, as if it had so many more. */
const LINE_CHARS = 8 * 1024;
const NOTHING: Received = { said: Buffer.alloc(0), answers: [] };

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Settles once the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #log: Log;
  readonly #lines: LineSplitter;
  readonly #handshake = new Handshake();
  readonly #silence = new Silence(MOMENT_MS);
  readonly #unanswered = new Unanswered();
  /** Our own requests to the client. */
  readonly #asked = new Set<RequestId | undefined>();
  readonly #received: Received;
  readonly #rehearsal: Rehearsal;
  /** Since the last turn that was waited for. */
  #receivedChars = 0;
  /** Settles when the next line may come. */
  #turns: Promise<void> | undefined;
  #isClosed = false;
  #markClosed: () => void = () => undefined;

  /** `received`: what the client has said and was answered before. */
  constructor(input: Readable, output: Writable, log: Log, maxLineBytes: number, received = NOTHING) {
    this.#input = input;
    this.#output = output;
    this.#log = log;
    this.#received = received;
    this.#rehearsal = new Rehearsal(received.answers);
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
    this.#lines = new LineSplitter(maxLineBytes, {
      line: (text) => this.#receive(text),
      overlong: () => this.#refuse(overlong(maxLineBytes)),
    });
  }

  /** Settles the first time that nothing was said, by neither side, for a moment. */
  get quiet(): Promise<void> {
    return this.#silence.came;
  }

  /** Rejects where the server does not answer as it was said to. */
  get rehearsed(): Promise<void> {
    return this.#rehearsal.over;
  }

  async start(): Promise<void> {
    this.#input.on('error', this.#onBroken);
    // The client went away (EPIPE): an end like any other. The listener stays, so that a late failure
    // of a write under way is not an uncaught exception.
    this.#output.on('error', this.#onBroken);
    this.#output.on('drain', this.#goOn);
    this.#push(this.#received.said);
    await this.#rehearsal.over;
    // What happened before anybody listened here has happened.
    if (this.#input.destroyed || this.#output.destroyed) await this.close();
    if (this.#isClosed) return;
    this.#input.on('data', this.#onData);
    this.#input.on('end', this.#onEnd);
    if (this.#input.readableEnded) await this.#onEnd();
    else this.#input.resume();
  }

  send(message: JSONRPCMessage): Promise<void> {
    // What kind it is shows in its members: it was checked where it came from.
    if ('result' in message || 'error' in message) {
      this.#unanswered.remove(message.id);
      if ('error' in message) this.#handshake.failed(message.id);
    } else if ('id' in message) {
      this.#asked.add(message.id);
    }
    return this.#write(writeFrame(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.destroy();
    this.#unanswered.clear();
    this.#silence.end();
    this.onclose?.();
    this.#markClosed();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#silence.breaks();
    this.#push(chunk);
  };

  /** What has to wait goes back to the head of the input. */
  #push(chunk: Buffer): void {
    const rest = this.#lines.push(chunk);
    if (rest.length > 0) this.#input.unshift(rest);
  }

  readonly #onEnd = async (): Promise<void> => {
    this.#lines.end();
    await this.#turns;
    this.#giveUpAsking();
    // A client that has sent its last request may still read: it gets its answers first.
    await this.#unanswered.none(DRAIN_MS);
    await this.close();
  };

  readonly #onBroken = (): void => {
    void this.close();
  };

  readonly #goOn = (): void => {
    const mustWait = this.#isClosed || this.#turns !== undefined || this.#output.writableNeedDrain;
    if (!mustWait) this.#input.resume();
  };

  /** False where others come before the next line, which overtakes nothing. */
  #receive(text: string | undefined): boolean {
    if (this.#isClosed) return true;
    const chars = text?.length ?? 0;
    this.#receivedChars += LINE_CHARS + chars;
    const frame = readFrame(text);
    if (chars > TURN_CHARS) {
      this.#waitFor(inTurns(frame).then((read) => this.#take(read)));
      return false;
    }
    this.#take(atOnce(frame));
    if (this.#receivedChars > TURN_CHARS) this.#waitFor(nextTurn());
    return this.#turns === undefined;
  }

  #waitFor(turns: Promise<void>): void {
    this.#input.pause();
    this.#turns = turns.then(() => {
      this.#receivedChars = 0;
      this.#turns = undefined;
      this.#goOn();
    });
  }

  #take(frame: Frame): void {
    if (this.#isClosed) return;
    if (frame.kind === 'fault') this.#refuse(frame.fault);
    if (frame.kind === 'message') this.#deliver(frame.message);
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      const objection = this.#handshake.objection(message);
      if (objection !== undefined) {
        this.#refuse(objection);
        return;
      }
      // A subscription stays open until the connection ends: nobody waits for its answer.
      if (message.method !== 'subscriptions/listen') this.#unanswered.add(message.id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.#unanswered.remove(message.params?.['requestId']);
    } else if ('result' in message || 'error' in message) this.#asked.delete(message.id);
    this.onmessage?.(message);
  }

  /** A client that says no more answers nothing either: whoever waits for that hears it now, and not in minutes. */
  #giveUpAsking(): void {
    for (const id of this.#asked) {
      const error = { code: ProtocolErrorCode.InternalError, message: 'the input has ended' };
      this.onmessage?.({ jsonrpc: '2.0', id, error });
    }
    this.#asked.clear();
  }

  #refuse(fault: Fault): void {
    this.#log.event('warn', 'message_refused', { status: 'refused', code: String(fault.code) });
    // Its failure is the output's 'error' event, which ends the connection.
    this.#write(writeFault(fault)).catch(() => undefined);
  }

  #write(line: string): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#silence.breaks();
    if (this.#rehearsal.isOn) return this.#rehearsal.hear(line);
    return new Promise((resolve, reject) => {
      const hasRoom = this.#output.write(line, (error) => (error ? reject(error) : resolve()));
      if (!hasRoom) this.#input.pause();
    });
  }
}

function overlong(maxLineBytes: number): Fault {
  return {
    id: null,
    code: ProtocolErrorCode.InvalidRequest,
    message: `A message may be at most ${maxLineBytes} bytes long: send it in several calls. The operator raises the limit with --max-parsed-size`,
  };
}
