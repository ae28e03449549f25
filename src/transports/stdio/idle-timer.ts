// Says when, for the first time, nothing has happened for a moment. It never keeps a process alive.

export class IdleTimer {
  /** Stays pending where that never comes. */
  readonly elapsed: Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(momentMs: number) {
    this.elapsed = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, momentMs).unref();
    });
  }

  reset(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
