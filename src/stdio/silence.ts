// Says when, for the first time, nothing was said for a moment. It never keeps a process alive.

/** A client that has more to ask at once asks within that time. */
const MOMENT_MS = 30;

export class Silence {
  /** Stays open where it never comes. */
  readonly came: Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.came = new Promise((resolve) => {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        resolve();
      }, MOMENT_MS).unref();
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
