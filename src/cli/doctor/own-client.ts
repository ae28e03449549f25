// A client for the server in this process. It exchanges the same bytes as over stdin and stdout. It uses no client library, because
// it sends only three kinds of requests.
import { PassThrough } from 'node:stream';
import { type Airlock, VERSION } from '../../server.ts';
import { serveOverStdio } from '../../transports/stdio/index.ts';

const TIMEOUT_MS = 60_000;

export class OwnClient {
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();
  readonly #connection;
  readonly #waiting = new Map<number, (message: object) => void>();
  #rest = '';
  #lastId = 0;

  constructor(airlock: Airlock) {
    this.#connection = serveOverStdio(airlock, { input: this.#input, output: this.#output });
    this.#output.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'config-airlock doctor', version: VERSION };
    await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.#send({ method: 'notifications/initialized' });
  }

  /** Sends a request. Returns the result; undefined if the answer is an error, or does not come in time. */
  request(method: string, params: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
      this.#waiting.set(id, (message) => {
        clearTimeout(timer);
        resolve(Reflect.get(message, 'result'));
      });
      this.#send({ id, method, params });
    });
  }

  async close(): Promise<void> {
    await this.#connection.end();
    await this.#connection.ended;
  }

  #send(message: object): void {
    this.#input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message: unknown = JSON.parse(line);
      if (typeof message !== 'object' || message === null) continue;
      const id: unknown = Reflect.get(message, 'id');
      if (typeof id === 'number') this.#waiting.get(id)?.(message);
    }
  }
}
