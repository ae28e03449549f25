// What the client was answered before the server was there, said by the server: each answer has to be the one that
// was sent, to the byte, and is not sent again. Anything else is a bug, and then nothing more is served.

export class Rehearsal {
  /** Settles when each answer was heard; rejects at the first other one. */
  readonly over: Promise<void>;
  readonly #expected: Set<string>;
  #settle: () => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;

  constructor(answers: readonly string[]) {
    this.#expected = new Set(answers);
    this.over = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    if (!this.isOn) this.#settle();
  }

  get isOn(): boolean {
    return this.#expected.size > 0;
  }

  async hear(line: string): Promise<void> {
    if (!this.#expected.delete(line))
      this.#fail(new Error('the server answers otherwise than it was said to'));
    if (!this.isOn) this.#settle();
  }
}
