// Reads the keys that a person types, while the terminal echoes nothing. Keys that were typed before a question was shown can be
// forgotten, so that they do not answer it.
import { setImmediate } from 'node:timers/promises';

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
/** Stands for a key after the terminal was closed. */
export const CLOSED = '';

/** Matches one key: the sequence of an arrow or a function key, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with an escape
const KEY = /\u001b\[[0-9;?]*[@-~]|\u001bO[A-Za-z]|./gsu;

export class Keyboard {
  readonly #input: NodeJS.ReadStream;
  #typed: string[] = [];
  #wake: () => void = () => undefined;

  constructor(input: NodeJS.ReadStream) {
    this.#input = input;
    input.setEncoding('utf8');
    input.setRawMode(true);
    input.on('data', this.#read);
    input.on('end', this.#close);
    input.on('error', this.#close);
  }

  /** Returns the next key as the terminal sends it: `\r` for Enter. */
  async next(): Promise<string> {
    for (;;) {
      const [key] = this.#typed;
      if (key !== CLOSED) this.#typed.shift();
      if (key !== undefined) return key;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Forgets the keys that were typed so far, because they do not answer the next question. Ctrl-C and a closed terminal still count. */
  async forget(): Promise<void> {
    // In two turns of the event loop, Node reads everything in the terminal's own queue.
    await setImmediate();
    await setImmediate();
    this.#typed = this.#typed.filter((key) => key === CTRL_C || key === CLOSED);
  }

  /** Ends the reading, so that the terminal echoes again. */
  close(): void {
    this.#input.off('data', this.#read);
    if (!this.#typed.includes(CLOSED)) this.#input.setRawMode(false);
    this.#input.pause();
  }

  readonly #read = (chunk: string | Buffer): void => {
    for (const [key] of String(chunk).matchAll(KEY)) this.#typed.push(key);
    this.#wake();
  };

  readonly #close = (): void => {
    this.#typed.push(CLOSED);
    this.#wake();
  };
}
