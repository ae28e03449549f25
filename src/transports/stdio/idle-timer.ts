// Says when, for the first time, nothing has happened for a moment after something did. It never keeps a process alive.

export class IdleTimer {
  /** Stays pending where that never comes. */
  readonly elapsed: Promise<void>;
  readonly #momentMs: number;
  #settle: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(momentMs: number) {
    this.#momentMs = momentMs;
    this.elapsed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Something has happened: the moment begins anew. */
  reset(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(this.#settle, this.#momentMs).unref();
    else this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
