// What a person types, key by key, while the terminal echoes nothing. Knows what was typed before a question
// was asked, and forgets it: only what was typed after the question could be read is an answer to it.
import { setImmediate } from 'node:timers/promises';

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
/** Instead of a key: the terminal was closed, and there is nobody to ask any more. */
export const GONE = '';

/** An arrow or a function key is one key; else one character. */
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
    input.on('end', this.#leave);
    input.on('error', this.#leave);
  }

  /** As the terminal sends it: `\r` for Enter. */
  async next(): Promise<string> {
    for (;;) {
      const [key] = this.#typed;
      if (key !== GONE) this.#typed.shift();
      if (key !== undefined) return key;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** What was typed so far does not answer what is asked next; but Ctrl-C and a closed terminal count. */
  async forget(): Promise<void> {
    // From one turn of the event loop to the next, it reads all that lies in the terminal's own queue.
    await setImmediate();
    await setImmediate();
    this.#typed = this.#typed.filter((key) => key === CTRL_C || key === GONE);
  }

  /** The terminal echoes again. */
  close(): void {
    this.#input.off('data', this.#read);
    if (!this.#typed.includes(GONE)) this.#input.setRawMode(false);
    this.#input.pause();
  }

  readonly #read = (chunk: string | Buffer): void => {
    for (const [key] of String(chunk).matchAll(KEY)) this.#typed.push(key);
    this.#wake();
  };

  readonly #leave = (): void => {
    this.#typed.push(GONE);
    this.#wake();
  };
}
