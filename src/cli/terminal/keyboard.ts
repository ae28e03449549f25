// What a person types, key by key, while the terminal echoes nothing. Knows what was typed before a question
// was asked, and forgets it: only what was typed after the question could be read is an answer to it.
import { setImmediate } from 'node:timers/promises';

export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'enter' | 'backspace' | 'clear' | 'interrupt' | 'end' | 'gone' };

const CONTROLS: ReadonlyMap<string, Key> = new Map([
  ['\r', { kind: 'enter' }],
  ['\n', { kind: 'enter' }],
  ['\u007f', { kind: 'backspace' }],
  ['\b', { kind: 'backspace' }],
  ['\u0015', { kind: 'clear' }],
  ['\u0003', { kind: 'interrupt' }],
  ['\u0004', { kind: 'end' }],
]);

/** Arrow and function keys, which mean nothing here; else one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with an escape
const PIECE = /\u001b\[[0-9;?]*[@-~]|\u001bO[A-Za-z]|./gsu;

export class Keyboard {
  readonly #input: NodeJS.ReadStream;
  readonly #typed: Key[] = [];
  #waiting: ((key: Key) => void) | undefined;
  #isGone = false;

  constructor(input: NodeJS.ReadStream) {
    this.#input = input;
    input.setEncoding('utf8');
    input.setRawMode(true);
    input.on('data', this.#read);
    input.on('end', this.#leave);
    input.on('error', this.#leave);
  }

  next(): Promise<Key> {
    const key = this.#typed.shift() ?? (this.#isGone ? GONE : undefined);
    if (key !== undefined) return Promise.resolve(key);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** What was typed so far does not answer what is asked next; but Ctrl-C and a closed terminal count. */
  async forget(): Promise<void> {
    // From one turn of the event loop to the next, it reads all that lies in the terminal's own queue.
    await setImmediate();
    await setImmediate();
    const kept = this.#typed.filter(({ kind }) => kind === 'interrupt' || kind === 'gone');
    this.#typed.splice(0, Infinity, ...kept);
  }

  /** The terminal echoes again. */
  close(): void {
    this.#input.off('data', this.#read);
    if (!this.#isGone) this.#input.setRawMode(false);
    this.#input.pause();
  }

  readonly #read = (chunk: string | Buffer): void => {
    for (const [piece] of String(chunk).matchAll(PIECE)) {
      const key =
        CONTROLS.get(piece) ??
        (/^[\p{Cc}]/u.test(piece) ? undefined : { kind: 'text' as const, text: piece });
      if (key !== undefined) this.#put(key);
    }
  };

  readonly #leave = (): void => {
    this.#isGone = true;
    this.#put(GONE);
  };

  #put(key: Key): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#typed.push(key);
    else waiting(key);
  }
}

/** The terminal was closed: there is nobody to ask any more. */
const GONE: Key = { kind: 'gone' };
