// Says when, for the first time, nothing was said for a moment. It never keeps a process alive.

export class Silence {
  /** Stays open where it never comes. */
  readonly came: Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(momentMs: number) {
    this.came = new Promise((resolve) => {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        resolve();
      }, momentMs).unref();
    });
  }

  breaks(): void {
    this.#timer?.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
